/** A bare server of chains, plain or compressed: what is measured is whoever asks it. */
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Http from "node:http"
import { gzipSync } from "node:zlib"
import * as Chains from "../decode/chains.ts"
import { target } from "./target.ts"

/** How many contracts the chains have. */
export const sizes = [92, 2000, 22_718] as const

/** How their bytes are sent. */
export const codings = ["plain", "gzip"] as const

/** Serves the chains for as long as the process lives, and answers the port. */
export const serve = async (coding: string): Promise<number> => {
  const bodies = new Map<string | undefined, Buffer>(sizes.map((contracts) => {
    const body = Buffer.from(ColumnTable.encode(Chains.chain(contracts)))
    return [target(contracts), coding === "gzip" ? gzipSync(body) : body]
  }))
  const server = Http.createServer((request, response) => {
    const body = bodies.get(request.url)
    if (body === undefined) return void response.writeHead(500).end()
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": String(body.length),
      "x-api-ratelimit-consumed": "1",
      ...(coding === "gzip" ? { "content-encoding": "gzip" } : {})
    }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the server has no port")
  return address.port
}

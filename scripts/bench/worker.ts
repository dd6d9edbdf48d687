/** The other side of `process.ts`: what a process of a bench does. */
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

/** What a process can do: mostly at the port of a server, for some milliseconds. It is started with as many arguments as the work has. */
type Work = (port: string, milliseconds: string, ...more: readonly [string, string]) => unknown

/** Does the work that the first argument names, with the others as its arguments, and prints the result as JSON. A process that serves goes on. */
export const answer = async (works: Readonly<Record<string, Work>>) => {
  const [what = "", ...args] = process.argv.slice(2)
  const work = works[what]
  if (work === undefined) throw new Error(`nothing is called ${what}`)
  console.log(JSON.stringify(await work(...args as Parameters<Work>)))
  if (!process.getActiveResourcesInfo().includes("TCPServerWrap")) process.exit(0)
}

/** Serves as long as the process lives; answers the port. */
export const serve = async (listener: Http.RequestListener): Promise<number> => {
  const server = Http.createServer((request, response) => {
    response.sendDate = false
    return listener(request, response)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return (server.address() as AddressInfo).port
}

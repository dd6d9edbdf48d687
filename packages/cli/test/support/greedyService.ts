/**
 * A service that takes what it can: it stands before a sandbox, loses replies that were charged, spoils them, charges errors and has more contracts than a
 * filter promises. It knows what it billed.
 */
import * as Effect from "effect/Effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Loopback from "../../../core/test/support/loopback.ts"
import * as Random from "../../../core/test/support/random.ts"

/** What it does with a request, by a number from 0 to 1; most are answered as they are. */
const mishaps = [
  [0.06, "lost"],
  [0.12, "cut"],
  [0.18, "garbage"],
  [0.3, "charged error"],
  [0.34, "free error"]
] as const

const statuses = [400, 404, 429, 500, 503]

/** Starts it, until the scope ends. */
export const make = Effect.fnUntraced(function*(sandbox: string, seed: number) {
  const { chance, fraction, pick } = Random.make(seed)
  let errors = 0
  let open = 0
  const refuse = (response: ServerResponse, isCharged: boolean) => {
    errors += Number(isCharged)
    response.writeHead(pick(statuses), {
      "content-type": "application/json",
      "x-api-ratelimit-consumed": String(Number(isCharged))
    })
    response.end(JSON.stringify({ s: "error", errmsg: "Something is wrong." }))
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const drawn = fraction()
    const mishap = mishaps.find(([most]) => drawn < most)?.[1]
    if (mishap === "charged error" || mishap === "free error") return refuse(response, mishap === "charged error")
    const isLarger = chance(0.5)
    const target = isLarger
      ? request.url!.replace(/(?<=strikeLimit=)\d+/, (count) => String(3 * Number(count)))
      : request.url!
    const reply = await fetch(`${sandbox}${target}`, {
      headers: { authorization: request.headers.authorization ?? "" }
    })
    const body = Buffer.from(await reply.arrayBuffer())
    if (mishap === "lost") return void response.destroy()
    const headers = Object.fromEntries(
      [...reply.headers].filter(([name]) => !/^(?:content-(?:length|encoding)|transfer|connection|keep)/.test(name))
    )
    response.writeHead(reply.status, reply.status === 204 ? headers : { ...headers, "content-length": body.length })
    if (mishap === "cut") return void response.write(body.subarray(0, body.length / 2), () => response.destroy())
    response.end(mishap === "garbage" ? body.map((byte, at) => at > 10 ? 0x7b : byte) : body)
  }
  const { baseUrl } = yield* Loopback.scoped(async (request, response) => {
    open++
    // A client that gives up closes the response; what it asked for is billed all the same, a little later.
    await answer(request, response)
    open--
  })
  /** What the sandbox says that the account has spent, and the errors that were charged. */
  const billed = Effect.promise(async () => {
    const answer = await fetch(`${sandbox}/user/`, { headers: { authorization: "Bearer sandbox-paid" } })
    return 1_000_000 - Number(answer.headers.get("x-api-ratelimit-remaining")) + errors
  })
  return {
    baseUrl,
    billed,
    /** Whether no request is being answered. */
    isIdle: () => open === 0
  }
})

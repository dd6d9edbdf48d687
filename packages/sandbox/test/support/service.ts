/** Raw requests to a sandbox of one's own, whose clock stands at Friday noon in New York. */
import { NewYork, OptionChain } from "@effect-marketdata/core"
import { Market, Sandbox, SandboxReply } from "@effect-marketdata/sandbox"
import { Effect, Result } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { it, steps, type Test } from "../../../core/test/support/it.ts"

/** Friday noon in New York, with the session open. */
export const friday = { year: 2026, month: 11, day: 20 }
export const noon = NewYork.at(friday, 12, 0)

export const at = (epochSeconds: number) => TestClock.setTime(epochSeconds * 1000)

/** A reply whose body was read to its end. */
export type Reply = Effect.Success<ReturnType<typeof ask>>

/** How to ask: as `sandbox-paid` from this machine, unless said otherwise; a token of "" is none. */
export interface Asking {
  readonly token?: string
  readonly method?: string
  readonly address?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const ask = (
  target: string,
  { address = "127.0.0.1", headers, method = "GET", token = "sandbox-paid" }: Asking = {}
) => {
  const bearer = token === "" ? {} : { authorization: `Bearer ${token}` }
  const request = { method, target, address, headers: { ...bearer, ...headers } }
  const answered = Effect.flatMap(Sandbox.Sandbox, ({ handle }) => handle(request))
  return Effect.map(answered, (reply) => ({ ...reply, body: SandboxReply.text(reply) }))
}

/** It is the same for everybody: what it has worked out once, no other test has to. */
const market = Market.make()

/** A test in a sandbox of its own that begins on Friday at noon. */
export const test = (name: string, story: Test<Sandbox.Sandbox>, options?: Sandbox.Options) =>
  it.effect(name, () => Effect.andThen(at(noon), steps(story)()), Sandbox.layer({ market, ...options }))

export const chainOf = (reply: Reply) => Result.getOrThrow(OptionChain.decode(reply.body))

export const json = (reply: Reply): Record<string, ReadonlyArray<unknown>> => JSON.parse(reply.body)

/** The words of a refusal. */
export const errmsg = (reply: Reply): string => JSON.parse(reply.body).errmsg

/** What a reply says that it cost; without an account there is nobody to tell. */
export const consumed = (reply: Reply): number => Number(reply.headers["x-api-ratelimit-consumed"] ?? 0)

export const isData = (reply: Reply): boolean => reply.status === 200 || reply.status === 203

/** The newest `updated` of a reply. */
export const newest = (reply: Reply): number => Math.max(...json(reply)["updated"] as ReadonlyArray<number>)

/** The target of a chain of a few contracts. */
export const chain = "/v1/options/chain/AAPL/"

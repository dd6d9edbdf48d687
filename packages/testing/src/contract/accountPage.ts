/**
 * The public service's page about the account. A service whose replies do not say what they cost may still show there what is left: asked
 * after each request, it shows the price of each.
 */
import * as Query from "@effect-marketdata/core/Query"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { field } from "./exchange.ts"
import type * as Exchanging from "./exchanging.ts"

/**
 * - `Untried`: nobody asked for it yet
 * - `Telling`: it says what is left, and is free to ask for
 * - `Silent`: there is no such page
 * - `Costly`: asking for it cost credits, and it is not asked for again
 * - `Unneeded`: the replies say themselves what they cost
 */
export type AccountPage =
  | { readonly _tag: "Untried" | "Silent" | "Unneeded" }
  | { readonly _tag: "Telling"; readonly remaining: number | undefined }
  | { readonly _tag: "Costly"; readonly credits: number }

export const untried: AccountPage = { _tag: "Untried" }

export const unneeded: AccountPage = { _tag: "Unneeded" }

export const target = Query.target(Query.account)

/** The most that it may cost to find out whether the page is free: it is asked for twice. */
export const most = 2

/** Asks for the page again, where it is of use. The first time it must show that it is free to ask for. */
export const next = <R>(
  self: AccountPage,
  ask: Effect.Effect<Result.Result<Exchanging.Received, Exchanging.Lost>, never, R>
): Effect.Effect<AccountPage, never, R> => {
  const read = Effect.map(ask, remainingIn)
  switch (self._tag) {
    case "Untried":
      return Effect.gen(function*() {
        const first = yield* read
        if (first === undefined) return { _tag: "Silent" }
        const second = yield* read
        return second === undefined || second >= first
          ? { _tag: "Telling", remaining: second }
          : { _tag: "Costly", credits: 2 * (first - second) }
      })
    case "Telling":
      return Effect.map(read, (remaining) => ({ _tag: "Telling", remaining }))
    default:
      return Effect.succeed(self)
  }
}

const remainingIn = (outcome: Result.Result<Exchanging.Received, Exchanging.Lost>): number | undefined => {
  const value = Result.isSuccess(outcome) ? field(outcome.success.json, "x-ratelimit-requests-remaining") : undefined
  return typeof value === "number" && Number.isInteger(value) ? value : undefined
}

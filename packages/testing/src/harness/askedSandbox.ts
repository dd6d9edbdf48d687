import { Account, Query } from "@effect-marketdata/core"
import * as Accounts from "@effect-marketdata/sandbox/Accounts"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import type * as SandboxReply from "@effect-marketdata/sandbox/SandboxReply"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { noon } from "./MarketDataTest.ts"

/** Asks queries of one sandbox, at noon or at another moment: the same for all of them, so that it need not work out its chains anew. */
export const make = (options: Sandbox.Options = {}): (query: Query.Query, at?: number) => SandboxReply.SandboxReply => {
  const token = "laws"
  const account = Accounts.make(token, Account.make({ plan: "paid", user: Account.nonProfessional("realTime") }))
  const runtime = ManagedRuntime.make(
    Sandbox.layer({ ...options, accounts: [account] }).pipe(
      Layer.provideMerge(SandboxClock.layer({ pace: "frozen", at: noon }))
    )
  )
  return (query, at = noon) =>
    runtime.runSync(
      Effect.gen(function*() {
        yield* (yield* SandboxClock.SandboxClock).set(at)
        return yield* (yield* Sandbox.Sandbox).handle({
          method: "GET",
          target: Query.target(query),
          headers: { authorization: `Bearer ${token}` },
          address: "127.0.0.1"
        })
      })
    )
}

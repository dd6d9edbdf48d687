/** The service as a server of its own, and what reached it. */
import * as Account from "@effect-marketdata/core/Account"
import { Accounts, Sandbox, SandboxServer } from "@effect-marketdata/sandbox"
import { type Duration, Effect, Layer } from "effect"

/** A request as it came: when, by this program's clock, and from where; `status` once it is answered. */
export interface Visit {
  readonly at: number
  readonly address: string
  readonly target: string
  status?: number
}

export type Service = Effect.Success<ReturnType<typeof start>>

/**
 * Starts it. It takes a moment for each reply: a kill finds requests in flight. `token` is that of its only account, which nothing limits.
 */
export const start = Effect.fnUntraced(function*(latency: Duration.Input) {
  const token = "sandbox-paid"
  const account = Accounts.make(token, Account.make({ plan: "paid", user: Account.nonProfessional("realTime") }))
  const visits: Array<Visit> = []
  const watched = Layer.effect(
    Sandbox.Sandbox,
    Effect.map(Sandbox.Sandbox, (sandbox) =>
      Sandbox.Sandbox.of({
        ...sandbox,
        handle: (request) =>
          Effect.suspend(() => {
            const visit: Visit = { at: Date.now(), address: request.address, target: request.target }
            visits.push(visit)
            return Effect.tap(sandbox.handle(request), ({ status }) =>
              Effect.sync(() => {
                visit.status = status
              }))
          })
      }))
  ).pipe(Layer.provide(Sandbox.layer({ seed: 1, accounts: [account], latency, mostInFlight: 1e6 })))
  const built = yield* Layer.build(Layer.provideMerge(SandboxServer.layer(), watched))
  const { billed } = yield* Effect.provide(Sandbox.Sandbox, built)
  const { baseUrl } = yield* Effect.provide(SandboxServer.SandboxServer, built)
  return { baseUrl, token, billed, visits }
})

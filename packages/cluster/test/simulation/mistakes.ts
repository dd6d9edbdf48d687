/** Mistakes that a gateway could make, and the rules of which one is then broken. */
import { Claim, CreditLedger, IpGuard, MarketData } from "@effect-marketdata/client"
import * as SqlIpGuard from "@effect-marketdata/sql/SqlIpGuard"
import { Effect, Layer } from "effect"
import * as Programs from "./programs.ts"

const addresses = ["no address sends again within five minutes of another one", "the service blocks no address"]

export const mistakes: ReadonlyArray<{
  readonly mistake: string
  readonly rules: ReadonlyArray<string>
  /** A seed that shows it soon. */
  readonly seed: number
  readonly parts: Partial<Programs.Parts>
}> = [
  {
    mistake: "lets each runner keep the rule of addresses in its own memory",
    rules: addresses,
    seed: 12,
    parts: { guard: () => IpGuard.layerMemory() }
  },
  {
    mistake: "asks the guard of another address than its own",
    rules: addresses,
    seed: 21,
    parts: {
      guard: (_, askedBy) =>
        SqlIpGuard.layer({ account: Programs.account, address: "office", askedBy, lease: "5 seconds" })
    }
  },
  {
    mistake: "takes the clock of its machine for that of the database",
    rules: [...addresses, "no reservation is left"],
    seed: 5,
    parts: { dialect: "sqlite" }
  },
  {
    mistake: "goes on sending when its lease is over, past the ledger's fence",
    rules: addresses,
    seed: 5,
    parts: {
      guard: (address, askedBy) =>
        Layer.effect(
          IpGuard.IpGuard,
          Effect.map(SqlIpGuard.make({ account: Programs.account, address, askedBy, lease: "5 seconds" }), (guard) => {
            let first: IpGuard.Admission | undefined
            const admit = Effect.tap(guard.admit, (admission) =>
              Effect.sync(() => {
                if (admission._tag === "Send") first = { ...admission, fence: undefined }
              }))
            return { admit: Effect.suspend(() => first === undefined ? admit : Effect.succeed(first)) }
          })
        )
    }
  },
  {
    mistake: "sends without a claim",
    rules: ["no call is sent twice"],
    seed: 6,
    parts: {
      client: (config) =>
        Layer.effect(
          MarketData.MarketData,
          Effect.map(MarketData.make(config), ({ run }) =>
            MarketData.MarketData.of({
              run: (query) => Effect.provideService(run(query), Claim.Current, undefined)
            }))
        )
    }
  },
  {
    mistake: "keeps the ledger in the memory of the runner",
    rules: ["what was billed is charged or named as uncertain, and nothing else", "no call is sent twice"],
    seed: 6,
    parts: { ledger: () => CreditLedger.layerMemory({ allowance: 10_000 }) }
  },
  {
    mistake: "keeps the budgets of callers in the memory of the runner",
    rules: ["no caller spends beyond its budget"],
    seed: 10,
    parts: { budget: (allowance) => CreditLedger.layerMemory({ allowance }) }
  }
]

/** `marketdata contract`: asks a service, clause by clause, whether it keeps the contract, within a budget of credits. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { defaultTo } from "../text/defaultTo.ts"
import * as Effect from "effect/Effect"
import { credits } from "../asking/flags.ts"

const flags = {
  baseUrl: Flag.String("base-url").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription("Where the service is; where it is left out, the setting `baseUrl`, else an embedded sandbox"),
    Flag.optional
  ),
  budget: credits("budget").pipe(
    Flag.withDescription("The credits that may be spent; without it only the price is told"),
    Flag.optional
  ),
  clauses: Flag.String("clause").pipe(
    Flag.withMetavar("ID"),
    Flag.withDescription("A clause to ask about, such as 2.1-mid, as often as wanted; all of them without it"),
    Flag.atLeast(0)
  ),
  profile: Flag.Literals("profile", ["contract", "public"]).pipe(
    defaultTo("By whose reading to judge where the contract and the public service differ", "contract")
  ),
  underlying: Flag.String("underlying").pipe(
    defaultTo("Whose chain is asked for: one with no more than a few thousand contracts", "MSFT")
  ),
  tickers: Flag.String("tickers").pipe(
    Flag.withMetavar("A,B"),
    defaultTo("Two stocks whose quotes and candles are asked for", "MSFT,F")
  ),
  demo: Flag.String("demo").pipe(
    Flag.withMetavar("TICKER"),
    Flag.withDescription("The ticker that is open without a token; AAPL is tried where none is named"),
    Flag.optional
  )
}

/** What these flags give. */
export type Input = Command.Command.Config.Infer<typeof flags>

/** The command. */
export const command = Command.make(
  "contract",
  flags,
  Effect.fnUntraced(function*(input) {
    const { judge } = yield* Effect.promise(() => import("../jobs/contract.ts"))
    yield* judge(input)
  })
).pipe(
  Command.withDescription(
    "Ask a service, clause by clause, whether it keeps the contract. Exits with 0 where something holds and nothing is broken, with 1 where a " +
      "clause is broken, and with 9 where there is no verdict: nobody answers, the token is not accepted, nothing is shown to hold"
  ),
  Command.withExamples([
    { command: "marketdata contract", description: "What asking about every clause would cost" },
    {
      command: "marketdata contract --budget 47",
      description: "Ask the service of the settings, or an embedded sandbox"
    },
    { command: "marketdata contract --budget 3 --clause 2.1-mid --clause 7.1-404", description: "Two clauses only" }
  ])
)

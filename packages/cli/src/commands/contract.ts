/** `marketdata contract`: asks a service, clause by clause, whether it keeps the contract, within a budget of credits. */
import { CreditLedger, MarketDataConfig } from "@effect-marketdata/client"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { Problem } from "@effect-marketdata/core"
import { Sandbox, SandboxServer } from "@effect-marketdata/sandbox"
import { Contract } from "@effect-marketdata/testing"
import { Config, Context, Effect, Layer, Redacted } from "effect"
import * as Flag from "effect/cli/Flag"
import { sayWhatWasSpent } from "../call/ask.ts"
import { command } from "../call/command.ts"
import * as Http from "../call/http.ts"
import * as Kept from "../call/kept.ts"
import * as Ledger from "../call/ledger.ts"
import * as Failure from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import { Output } from "../output/output.ts"
import { normalAddress, variable } from "../settings/settings.ts"
import * as TokenStore from "../settings/tokenStore.ts"
import * as Flags from "../text/flags.ts"
import * as Words from "../text/words.ts"

const flags = {
  baseUrl: Flags.text("base-url", "URL")(
    "Where the service is; by default the setting `baseUrl`, else an embedded sandbox"
  ),
  budget: Flags.credits("budget")("The credits that may be spent; without it only the price is told"),
  clauses: Flags.texts("clause", "ID")(
    "A clause to ask about, such as 2.1-mid, as often as wanted; all of them without it"
  ),
  profile: Flags.usually(Flag.Literals("profile", ["contract", "public"]), "contract")(
    "By whose reading to judge where the contract and the public service differ"
  ),
  underlying: Flags.usually(Flag.String("underlying"), "MSFT")(
    "Whose chain is asked for: one with no more than a few thousand contracts"
  ),
  tickers: Flags.usually(Flag.withMetavar(Flag.String("tickers"), "A,B"), "MSFT,F")(
    "Two stocks whose quotes and candles are asked for"
  ),
  demo: Flags.text("demo", "TICKER")("The ticker that is open without a token; AAPL is tried where none is named")
}

type Input = Flags.Given<typeof flags>

const refused = (message: string): Failure.CommandError => Failure.wrong("ContractError", message)

const noToken = refused("MARKETDATA_TOKEN must be the token of a paid account. Nothing was sent.")

/** The token for a service that the settings do not name. */
const tokenFor = Effect.fnUntraced(function*(baseUrl: string) {
  const set = yield* variable("MARKETDATA_TOKEN")
  if (set !== undefined) return Redacted.make(set)
  return (yield* TokenStore.readFor(Effect.succeed(normalAddress(baseUrl))))?.token
})

/** The service that was named, or a sandbox of our own, which lives as long as the scope. */
const serviceOf = Effect.fnUntraced(function*({ baseUrl, profile }: Input) {
  const named = baseUrl ?? (yield* Config.withDefault(Config.String("MARKETDATA_BASE_URL"), undefined))
  const token = baseUrl === undefined
    ? yield* Config.withDefault(Config.Redacted("MARKETDATA_TOKEN"), undefined)
    : yield* tokenFor(baseUrl)
  if (token !== undefined) return { baseUrl: named ?? MarketDataConfig.publicBaseUrl, token, embedded: false }
  if (named !== undefined) return yield* noToken
  const sandbox = yield* Layer.build(Layer.provide(SandboxServer.layer(), Sandbox.layer({ profile })))
  const { baseUrl: own } = Context.get(sandbox, SandboxServer.SandboxServer)
  return { baseUrl: own, token: Redacted.make("sandbox-paid"), embedded: true }
})

/** Asks within the ledger of all commands, as one query: its bound is reserved before it begins, and the rest is released at the end. */
const counted = Effect.fnUntraced(function*(options: Contract.Options, most: number, embedded: boolean) {
  const service = { baseUrl: options.baseUrl, embedded }
  const ledger = yield* Effect.provide(Ledger.make(service, Infinity), Kept.Troubles.layer)
  const refused = (reason: MarketDataError["reason"]) =>
    Failure.of(new MarketDataError({ query: "contract", reason, trace: [] }))
  const taken = yield* Effect.mapError(ledger.reserve(most), refused)
  return yield* Effect.mapError(taken.send(most, 1), refused).pipe(
    // `Contract.run` fails only before it sends anything, so nothing is charged then.
    Effect.andThen(Effect.tapError(Contract.run(options), () => taken.charge({ credits: 0 }, 1))),
    Effect.tap(({ spent, uncertain }) => taken.charge({ credits: spent, uncertain }, 1)),
    Effect.ensuring(taken.settle),
    Effect.onInterrupt(() => sayWhatWasSpent),
    Effect.provideService(CreditLedger.CreditLedger, ledger)
  )
})

const tickersOf = Effect.fnUntraced(function*(text: string) {
  const [first = "", second = "", ...others] = text.split(",")
  if (others.length === 0) return [first, second] as const
  const problem = { rule: "must be two stocks", example: "MSFT,F" }
  return yield* refused(`${Problem.format(`--tickers ${Problem.shown(text)}`, problem)} Nothing was sent.`)
})

const priceOf = ({ clauses, credits, over, requests }: Contract.Price): string => {
  const left = over.length === 0 ? "" : `; ${over.length} more are over the budget`
  const price = `by ${Words.count(requests, "request")}, for ${Words.count(credits, "credit")} at most`
  return `${Words.count(clauses.length, "clause")}, ${price}${left}`
}

/** Why a clause has its verdict, where there is more to say than the verdict. */
const detailOf = ({ verdict }: Contract.Line): string =>
  verdict._tag === "Broken" ? verdict.evidence : "why" in verdict ? verdict.why ?? "" : ""

const rowsOf = ({ lines }: Contract.Report): Document.Rows => {
  const cells = lines.map((line) => [line.clause, line.verdict._tag, line.question ?? null, detailOf(line)])
  return Document.rows(["clause", "verdict", "question", "detail"], cells)
}

/** The failure that a report ends the command with, where it is not a success. */
const failureOf = (report: Contract.Report): Failure.CommandError | undefined => {
  if (report.outcome === "Passed") return undefined
  if (report.outcome === "Inconclusive") {
    const message = `there is no verdict: ${Contract.whyInconclusive(report) ?? ""}`
    return new Failure.CommandError({ class: "noVerdict", reason: "NoVerdict", message })
  }
  const broken = Contract.withVerdict(report, "Broken").map(({ clause }) => clause)
  const isOne = broken.length === 1
  const message = `the service breaks ${isOne ? "the clause" : "the clauses"} ${broken.join(", ")}`
  return Failure.failed("ContractBroken", message, undefined, { clause: isOne ? broken[0] : undefined })
}

/** Tells the price and, where there is a budget, asks and judges. */
export const contract = command({
  examples: [
    ["", "What asking about every clause would cost"],
    ["--budget 52", "Ask the service of the settings, or an embedded sandbox"],
    ["--budget 3 --clause 2.1-mid --clause 7.1-404", "Two clauses only"]
  ],
  flags,
  run: Effect.fnUntraced(
    function*(input) {
      const { say } = yield* Output
      const { budget = Infinity, clauses, profile, underlying } = input
      const extent = { budget, ...clauses.length > 0 && { clauses } }
      const price = yield* Effect.fromResult(Contract.price(extent))
      if (input.budget === undefined) {
        const { clauses, credits, requests } = price
        const rows = Document.rows(["clauses", "requests", "credits"], [[clauses.length, requests, credits]])
        yield* Document.print({ json: { price }, rows, lines: [priceOf(price)] })
        return yield* say([`nothing was sent: to ask, add --budget ${price.credits}`])
      }
      yield* say([priceOf(price)])
      const tickers = yield* tickersOf(input.tickers)
      const { embedded, ...service } = yield* serviceOf(input)
      const options = { ...extent, ...service, profile, underlying, tickers, demo: input.demo }
      const report = yield* counted(options, price.credits, embedded)
      yield* Document.print({ json: { report }, rows: rowsOf(report), lines: Contract.format(report).split("\n") })
      const failure = failureOf(report)
      if (failure !== undefined) return yield* failure
    },
    Effect.catchTag("ContractError", ({ message }) => Effect.fail(refused(message))),
    Effect.provide(Http.layer),
    Effect.scoped
  )
})

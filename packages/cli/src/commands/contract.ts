/**
 * `marketdata contract`: asks a service, clause by clause, whether it keeps the contract, within a budget of credits.
 *
 * @since 0.1.0
 */
import * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Contract from "@effect-marketdata/testing/Contract"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"

const flags = {
  baseUrl: Flag.String("base-url").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription("Where the service is; MARKETDATA_BASE_URL where it is left out"),
    Flag.optional
  ),
  budget: Flag.Int("budget").pipe(
    Flag.withMetavar("CREDITS"),
    Flag.withDescription("The credits that may be spent; without it only the price is told"),
    Flag.filter(
      (budget) => budget >= 0,
      (budget) => Problem.format(`${budget}`, { rule: "must be 0 or more credits", example: "60" })
    ),
    Flag.optional
  ),
  clauses: Flag.String("clause").pipe(
    Flag.withMetavar("ID"),
    Flag.withDescription("A clause to ask about, such as 2.1-mid, as often as wanted; all of them without it"),
    Flag.atLeast(0)
  ),
  profile: Flag.Literals("profile", ["contract", "public"]).pipe(
    Flag.withDescription("By whose reading to judge where the contract and the public service differ"),
    Flag.withDefault("contract")
  ),
  underlying: Flag.String("underlying").pipe(
    Flag.withDescription("Whose chain is asked for: one with no more than a few thousand contracts"),
    Flag.withDefault("MSFT")
  ),
  tickers: Flag.String("tickers").pipe(
    Flag.withMetavar("A,B"),
    Flag.withDescription("Two stocks whose quotes and candles are asked for"),
    Flag.withDefault("MSFT,F")
  ),
  demo: Flag.String("demo").pipe(
    Flag.withMetavar("TICKER"),
    Flag.withDescription("The ticker that is open without a token; AAPL is tried where none is named"),
    Flag.optional
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print the whole report as JSON"), Flag.withDefault(false))
}

type Input = Command.Command.Config.Infer<typeof flags>

/**
 * Says that the service does not keep the contract, and in which clauses. The program exits with 1.
 *
 * @category errors
 * @since 0.1.0
 */
export class ContractBroken extends Data.TaggedError("ContractBroken")<{ readonly clauses: ReadonlyArray<string> }> {
  override get message(): string {
    return `the service breaks ${this.clauses.length === 1 ? "the clause" : "the clauses"} ${this.clauses.join(", ")}`
  }
}

/**
 * Says why there is no verdict: nobody answered, the token was not accepted, or nothing was shown to hold. The program exits with 2.
 *
 * @category errors
 * @since 0.1.0
 */
export class NoVerdict extends Data.TaggedError("NoVerdict")<{ readonly why: string }> {
  override readonly [Runtime.errorExitCode] = 2
  override get message(): string {
    return `there is no verdict: ${this.why}`
  }
}

/** The service that was named, or a sandbox of our own, which lives as long as the scope. */
const serviceOf = Effect.fnUntraced(function*({ baseUrl, profile }: Input) {
  const token = yield* Config.option(Config.Redacted("MARKETDATA_TOKEN"))
  const named = Option.isSome(baseUrl) ? baseUrl : yield* Config.option(Config.String("MARKETDATA_BASE_URL"))
  if (Option.isSome(token)) {
    return { baseUrl: Option.getOrElse(named, () => MarketDataConfig.publicBaseUrl), token: token.value }
  }
  if (Option.isSome(named)) {
    return yield* new Contract.ContractError({
      message: "MARKETDATA_TOKEN must be the token of a paid account. Nothing was sent."
    })
  }
  const sandbox = yield* Layer.build(Layer.provide(SandboxServer.layer(), Sandbox.layer({ profile })))
  return { baseUrl: Context.get(sandbox, SandboxServer.SandboxServer).baseUrl, token: Redacted.make("sandbox-paid") }
})

const priceOf = ({ clauses, credits, over, requests }: Contract.Price): string => {
  const left = over.length === 0 ? "" : `; ${over.length} more are over the budget`
  return `${count(clauses.length, "clause")}, by ${count(requests, "request")}, for ${
    count(credits, "credit")
  } at most${left}`
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`

const ask = Effect.fnUntraced(function*(input: Input) {
  const extent = {
    budget: Option.getOrElse(input.budget, () => Infinity),
    ...(input.clauses.length === 0 ? {} : { clauses: input.clauses })
  }
  const print = input.json ? Console.error : Console.log
  const price = yield* Effect.fromResult(Contract.price(extent))
  yield* print(priceOf(price))
  if (Option.isNone(input.budget)) {
    return yield* print(`nothing was sent: to ask, add --budget ${price.credits}`)
  }
  const { baseUrl, token } = yield* serviceOf(input)
  const [first = "", second = "", ...others] = input.tickers.split(",")
  if (others.length > 0) {
    return yield* new Contract.ContractError({
      message: `${
        Problem.format(`--tickers ${Problem.shown(input.tickers)}`, { rule: "must be two stocks", example: "MSFT,F" })
      } Nothing was sent.`
    })
  }
  const report = yield* Contract.run({
    ...extent,
    baseUrl,
    token,
    profile: input.profile,
    underlying: input.underlying,
    tickers: [first, second],
    demo: Option.getOrUndefined(input.demo)
  })
  yield* Console.log(input.json ? JSON.stringify(report, undefined, 2) : Contract.format(report))
  switch (report.outcome) {
    case "Passed":
      return
    case "Failed":
      return yield* new ContractBroken({
        clauses: Contract.withVerdict(report, "Broken").map(({ clause }) => clause)
      })
    case "Inconclusive":
      return yield* new NoVerdict({ why: Contract.whyInconclusive(report) ?? "" })
  }
})

/** Where nothing could be asked there is no verdict either. */
const withoutVerdict = ({ message }: Contract.ContractError): NoVerdict => new NoVerdict({ why: message })

/**
 * The command. It exits with 0 where something holds and nothing is broken, with 1 where a clause is broken, and with 2 where there is no
 * verdict.
 *
 * @category constructors
 * @since 0.1.0
 */
export const command = Command.make(
  "contract",
  flags,
  (input) =>
    ask(input).pipe(
      Effect.catchTag("ContractError", (error) => Effect.fail(withoutVerdict(error))),
      Effect.provide(FetchHttpClient.layer),
      Effect.scoped
    )
).pipe(
  Command.withDescription(
    "Ask a service, clause by clause, whether it keeps the contract. Exits with 0 where nothing is broken, with 1 where a clause is, and " +
      "with 2 where there is no verdict: nobody answers, the token is not accepted, nothing is shown to hold"
  ),
  Command.withExamples([
    { command: "marketdata contract", description: "What that would cost" },
    {
      command: "marketdata contract --base-url https://proxy.example.com/md --budget 47",
      description: "Ask a proxy, with the token of MARKETDATA_TOKEN"
    },
    { command: "marketdata contract --budget 3 --clause 2.1-mid --clause 7.1-404", description: "Two clauses only" }
  ])
)

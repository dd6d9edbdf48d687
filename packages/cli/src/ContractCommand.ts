/**
 * `marketdata contract`: asks a service, clause by clause, whether it keeps the contract, within a budget of credits.
 *
 * @since 0.1.0
 */
import * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
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

const flags = {
  baseUrl: Flag.String("base-url").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription("Where the service is; MARKETDATA_BASE_URL where it is left out"),
    Flag.optional
  ),
  budget: Flag.Int("budget").pipe(
    Flag.withMetavar("CREDITS"),
    Flag.withDescription("The credits that may be spent; without it only the price is told"),
    Flag.filter((budget) => budget >= 0, (budget) => `${budget} is no budget: write 0 or more`),
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
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print the whole report as JSON"), Flag.withDefault(false))
}

type Input = Command.Command.Config.Infer<typeof flags>

/**
 * Says that the service does not keep the contract, and in which clauses.
 *
 * @category errors
 * @since 0.1.0
 */
export class ContractBroken extends Data.TaggedError("ContractBroken")<{ readonly clauses: ReadonlyArray<string> }> {
  override get message(): string {
    return `the service breaks ${this.clauses.length === 1 ? "the clause" : "the clauses"} ${this.clauses.join(", ")}`
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
    return yield* new Contract.ContractError({ message: "set MARKETDATA_TOKEN to the token of a paid account" })
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
  const price = Contract.price(extent)
  yield* print(priceOf(price))
  if (Option.isNone(input.budget)) {
    return yield* print(`nothing was sent: to ask, add --budget ${price.credits}`)
  }
  const { baseUrl, token } = yield* serviceOf(input)
  const report = yield* Contract.run({
    ...extent,
    baseUrl,
    token,
    profile: input.profile,
    underlying: input.underlying
  })
  yield* Console.log(input.json ? JSON.stringify(report, undefined, 2) : Contract.format(report))
  const broken = Contract.withVerdict(report, "Broken").map(({ clause }) => clause)
  if (broken.length > 0) return yield* new ContractBroken({ clauses: broken })
})

/**
 * The command; it fails where a clause is broken.
 *
 * @category commands
 * @since 0.1.0
 */
export const command = Command.make(
  "contract",
  flags,
  (input) => Effect.scoped(Effect.provide(ask(input), FetchHttpClient.layer))
).pipe(
  Command.withDescription("Ask a service, clause by clause, whether it keeps the contract"),
  Command.withExamples([
    { command: "marketdata contract", description: "What that would cost" },
    {
      command: "marketdata contract --base-url https://proxy.example.com/md --budget 48",
      description: "Ask a proxy, with the token of MARKETDATA_TOKEN"
    },
    { command: "marketdata contract --budget 3 --clause 2.1-mid --clause 7.1-404", description: "Two clauses only" }
  ])
)

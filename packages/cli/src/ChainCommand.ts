/**
 * `marketdata chain SYMBOL`: one option chain, priced before it is asked for and accounted for afterwards.
 *
 * @since 0.1.0
 */
import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import type { Problem } from "@effect-marketdata/core/Problem"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Terminal from "effect/Terminal"
import * as ChainReport from "./ChainReport.ts"
import * as ChainTable from "./ChainTable.ts"
import * as Connection from "./Connection.ts"
import * as SavedReply from "./SavedReply.ts"

const flags = {
  mode: Flag.Literals("mode", ["live", "cached", "delayed"]).pipe(
    Flag.withDescription("Which data to ask for; the account's plan decides where it is left out"),
    Flag.optional
  ),
  maxAge: Flag.String("max-age").pipe(
    Flag.withDescription("How old cached data may be, such as 5min or 1h; only with --mode cached"),
    Flag.optional
  ),
  fallbackUpTo: Flag.Int("fallback-up-to").pipe(
    Flag.withMetavar("CREDITS"),
    Flag.withDescription(
      "After a cached miss ask for live data, if it costs at most this many credits; only with --mode cached"
    ),
    Flag.optional
  ),
  contracts: Flag.Int("contracts").pipe(
    Flag.withDescription("How many contracts you expect at most; it bounds the price of live data"),
    Flag.optional
  ),
  budget: Flag.Int("budget").pipe(
    Flag.withMetavar("CREDITS"),
    Flag.withDescription("Refuse to send what may cost more than this"),
    Flag.optional
  ),
  expiration: Flag.String("expiration").pipe(
    Flag.withDescription("One expiration as YYYY-MM-DD, or all"),
    Flag.optional
  ),
  side: Flag.Literals("side", ["call", "put"]).pipe(Flag.withDescription("Calls or puts only"), Flag.optional),
  date: Flag.String("date").pipe(
    Flag.withDescription("The end-of-day chain of a past trading day, as YYYY-MM-DD"),
    Flag.optional
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The market of the embedded sandbox; another seed, other prices"),
    Flag.withDefault(1)
  ),
  plan: Flag.Literals("plan", ["paid", "trial", "free"]).pipe(
    Flag.withDescription("The plan of the embedded sandbox's account"),
    Flag.withDefault("paid")
  ),
  from: Flag.String("from").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Show a reply saved from the service instead of asking for one; - reads standard input"),
    Flag.optional
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print the whole answer as JSON"), Flag.withDefault(false)),
  verbose: Flag.Boolean("verbose").pipe(
    Flag.withAlias("v"),
    Flag.withDescription("Show each request line that was sent, and every finding"),
    Flag.withDefault(false)
  )
}

const symbol = Argument.String("symbol").pipe(
  Argument.withDescription("The underlying, such as SPX; with --from it may be left out"),
  Argument.optional
)

type Input = Command.Command.Config.Infer<typeof flags> & { readonly symbol: Option.Option<string> }

const refuse = (parameter: string, value: unknown, problem: Problem) =>
  Effect.fail(new MarketDataError({ query: "chain", reason: InvalidQuery.of(parameter, value, problem), trace: [] }))

/** Reads the flags that make up a mode; some only have a meaning together. */
const modeOf = Effect.fnUntraced(function*(
  { fallbackUpTo, maxAge, mode }: Input
): Effect.fn.Return<DataMode.DataMode | undefined, MarketDataError<InvalidQuery>> {
  if (Option.isSome(mode) && mode.value === "cached") {
    const options = {
      maxAge: Option.isNone(maxAge)
        ? undefined
        : yield* Effect.catch(
          Effect.fromResult(MaxAge.parse(maxAge.value)),
          (error) => refuse("--max-age", error.input, error)
        )
    }
    return Option.isSome(fallbackUpTo) ? DataMode.cachedOrLive(options) : DataMode.cached(options)
  }
  if (Option.isSome(maxAge)) {
    return yield* refuse("--max-age", maxAge.value, {
      rule: "is for cached data only",
      example: `--mode cached --max-age ${maxAge.value}`
    })
  }
  if (Option.isSome(fallbackUpTo)) {
    return yield* refuse("--fallback-up-to", fallbackUpTo.value, {
      rule: "is for cached data only",
      example: `--mode cached --fallback-up-to ${fallbackUpTo.value}`
    })
  }
  return Option.isSome(mode) ? DataMode.fromParameter(mode.value) : undefined
})

const queryOf = Effect.fnUntraced(function*(input: Input) {
  if (Option.isNone(input.symbol)) {
    return yield* refuse("SYMBOL", "", { rule: "must be an underlying", example: "marketdata chain SPX" })
  }
  const mode = yield* modeOf(input)
  return yield* Effect.mapError(
    Effect.fromResult(Query.optionChain(input.symbol.value, {
      mode,
      date: Option.getOrUndefined(input.date),
      expiration: Option.getOrUndefined(input.expiration),
      side: Option.getOrUndefined(input.side),
      assume: { contracts: Option.getOrUndefined(input.contracts) }
    })),
    (reason) => new MarketDataError({ query: "chain", reason, trace: [] })
  )
})

/** A pipe has no size; it gets the table of a common terminal. */
const terminalSize = Effect.gen(function*() {
  const terminal = yield* Terminal.Terminal
  return { columns: (yield* terminal.columns) || 100, rows: (yield* terminal.rows) || 30 }
})

/** Asks the service, in an order that a reader can follow: the price first, then the data, then what it came to. */
const ask = Effect.fnUntraced(function*(input: Input) {
  const query = yield* queryOf(input)
  const print = input.json ? Console.error : Console.log
  const connection = yield* Connection.Connection
  yield* print(connection.description)
  yield* print(ChainReport.line("estimate", Credits.format(Credits.estimate(query))))
  const answer = yield* MarketData.run(query).pipe(
    Effect.tapError((error) => input.verbose ? print(ChainReport.trace(error.trace)) : Effect.void)
  )
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  if (input.json) return yield* Console.log(ChainReport.json(answer, now))
  yield* print(ChainTable.format(answer.data, yield* terminalSize))
  yield* print(ChainReport.account(answer, now))
  yield* print(ChainReport.findings(answer.findings, input.verbose))
  if (input.verbose) yield* print(ChainReport.trace(answer.trace))
})

/** Shows a saved reply: no service, no price, the same table and every finding. */
const show = Effect.fnUntraced(function*(input: Input, file: string) {
  const chain = yield* SavedReply.read(file)
  if (input.json) return yield* Console.log(ChainReport.savedJson(chain))
  yield* Console.log(ChainTable.format(chain, yield* terminalSize))
  yield* Console.log(ChainReport.findings(chain.findings, true))
})

/**
 * The command.
 *
 * @category constructors
 * @since 0.1.0
 */
export const command = Command.make(
  "chain",
  { symbol, ...flags },
  Effect.fnUntraced(function*(input) {
    if (Option.isSome(input.from)) return yield* show(input, input.from.value)
    return yield* Effect.provide(
      ask(input),
      Connection.layer({ seed: input.seed, plan: input.plan }).pipe(
        Layer.provide(Option.match(input.budget, {
          onNone: () => CreditLedger.layerUnlimited,
          onSome: (allowance) => CreditLedger.layerMemory({ allowance })
        })),
        Layer.merge(CacheFallback.layerUpTo(Option.getOrElse(input.fallbackUpTo, () => 0)))
      )
    )
  })
).pipe(
  Command.withDescription("Fetch an option chain and account for its credits"),
  Command.withExamples([
    {
      command: "marketdata chain SPX --expiration all --mode cached",
      description: "The whole chain, for one credit"
    },
    {
      command: "marketdata chain AAPL --mode live --contracts 3000 --budget 5000",
      description: "Live data within a budget"
    },
    { command: "marketdata chain --from reply.json", description: "Show a saved reply" }
  ])
)

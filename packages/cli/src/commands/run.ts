/** `marketdata run PLAN -o DIR`: asks what a plan of past days prices, each query once, and keeps the tables in a folder. */
import { CacheFallback, CreditLedger } from "@effect-marketdata/client"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { NewYork } from "@effect-marketdata/core"
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { ConfigProvider, Deferred, Effect, Fiber, FileSystem, Layer, Option, Path, Result } from "effect"
import { randomUUID } from "node:crypto"
import { sayWhatWasSpent } from "../asking/ask.ts"
import * as Cache from "../asking/cache.ts"
import { command } from "../asking/command.ts"
import * as Connection from "../asking/connection.ts"
import { consent } from "../asking/consent.ts"
import * as Asking from "../asking/flags.ts"
import * as Kept from "../asking/kept.ts"
import * as Ledger from "../asking/ledger.ts"
import * as Sizes from "../asking/sizes.ts"
import * as Failure from "../failure/failure.ts"
import { Output } from "../output/output.ts"
import * as Person from "../output/person.ts"
import * as Priced from "../plans/priced.ts"
import * as Days from "../runs/days.ts"
import * as Folder from "../runs/folder.ts"
import * as Keeping from "../runs/keeping.ts"
import * as Summary from "../runs/summary.ts"
import * as Place from "../settings/place.ts"
import { variableOf } from "../settings/settings.ts"
import * as Flags from "../text/flags.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import { asking } from "./asking.ts"

const flags = {
  file: Argument.String("file").pipe(
    Argument.withDescription("A plan of past days, as `marketdata plan` prices it; - reads standard input")
  ),
  output: Flags.required(
    "output",
    "DIR",
    "The folder of the tables and of their manifest; what is there already is not asked again"
  ).pipe(Flag.withAlias("o")),
  dryRun: Flags.isOn("dry-run", "Say what is there, what would be asked and what it may cost, and send nothing"),
  budget: Flags.credits("budget", "The most credits that this run may cost, retries included"),
  yes: Flags.yes("Send it whatever it costs"),
  wait: Flags.isOn("wait", "Wait until an allowance that is used up renews; --no-wait ends there", true),
  again: Flags.oneOf(
    "again",
    ["lost", "empty"],
    "Ask again for answers that were lost, and pay again; or where there were no data"
  ),
  files: Flag.Literals("files", Folder.formats).pipe(Flags.defaultTo("The format of the tables", "parquet")),
  ...Asking.sandbox
}

type Input = Command.Command.Config.Infer<typeof flags>

/** How many days are asked at once: each holds a whole chain in memory. */
const atOnce = 4

/** How long what is under way has to come back after Ctrl-C; the program ends by itself soon after. */
const mostAfterStop = "3 seconds"

/** The least time that is waited for credits, in seconds. */
const leastWait = 10

/** Waits until a time by the clock that can be set, which may be set meanwhile. */
const until = (time: number): Effect.Effect<void> =>
  Effect.flatMap(
    Words.epochSeconds,
    (now) => now >= time ? Effect.void : Effect.andThen(Effect.sleep(Math.min(60, time - now) * 1000), until(time))
  )

/** The most that a query may cost that an allowance refused. */
const boundOf = ({ reason }: MarketDataError): number =>
  reason._tag === "CreditBudgetExceeded" ? reason.bound ?? Infinity : 0

/** Asks for the days that are open. Gives what became of them, and the failure that ended it before its end. */
const ask = Effect.fnUntraced(function*(held: Folder.Held, { manifest, open }: Folder.Standing, at: Running) {
  const { canAnimate, isJson, note } = yield* Output
  const { description } = yield* Connection.Connection
  if (!isJson) yield* note([description, Report.line("estimate", Summary.price(open))])
  const done: Array<Folder.Entry> = []
  const stopped = yield* Deferred.make<void>()
  const seen: { failure?: Failure.CommandError; waiting?: string } = {}
  const wait: Keeping.Work["wait"] = Effect.fnUntraced(function*(error, renews) {
    if (!at.input.wait || boundOf(error) > at.allowance) return yield* error
    const line = `until ${NewYork.format(renews)}; the same command goes on after Ctrl-C`
    if (seen.waiting !== line && !isJson && !canAnimate) yield* note([Report.line("waiting", line)])
    seen.waiting = line
    // The clock of the service may be another one.
    const time = Math.max(renews, leastWait + (yield* Words.epochSeconds))
    yield* Effect.raceFirst(until(time), Effect.andThen(Deferred.await(stopped), error))
    delete seen.waiting
  })
  const work = { ...held, root: at.root, again: at.again, run: randomUUID(), entries: manifest.entries, wait }
  const one = Effect.fnUntraced(function*(day: Days.Day) {
    if (seen.failure !== undefined || (yield* Deferred.isDone(stopped))) return
    const kept = yield* Effect.result(Keeping.keep(day, work))
    if (Result.isSuccess(kept)) done.push(kept.success)
    else seen.failure ??= Failure.of(kept.failure)
  })
  const running = yield* Effect.forkScoped(Effect.forEach(open, one, { concurrency: atOnce, discard: true }))
  // What is under way is paid for: at Ctrl-C it has a while to come back.
  const ended = Effect.onInterrupt(Fiber.join(running), () =>
    Deferred.succeed(stopped, undefined).pipe(
      Effect.andThen(Effect.raceFirst(Effect.interruptible(Fiber.await(running)), Effect.sleep(mostAfterStop))),
      Effect.andThen(Fiber.interrupt(running))
    ))
  yield* Person.beside(
    ended,
    (passed) =>
      Effect.map(Ledger.balance, ({ charged }) => Summary.progress(done, open.length, { charged, passed, ...seen }))
  )
  const { charged, uncertain } = yield* Ledger.balance
  return { done, failure: seen.failure, spent: { charged, uncertain } }
})

type Service = Connection.Connection["Service"]["service"]

/** Where and how a plan runs. */
interface Running {
  readonly root: string
  readonly head: Folder.About
  readonly input: Input
  readonly again: Folder.Again
  readonly allowance: number
}

/** Asks for what is open, once its price is allowed. Every step is taken in the claims of the folder as well. */
const pay = Effect.fnUntraced(function*(standing: Folder.Standing, at: Running, service: Service) {
  const [first, ...others] = standing.open
  if (first === undefined || at.input.dryRun) return { done: [], failure: undefined, spent: undefined }
  const priced = {
    name: `the plan (${Words.count(standing.open.length, "query", "queries")})`,
    queries: [first.query, ...others.map(({ query }) => query)] as const,
    estimates: standing.open.map(({ estimate }) => estimate)
  }
  const most = yield* consent(priced, { ...at.input, fallbackUpTo: 0 }, false, Ledger.left(service))
  const held = yield* Folder.hold(at.root, standing, at.head)
  const claiming = Effect.map(CreditLedger.CreditLedger, (own) => CreditLedger.both(own, held.claims))
  return yield* Effect.onInterrupt(ask(held, standing, at), () => sayWhatWasSpent).pipe(Effect.provide(
    Connection.client.pipe(
      Layer.provide([Cache.layer(false), Sizes.layer({ ...service, isReadOnly: false })]),
      Layer.provideMerge(Layer.provide(Layer.effect(CreditLedger.CreditLedger, claiming), Ledger.layer(most))),
      Layer.provideMerge(Connection.layer(at.input)),
      Layer.provideMerge(Kept.Troubles.layer),
      Layer.merge(CacheFallback.layerUpTo(0))
    )
  ))
}, Effect.scoped)

/** Runs a plan. */
export const run = command({
  help:
    "Ask for what a plan of past days costs, each query once, and keep the tables in a folder: whole files such as chain/underlying=SPX/date=2026-11-20/part.parquet, and manifest.jsonl, which says what became of each query and what it cost. Stop it at any time: the same command goes on where it stood, and pays for nothing twice",
  examples: [
    [
      "echo \"[{ chain: AAPL, date: 2026-11-18..2026-11-19, contracts: 3000 }]\" | marketdata run - -o chains",
      "Two days of a chain, as Parquet"
    ],
    [
      "echo \"[{ chain: [AAPL, SPY], date: 2026-11-02..today, contracts: 9000 }]\" | marketdata run - -o chains --dry-run",
      "What is there already, what would be asked, and what it may cost"
    ],
    [
      "echo \"[{ stock candles: [AAPL, MSFT], from: 2026-11-02, to: 2026-11-13 }]\" | marketdata run - -o candles --files csv",
      "Candles of two stocks, as CSV"
    ]
  ],
  flags,
  run: Effect.fnUntraced(function*(input) {
    const service = yield* Connection.asked
    const { plan: { allowance }, priced } = yield* Priced.read(input.file, asking)
    const days = yield* Days.of(priced, input.files)
    const resolved = (yield* Path.Path).resolve(yield* Place.given(input.output))
    const root = yield* Effect.orElseSucceed((yield* FileSystem.FileSystem).realPath(resolved), () => resolved)
    const embedded = `the embedded sandbox (seed ${input.seed}, ${input.plan} plan)`
    const head = { service: service.embedded ? embedded : service.baseUrl, files: input.files }
    const again = Option.getOrUndefined(input.again)
    const standing = yield* Folder.standing(root, days, head, again)
    // The allowance of a plan stands in place of that of the settings.
    const settings: Layer.Layer<never> = allowance === undefined ? Layer.empty : ConfigProvider.layerAdd(
      ConfigProvider.fromEnvRecord({
        [variableOf("allowance")]: String(allowance.credits),
        [variableOf("allowanceWindow")]: allowance.window
      }),
      { asPrimary: true }
    )
    const at = { root, head, input, again, allowance: allowance?.credits ?? Infinity }
    const { done, failure, spent } = yield* Effect.provide(pay(standing, at, service), settings)
    const lost = yield* Summary.print({ root, service, standing, done, spent })
    if (failure !== undefined) return yield* failure
    if (lost === 0 || input.dryRun) return
    const message = `${Words.number(lost)} of ${Words.count(days.length, "answer")} ${lost === 1 ? "is" : "are"} lost`
    return yield* new Failure.CommandError({
      class: "budget",
      reason: "AlreadySent",
      message: `${message}: they were asked for, and are not asked for again without your word.`,
      next: "to pay for them again, type the same command with --again lost"
    })
  })
})

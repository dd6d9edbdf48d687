/** `marketdata run PLAN -o DIR`: asks what a plan of past days prices, each query once, and keeps the tables in a folder. */
import { CacheFallback, CreditLedger } from "@effect-marketdata/client"
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { Credits, ForeignText, NewYork } from "@effect-marketdata/core"
import { ConfigProvider, Deferred, Effect, Fiber, FileSystem, Layer, Path, Result } from "effect"
import * as Flag from "effect/cli/Flag"
import { createHash, randomUUID } from "node:crypto"
import { sayWhatWasSpent } from "../call/ask.ts"
import { command } from "../call/command.ts"
import * as Connection from "../call/connection.ts"
import { consent } from "../call/consent.ts"
import * as Kept from "../call/kept.ts"
import * as Ledger from "../call/ledger.ts"
import * as Failure from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import { Output } from "../output/output.ts"
import * as Person from "../output/person.ts"
import * as PlanFile from "../plans/planFile.ts"
import * as Folder from "../runs/folder.ts"
import * as Place from "../settings/place.ts"
import { variableOf } from "../settings/settings.ts"
import * as Flags from "../text/flags.ts"
import { type Line, means } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"

const flags = {
  file: Flags.argument("file")("A plan of past days, as `marketdata plan` prices it; - reads standard input"),
  output: Flags.required("output", "DIR")(
    "The folder of the tables and of their manifest; what is there already is not asked again"
  ).pipe(Flag.withAlias("o")),
  dryRun: Flags.isOn("dry-run")("Say what is there, what would be asked and what it may cost, and send nothing"),
  budget: Flags.credits("budget")("The most credits that this run may cost, retries included"),
  yes: Flags.yes("Send it, whatever it costs"),
  wait: Flags.isOn("wait", true)("Wait until an allowance that is used up renews; --no-wait ends there"),
  again: Flags.oneOf("again", ["lost", "empty"])(
    "Ask again for answers that were lost, and pay again; or where there were no data"
  ),
  files: Flags.usually(Flag.Literals("files", Folder.formats), "parquet")("The format of the tables"),
  ...Flags.sandbox
}

type Input = Flags.Given<typeof flags>

/** How many days are asked at once; each may hold a whole chain in memory. */
const atOnce = 4

/** How long requests in flight may take after Ctrl-C; less than the program gives itself to end. */
const mostAfterStop = "3 seconds"

/** The shortest wait for credits, in seconds. */
const leastWait = 10

/** Waits until a time of the machine's clock. It looks at least once a minute, because the clock may be set meanwhile. */
const until = (time: number): Effect.Effect<void> =>
  Effect.flatMap(
    Words.epochSeconds,
    (now) => now >= time ? Effect.void : Effect.andThen(Effect.sleep(Math.min(60, time - now) * 1000), until(time))
  )

/** The bound of a query that an allowance refused; 0 for other failures. */
const boundOf = ({ reason }: MarketDataError): number =>
  reason._tag === "CreditBudgetExceeded" ? reason.bound ?? Infinity : 0

/** What queries may cost together; with expected counts in the plan, the price depends on them. */
const priceOf = (days: ReadonlyArray<Folder.Day>): string => {
  const queries = Words.count(days.length, "query", "queries")
  const estimates = days.map(({ estimate }) => estimate)
  const isExpected = days.some(({ query }) => Object.keys(query.assume).length > 0)
  if (!isExpected) return `${Report.estimates(estimates)} for ${queries}`
  const price = Credits.formatAmount(Kept.boundOf(estimates))
  return `${price} for ${queries}, if as many rows come back as the plan expects`
}

/** How wide the bar is. */
const cells = 20

/** Asks for the open days. Returns their outcomes, and the failure that stopped it early, if any. */
const ask = Effect.fnUntraced(function*(held: Folder.Held, { allowance, input, root, standing }: Running) {
  const { manifest, open } = standing
  const { canAnimate, say } = yield* Output
  const { description } = yield* Connection.Connection
  yield* say([description, Report.line("estimate", priceOf(open))])
  const done: Array<Folder.Entry> = []
  const stopped = yield* Deferred.make<void>()
  const seen: { failure?: Failure.CommandError; waiting?: string } = {}
  const wait: Folder.Work["wait"] = Effect.fnUntraced(function*(error, renews) {
    if (!input.wait || boundOf(error) > (allowance?.credits ?? Infinity)) return yield* error
    const line = `until ${NewYork.format(renews)}; the same command goes on after Ctrl-C`
    if (seen.waiting !== line && !canAnimate) yield* say([Report.line("waiting", line)])
    seen.waiting = line
    // The clocks of service and machine may differ.
    const time = Math.max(renews, leastWait + (yield* Words.epochSeconds))
    yield* Effect.raceFirst(until(time), Effect.andThen(Deferred.await(stopped), error))
    delete seen.waiting
  })
  const work = { ...held, root, again: input.again, run: randomUUID(), entries: manifest.entries, wait }
  const one = Effect.fnUntraced(function*(day: Folder.Day) {
    if (seen.failure !== undefined || (yield* Deferred.isDone(stopped))) return
    const kept = yield* Effect.result(Folder.keep(day, work))
    if (Result.isSuccess(kept)) done.push(kept.success)
    else seen.failure ??= Failure.of(kept.failure)
  })
  const running = yield* Effect.forkScoped(Effect.forEach(open, one, { concurrency: atOnce, discard: true }))
  // Requests in flight are paid for: after Ctrl-C they get some time to be answered.
  const ended = Effect.onInterrupt(Fiber.join(running), () =>
    Deferred.succeed(stopped, undefined).pipe(
      Effect.andThen(Effect.raceFirst(Effect.interruptible(Fiber.await(running)), Effect.sleep(mostAfterStop))),
      Effect.andThen(Fiber.interrupt(running))
    ))
  /** The line of the run, of `passed` seconds; while it waits for credits, until when. */
  const progress = Effect.fnUntraced(function*(passed: number) {
    const { charged } = yield* Ledger.balance
    const full = Math.floor(done.length / open.length * cells)
    const bar = [means("good", "█".repeat(full)), means("aside", "░".repeat(cells - full))]
    const { waiting } = seen
    const rest = waiting === undefined ? Person.left(done.length, open.length, passed) : [`waiting ${waiting}`]
    const said = [`${done.length} of ${open.length} answered`, Words.credits(charged), Words.age(passed), ...rest]
    return [...bar, ` ${said.join(", ")}`]
  })
  yield* Person.beside(ended, progress)
  const { charged, uncertain } = yield* Ledger.balance
  return { done, failure: seen.failure, spent: { charged, uncertain } }
})

/** Reads a plan, and what its folder has of it. */
const begin = Effect.fnUntraced(function*(input: Input) {
  const service = yield* Connection.asked
  const { plan: { allowance }, priced } = yield* PlanFile.pricedOf(input.file)
  const days = yield* Folder.daysOf(priced, input.files)
  const resolved = (yield* Path.Path).resolve(yield* Place.given(input.output))
  const root = yield* Effect.orElseSucceed((yield* FileSystem.FileSystem).realPath(resolved), () => resolved)
  const embedded = `the embedded sandbox (seed ${input.seed}, ${input.plan} plan)`
  const head = { service: service.embedded ? embedded : service.baseUrl, files: input.files }
  const standing = yield* Folder.standing(root, days, head, input.again)
  return { root, head, input, allowance, service, days, standing }
})

/** Where and how a plan runs. */
type Running = Effect.Success<ReturnType<typeof begin>>

/** Asks for consent, then for the open days. Every step is also recorded in the claims of the folder. */
const pay = Effect.fnUntraced(function*(at: Running) {
  const { head, input, root, service, standing } = at
  const [first, ...others] = standing.open
  if (first === undefined || input.dryRun) return { done: [], failure: undefined, spent: undefined }
  const priced = {
    name: `the plan (${Words.count(standing.open.length, "query", "queries")})`,
    queries: [first.query, ...others.map(({ query }) => query)] as const,
    estimates: standing.open.map(({ estimate }) => estimate)
  }
  const most = yield* consent(priced, { ...input, fallbackUpTo: 0 }, false, Ledger.left(service))
  const held = yield* Folder.hold(root, standing, head, input.again)
  const claiming = Effect.map(CreditLedger.CreditLedger, (own) => CreditLedger.both(own, held.claims))
  const client = Layer.provide(Connection.client, [Connection.cache(false), Kept.sizes(service)]).pipe(
    Layer.provideMerge(Layer.provide(Layer.effect(CreditLedger.CreditLedger, claiming), Ledger.layer(most))),
    Layer.provideMerge(Connection.layer(input)),
    Layer.provideMerge(Kept.Troubles.layer),
    Layer.merge(CacheFallback.layerUpTo(0))
  )
  return yield* Effect.provide(Effect.onInterrupt(ask(held, at), () => sayWhatWasSpent), client)
}, Effect.scoped)

type Paid = Effect.Success<ReturnType<typeof pay>>

/** The most days that are named one by one. */
const mostNamed = 10

/** A sum, in which null is Infinity. */
const sum = <A>(all: ReadonlyArray<A>, of: (one: A) => number | null): number =>
  all.reduce((sum, one) => sum + (of(one) ?? Infinity), 0)

/** Prints the outcome of a run, or of a dry one, and returns how many answers are lost. */
const summarize = Effect.fnUntraced(function*({ root, service, standing }: Running, { done, spent }: Paid) {
  const answered = new Set(done.map(({ file }) => file))
  const open = standing.open.filter(({ file }) => !answered.has(file))
  const entries = [...standing.over, ...done].toSorted((a, b) => a.file < b.file ? -1 : 1)
  const of = (is: Folder.Entry["state"]) => entries.filter(({ state }) => state === is)
  const [kept, lost] = [of("kept"), of("lost")]
  const [charged, uncertain] = [sum(entries, ({ charged }) => charged), sum(entries, ({ uncertain }) => uncertain)]
  // Sorted by file, so that a run that was interrupted and continued has the same digest as one that was not.
  const lines = kept.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join("")
  const digest = createHash("sha256").update(lines).digest("hex")
  const named = (some: ReadonlyArray<Folder.Entry>, label: string, what: string): ReadonlyArray<Line> => {
    if (some.length === 0) return []
    const text = `${Words.number(some.length)} ${what}; to ask again: --again ${label}`
    const files = some.slice(0, mostNamed).map(({ charged, file, uncertain, why }) =>
      `  ${ForeignText.line(`${file}: ${why}; ${Words.spent(charged, uncertain ?? Infinity)}`, 300)}`
    )
    const rest = some.length > mostNamed ? [`  and ${some.length - mostNamed} more, see manifest.jsonl`] : []
    return [Report.line(label, { text, means: "warning" }), ...files, ...rest]
  }
  const over = spent === undefined || open.length > 0 ? 0 : spent.charged - sum(done, ({ price }) => price)
  const byRun = spent === undefined ? "" : `; ${Words.spent(spent.charged, spent.uncertain)} by this run`
  const json = (value: number) => value === Infinity ? "Infinity" : value
  const run = spent && { charged: spent.charged, uncertain: json(spent.uncertain) }
  const max = json(sum(open, ({ estimate }) => Credits.bound(estimate)))
  // A dry run starts no sandbox, and each run another one.
  const asked = service.embedded ? { ...service, baseUrl: null } : service
  const about = { service: asked, folder: root, open: { queries: open.length, max } }
  yield* Document.print({
    json: { ...about, charged, uncertain: json(uncertain), run, digest, entries },
    rows: Document.records(["file", "state", "rows", "charged", "uncertain", "sha256"], [
      ...entries,
      ...open.map(({ file }) => ({ file, state: "open", charged: 0, uncertain: 0 }))
    ]),
    lines: [
      Report.line("folder", ForeignText.line(root)),
      Report.line("kept", `${kept.length} of ${Words.count(entries.length + open.length, "query", "queries")}`),
      ...named(of("empty"), "empty", "without data"),
      ...named(lost, "lost", "asked for, and their answers are not here"),
      ...open.length === 0 ? [] : [Report.line("open", priceOf(open))],
      Report.line("charge", Words.spent(charged, uncertain) + byRun),
      ...Report.notes(over > 0 ? [`${Words.credits(over)} above the price: more came back than was expected`] : []),
      ...kept.length === 0 ? [] : [Report.line("digest", `sha256 ${digest}`)]
    ]
  })
  return lost.length
})

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
    const at = yield* begin(input)
    const { allowance, days } = at
    // The allowance of a plan overrides that of the settings.
    const ofPlan = allowance === undefined ? {} : {
      [variableOf("allowance")]: String(allowance.credits),
      [variableOf("allowanceWindow")]: allowance.window
    }
    const settings = ConfigProvider.layerAdd(ConfigProvider.fromEnvRecord(ofPlan), { asPrimary: true })
    const paid = yield* Effect.provide(pay(at), settings)
    const lost = yield* summarize(at, paid)
    const { failure } = paid
    if (failure?.renews !== undefined) {
      const next = "bound the price with `contracts` in the plan, wait until the allowance renews, or raise " +
        "`allowance` in the plan or, where it has none, with `marketdata config set allowance CREDITS`"
      return yield* Failure.changed(failure, { next })
    }
    if (failure !== undefined) return yield* failure
    if (lost === 0 || input.dryRun) return
    const message = `${Words.number(lost)} of ${Words.count(days.length, "answer")} ${lost === 1 ? "is" : "are"} lost`
    const why = `${message}: they were asked for, and are not asked for again without your word.`
    return yield* Failure.tooDear("AlreadySent", why, "to pay for them again, type the same command with --again lost")
  })
})

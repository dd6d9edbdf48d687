/** Makes a call: checks the flags, prices it, asks for consent, sends it, prints the data and then the report. */
import { CacheFallback } from "@effect-marketdata/client"
import { OptionChain } from "@effect-marketdata/core"
import { Array as Arr, Config, Effect, Layer } from "effect"
import * as Failure from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import { signal } from "../output/ending.ts"
import { Output } from "../output/output.ts"
import * as Settings from "../settings/settings.ts"
import type { Common } from "../text/flags.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import type { View } from "../views/table.ts"
import { type Call, type Made, queriesOf, type SavedReply } from "./command.ts"
import * as Connection from "./connection.ts"
import { consent } from "./consent.ts"
import * as Kept from "./kept.ts"
import * as Ledger from "./ledger.ts"
import * as Notes from "./notes.ts"
import * as Round from "./round.ts"
import type { Asked, To } from "./save.ts"
import * as Watch from "./watch.ts"

/** Says what was spent by a command that is interrupted. It runs once everything in flight is settled. */
export const sayWhatWasSpent = Effect.gen(function*() {
  const { isJson, note } = yield* Output
  const { charged, uncertain } = yield* Ledger.balance
  const message = `stopped: ${Words.credits(charged)} spent${Words.perhaps(uncertain)}`
  const by = signal.name === "SIGTERM" ? "terminated" : "interrupted"
  const failure = { class: by, reason: "Interrupted", message, credits: { charged, uncertain } } as const
  yield* note([isJson ? Failure.json(new Failure.CommandError(failure)) : { text: message, means: "warning" }])
})

/** The requests that were sent, and what is wrong with the cache or the ledger, for `--verbose`. */
const details = Effect.fnUntraced(function*(asked: Parameters<typeof Report.trace>[0]) {
  yield* Effect.ignore(Connection.checkCache((yield* Connection.Connection).service))
  return [...Report.trace(asked), ...Report.notes([...yield* Kept.Troubles])]
})

/** The module that writes files, loaded only for `--output` or a binary format. */
const filing = Effect.fnUntraced(function*(output: Common["output"]) {
  if (output === undefined && (yield* Output).bytes === undefined) return undefined
  return yield* Effect.promise(() => import("./save.ts"))
})

/** How times in rows are written: as texts in csv and jsonl unless `--times epoch`. Saved files write their times themselves. */
const timing = Effect.fnUntraced(function*({ output, times }: Common, rounds = false) {
  const { format } = yield* Output
  const written = output ?? (format === "jsonl" && rounds ? "json" : format)
  const hasRows = /(?:^|\.)(?:csv|jsonl|ndjson)$/i.test(written)
  if (times !== undefined && !hasRows) {
    const message = "--times is of csv and jsonl alone, e.g. --format csv --times epoch. Nothing was sent."
    return yield* Failure.wrong("UnusedFlag", message)
  }
  if (!hasRows || output !== undefined || times === "epoch") return (rows: Document.Rows) => rows
  return yield* Document.inNewYork
})

/** What stands between data and the report on them. */
const apart = Output.use(({ format }) => Effect.succeed(format === "table" ? [""] : []))

type Json = () => object

/** Saves data in a file, or prints them, and returns the lines that stand before the report on them. */
const put = Effect.fnUntraced(function*<Data>(data: Data, view: View<Data>, json: Json, input: To, asked?: Asked) {
  const files = yield* filing(input.output)
  if (files !== undefined) {
    // The same data, in another order.
    const ordered = (view.ordered?.(data) ?? data) as Data
    const saved = yield* files.save(ordered, view.beside?.(ordered), input, asked)
    return [Report.line("saved", saved)]
  }
  const now = yield* Words.epochSeconds
  yield* Document.print({ json, rows: () => view.rows(data), lines: (size) => view.lines?.(data, size, now) })
  return yield* apart
})

/** Prints or saves the answers of one round, and the report on them. */
const answer = Effect.fnUntraced(function*<Data>(call: Call<Data>, input: Common, limit: Round.Limit) {
  const { verbose } = input
  const { say } = yield* Output
  const round = yield* Round.during(call, limit).pipe(
    Effect.tapError((errors) => verbose ? Effect.flatMap(details(errors), say) : Effect.void),
    Effect.mapError((errors) => Round.failureOf(errors, call))
  )
  const now = yield* Words.epochSeconds
  const data = Round.dataOf(call, round)
  const answers = Arr.map(round.answered, ({ answer }) => answer)
  const connection = yield* Connection.Connection
  const json = () => Round.documentOf(call, round, connection, now)
  const delivered = call.deliver === undefined
    ? put(data, call.view, json, input, { answers, query: call.query })
    : Effect.andThen(call.deliver(data, { answers, connection, now }), apart)
  // The failure of an answer that cannot be written has its charge: it was paid for.
  const before = yield* delivered.pipe(
    Effect.mapError((error) => Failure.changed(error, { credits: Report.costOf(answers) })),
    Effect.tapError(() => say(Report.account(answers, call.query, now)))
  )
  const findings = answers.flatMap(({ findings }) => findings)
    .filter(({ code }) => verbose || !Notes.told.includes(code))
  yield* say([
    ...before,
    ...Report.account(answers, call.query, now),
    ...Report.notes(Round.notesOf(call, round, now)),
    ...(verbose || findings.length > 0 ? Report.findings(findings, verbose ? Infinity : 3) : []),
    ...(verbose ? yield* details([...answers, ...round.failures]) : [])
  ])
  if (round.failures.length > 0) return yield* Round.failureOf(round.failures, call, round.answered)
  const missing = Round.missingOf(round)
  if (missing !== undefined) return yield* missing
})

/** Notes the service and the price, then asks once or, with `--watch`, again and again. */
const send = Effect.fnUntraced(function*<Data>(call: Call<Data>, input: Common, price: string) {
  const { description } = yield* Connection.Connection
  yield* (yield* Output).say([description, Report.line("estimate", price)])
  const limit = input.timeout ?? (yield* Config.withDefault(Settings.config("timeout"), undefined))
  const { every } = call
  const asked = every === undefined ? answer(call, input, limit) : Watch.run({ call, limit, every })
  yield* Effect.onInterrupt(asked, () => sayWhatWasSpent)
})

/** Makes a call if its price is allowed, and prints the answer. */
export const ask = Effect.fnUntraced(function*<Data>(made: Made<Data>, input: Common) {
  const asked = yield* made
  const timed = yield* timing(input, asked.every !== undefined)
  const call: Call<Data> = { ...asked, view: { ...asked.view, rows: (data) => timed(asked.view.rows(data), data) } }
  yield* (yield* filing(input.output))?.check(call, input.output) ?? Effect.void
  const { fallbackUpTo = 0 } = call
  const rounds = call.every !== undefined
  const service = yield* Connection.asked
  const sent = Effect.gen(function*() {
    const estimates = yield* Kept.pricesOf(queriesOf(call), service.baseUrl, call.fallbackUpTo)
    const priced = { queries: queriesOf(call), estimates }
    const most = yield* consent(priced, { ...input, fallbackUpTo }, rounds, Ledger.left(service))
    const estimate = Report.estimates(estimates) + Report.sizes(estimates)
    const together = most === Infinity ? "" : `; all rounds together at most ${Words.credits(most)}`
    const price = rounds ? `each round ${estimate}${together}` : estimate
    // Each round of `--watch` asks the service.
    const client = Layer.provide(Connection.client, Connection.cache(rounds || !input.cache)).pipe(
      Layer.provideMerge(Ledger.layer(most)),
      Layer.provideMerge(Connection.layer(input)),
      Layer.provideMerge(Kept.Troubles.layer),
      Layer.merge(CacheFallback.layerUpTo(fallbackUpTo))
    )
    yield* Effect.provide(send(call, input, price), client)
  })
  yield* Effect.provide(sent, Kept.sizes(service))
})

/** Prints a saved reply. */
export const show = Effect.fnUntraced(function*(read: SavedReply, input: Common) {
  const timed = yield* timing(input)
  const { data, name, view } = yield* read
  const json = () => ({ reply: data, ...view.beside?.(data).document })
  const shown: typeof view = { ...view, rows: (data) => timed(view.rows(data), data) }
  const before = yield* put(data, shown, json, input)
  yield* (yield* Output).say([
    ...before,
    Report.line("provenance", `a saved reply (${name}); nothing was asked`),
    ...Report.freshness(OptionChain.updatedSpan(data), undefined, yield* Words.epochSeconds),
    // More findings than for an answer: a reply is often saved to see what is wrong with it.
    ...Report.findings(data.findings, input.verbose ? Infinity : 30)
  ])
})

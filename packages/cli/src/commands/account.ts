/** `marketdata account`: what the service says of the account that asks, and what this machine has spent of it. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as AccountStatus from "@effect-marketdata/core/AccountStatus"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { entitlement, noCredits } from "../asking/accountStatus.ts"
import { command } from "../asking/command.ts"
import * as Connection from "../asking/connection.ts"
import * as Asking from "../asking/flags.ts"
import * as Kept from "../asking/kept.ts"
import * as Ledger from "../asking/ledger.ts"
import * as LedgerFile from "../asking/ledgerFile.ts"
import { dayOf } from "../asking/mode.ts"
import { wrong } from "../failure/failure.ts"
import * as Names from "../failure/names.ts"
import * as Document from "../output/document.ts"
import { aside, Output } from "../output/output.ts"
import * as Place from "../settings/place.ts"
import * as Service from "../settings/service.ts"
import * as Flags from "../text/flags.ts"
import * as Grid from "../text/grid.ts"
import { type Line, means, type Span } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"

const history = {
  since: Flags.text(
    "since",
    "DAY",
    "From this day on in New York, as YYYY-MM-DD, today, yesterday or \"5 days ago\"; with --history"
  ),
  until: Flags.text("until", "DAY", "Up to this day, which counts; with --history"),
  by: Flag.Literals("by", ["request", "query", "program", "day"]).pipe(
    Flags.defaultTo("A row for each request, or the sums by query, by who asked, or by day; with --history", "request")
  )
}

type History = Command.Command.Config.Infer<typeof history>

/** The account, when its credits are full again by the figures of the reply, and what the commands of this machine have spent of them. */
const ask = Effect.gen(function*() {
  const { description, service } = yield* Connection.Connection
  const { data } = yield* MarketData.run(AccountStatus.query)
  const { standing } = yield* CreditLedger.CreditLedger.use(({ balance }) => balance)
  const ledger = yield* Ledger.read(service)
  return { description, service, data, ledger, reset: standing === undefined ? undefined : standing.reset }
})

/** Flags of the history choose nothing where the account is asked. */
const isNotHistory = Effect.fnUntraced(function*({ by, since, until }: History) {
  for (const [flag, value] of [["--since", Option.getOrUndefined(since)], ["--until", Option.getOrUndefined(until)]]) {
    if (value !== undefined) return yield* forHistory(flag!, value)
  }
  if (by !== "request") return yield* forHistory("--by", by)
})

const forHistory = (flag: string, value: string) =>
  Effect.fail(InvalidQuery.of(flag, value, { rule: "is for the history only", example: `--history ${flag} ${value}` }))

/** Prints the account. */
const show = Effect.fnUntraced(function*(sandbox: Connection.SandboxOptions, history: History) {
  yield* isNotHistory(history)
  const { data, description, ledger, reset, service } = yield* Effect.scoped(Effect.provide(
    ask,
    Connection.client.pipe(
      Layer.provideMerge(noCredits),
      Layer.provideMerge(Connection.layer(sandbox)),
      Layer.merge(Kept.Troubles.layer)
    )
  ))
  yield* aside(description)
  yield* Document.print({
    json: { service, account: data, reset: reset ?? null, ledger: ledger ?? null },
    rows: Document.rows(["creditsRemaining", "creditsLimit", "reset", "optionsData"], [[
      data.creditsRemaining,
      data.creditsLimit,
      reset ?? null,
      data.optionsData
    ]]),
    lines: [
      Report.line("credits", `${Words.number(data.creditsRemaining)} of ${Words.credits(data.creditsLimit)} left`),
      ...reset === undefined ? [] : [Report.line("full again", NewYork.format(reset))],
      Report.line("options", entitlement(data)),
      ...ledger === undefined ? [] : [Report.line("ledger", Ledger.describe(ledger))]
    ]
  })
})

/** A request that was charged, or may have been; `time` is in epoch seconds. */
interface Spent {
  readonly time: number
  readonly query: string
  readonly program: string
  readonly credits: number
  readonly uncertain: number
}

/** Several of them together. */
interface Sum {
  readonly name: string
  readonly requests: number
  readonly credits: number
  readonly uncertain: number
  readonly first: number
  readonly last: number
}

const dayRule: Problem.Problem = {
  rule: "must be a day as YYYY-MM-DD, or today, yesterday or 5 days ago",
  example: "2026-11-20"
}

/** The midnight in New York that a day begins with, or the one that it ends with. */
const midnight = Effect.fnUntraced(function*(flag: string, text: Option.Option<string>, after: number) {
  if (Option.isNone(text)) return undefined
  const day = CalendarDate.parse(yield* dayOf(text.value))
  if (day._tag === "Failure") return yield* InvalidQuery.of(flag, text.value, dayRule)
  return NewYork.at(CalendarDate.addDays(day.success, after), 0, 0)
})

/** A query with all that decides its price, filters and mode among it: of one symbol it may be 1 credit or 3,000. */
const nameOf = (query: Query.Query): string => {
  const [, parameters = ""] = Query.target(query).split("?")
  const chosen = parameters.split("&").filter((pair) => pair !== "" && !pair.startsWith("symbols="))
  const orLive = query.mode?._tag === "CachedOrLive" ? ["or live"] : []
  return [Names.queryNames([query]), ...chosen.map(decodeURIComponent), ...orLive].join(" ")
}

/** What a ledger that is kept in a file says was spent. */
const spentIn = Effect.fnUntraced(function*(filename: string, filter: {
  readonly account: string
  readonly since: number | undefined
  readonly until: number | undefined
}) {
  const [Sqlite, SqlLedger] = yield* Effect.promise(() =>
    Promise.all([import("@effect-marketdata/sql/Sqlite"), import("@effect-marketdata/sql/SqlLedger")])
  )
  const read = SqlLedger.history(filter).pipe(
    Stream.runFold((): Array<Spent> => [], (all, { askedBy, event }) => {
      if (event._tag === "Charged" || event._tag === "Lost") {
        all.push({
          time: event.time,
          query: event.query === undefined ? "unknown" : nameOf(event.query),
          program: askedBy,
          credits: event._tag === "Charged" ? event.credits : 0,
          uncertain: event._tag === "Charged" ? event.uncertain : event.credits
        })
      }
      return all
    }),
    Effect.provide(Sqlite.layer({ filename }))
  )
  return yield* Effect.andThen(LedgerFile.check(filename), read).pipe(
    Effect.mapError(({ message }) =>
      wrong(
        "Ledger",
        `the ledger ${ForeignText.line(filename)} cannot be read: ${ForeignText.line(message, 300)}`,
        "see where the ledger is with `marketdata doctor`"
      )
    )
  )
})

const nameBy: Readonly<Record<Exclude<History["by"], "request">, (spent: Spent) => string>> = {
  query: ({ query }) => query,
  program: ({ program }) => program,
  day: ({ time }) => CalendarDate.format(NewYork.dateOf(time))
}

/** Sums by a name: days in their order, else the most expensive first. */
const sums = (spent: ReadonlyArray<Spent>, by: keyof typeof nameBy): ReadonlyArray<Sum> => {
  const byName = new Map<string, Sum>()
  for (const one of spent) {
    const name = nameBy[by](one)
    byName.set(name, add(byName.get(name) ?? { ...nothing, name, first: one.time }, one))
  }
  const all = [...byName.values()]
  return by === "day"
    ? all.toSorted((one, other) => one.first - other.first)
    : all.toSorted((one, other) => other.credits + other.uncertain - one.credits - one.uncertain)
}

const nothing: Sum = { name: "", requests: 0, credits: 0, uncertain: 0, first: 0, last: 0 }

const add = (sum: Sum, { credits, time, uncertain }: Spent): Sum => ({
  ...sum,
  requests: sum.requests + 1,
  credits: sum.credits + credits,
  uncertain: sum.uncertain + uncertain,
  last: time
})

/** A time as programs and spreadsheets read it. */
const iso = (time: number): string => DateTime.formatIso(DateTime.makeUnsafe(time * 1000))

const rowsOf = (spent: ReadonlyArray<Spent>, by: History["by"]): Document.Rows =>
  by === "request"
    ? Document.rows(
      ["time", "query", "program", "credits", "uncertain"],
      spent.map(({ credits, program, query, time, uncertain }) => [iso(time), query, program, credits, uncertain])
    )
    : Document.rows(
      [by, "requests", "credits", "uncertain", "first", "last"],
      sums(spent, by).map(({ credits, first, last, name, requests, uncertain }) => [
        name,
        requests,
        credits,
        uncertain,
        iso(first),
        iso(last)
      ])
    )

/** A column for people, and what it shows of a row. */
type Column<Row> = readonly [column: Grid.Column, cell: (row: Row) => Span]

const text = <Row>(
  head: string,
  cell: (row: Row) => string
): Column<Row> => [{ head, align: "left", widest: 80, narrowest: 20 }, cell]

const number = <Row>(head: string, cell: (row: Row) => number): Column<Row> => [
  { head, align: "right" },
  (row) => Words.number(cell(row))
]

/** What may have been charged besides; few histories have any. */
const perhaps = <Row extends { readonly uncertain: number }>(rows: ReadonlyArray<Row>): ReadonlyArray<Column<Row>> =>
  rows.every(({ uncertain }) => uncertain === 0) ? [] : [[
    { head: "perhaps", align: "right" },
    ({ uncertain }) => uncertain === 0 ? "" : means("warning", `${Words.number(uncertain)} more`)
  ]]

const grid = <Row>(rows: ReadonlyArray<Row>, columns: ReadonlyArray<Column<Row>>, width: number) =>
  Grid.format(columns.map(([column]) => column), rows.map((row) => columns.map(([, cell]) => cell(row))), width)

/** The most requests that a table has: the latest. */
const most = 50

const listed = (spent: ReadonlyArray<Spent>, width: number): ReadonlyArray<Line> => {
  const rows = spent.slice(-most)
  const columns = [
    text("New York", ({ time }: Spent) => NewYork.format(time)),
    number("credits", ({ credits }: Spent) => credits),
    ...perhaps(rows),
    text("query", ({ query }: Spent) => query),
    text("asked by", ({ program }: Spent) => program)
  ]
  const earlier = spent.length - rows.length
  return [
    ...earlier > 0
      ? [means("aside", `${Words.count(earlier, "earlier request")}: --format csv, or sums with --by query`)]
      : [],
    ...grid(rows, columns, width)
  ]
}

const summed = (rows: ReadonlyArray<Sum>, by: keyof typeof nameBy, width: number): ReadonlyArray<Line> =>
  grid(rows, [
    text(by === "program" ? "asked by" : by, ({ name }: Sum) => name),
    number("requests", ({ requests }: Sum) => requests),
    number("credits", ({ credits }: Sum) => credits),
    ...perhaps(rows),
    text("last", ({ last }: Sum) => NewYork.format(last))
  ], width)

/** Says that nothing was spent, or that it is not known. */
const emptyLine = Effect.fnUntraced(function*(baseUrl: string, file: string) {
  const where = yield* Kept.where(yield* LedgerFile.choice, { baseUrl, embedded: false })
  return where.path === undefined
    ? `what is spent at ${baseUrl} is not recorded: ${where.why}`
    : `nothing was spent at ${baseUrl}, by the ledger ${file}`
})

/** Prints what this machine has spent at a service, by the ledger. Nothing is sent. */
const showHistory = Effect.fnUntraced(function*({ by, since, until }: History) {
  const from = yield* midnight("--since", since, 0)
  const to = yield* midnight("--until", until, 1)
  const baseUrl = yield* Service.address
  const { path } = yield* Kept.pathOf(yield* LedgerFile.choice)
  const file = path ?? (yield* Place.nowhere)
  const files = yield* FileSystem.FileSystem
  const exists = yield* Effect.orElseSucceed(files.exists(file), () => true)
  const spent = exists
    ? yield* spentIn(file, { account: Ledger.accountOf(baseUrl), since: from, until: to })
    : []
  const total = spent.reduce(add, nothing)
  const rows = rowsOf(spent, by)
  const { size } = yield* Output
  const width = (yield* size).columns
  yield* Document.print({
    json: {
      service: { baseUrl, embedded: false },
      ledger: file,
      since: from === undefined ? null : iso(from),
      until: to === undefined ? null : iso(to),
      by,
      history: Document.objects(rows),
      total: { requests: total.requests, credits: total.credits, uncertain: total.uncertain }
    },
    rows,
    lines: spent.length === 0 ? [yield* emptyLine(baseUrl, file)] : [
      ...by === "request" ? listed(spent, width) : summed(sums(spent, by), by, width),
      "",
      [
        `${Words.credits(total.credits)} for ${Words.count(total.requests, "request")}`,
        total.uncertain === 0 ? "" : means("warning", `, and perhaps ${Words.credits(total.uncertain)} more`),
        ` at ${baseUrl}`
      ]
    ]
  })
})

export const account = command({
  examples: [
    ["", "Credits and entitlement"],
    ["--history --since \"7 days ago\" --by query", "What was spent, on what"],
    ["--plan free", "Of the free account of the embedded sandbox"]
  ],
  flags: {
    ...Asking.sandbox,
    isHistory: Flags.isOn(
      "history",
      "Show what this machine has spent at the service: on what, when, and who asked. It sends nothing"
    ),
    history
  },
  run: ({ history, isHistory, ...sandbox }) =>
    isHistory
      ? showHistory(history)
      : show(sandbox, history)
})

/** `marketdata account`: the account as the service reports it, and what this machine has spent. */
import { CreditLedger } from "@effect-marketdata/client"
import { CalendarDate, ForeignText, NewYork, Query, QueryText } from "@effect-marketdata/core"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import type { SqlLedger } from "@effect-marketdata/sql"
import { Array as Arr, DateTime, Effect, FileSystem, Layer, Stream } from "effect"
import * as Flag from "effect/cli/Flag"
import { command } from "../call/command.ts"
import * as Connection from "../call/connection.ts"
import * as Kept from "../call/kept.ts"
import * as Ledger from "../call/ledger.ts"
import { wrong } from "../failure/failure.ts"
import * as Names from "../failure/names.ts"
import * as Document from "../output/document.ts"
import { aside } from "../output/output.ts"
import * as Place from "../settings/place.ts"
import { address } from "../settings/settings.ts"
import * as Flags from "../text/flags.ts"
import * as Grid from "../text/grid.ts"
import { type Line, means } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Cells from "../views/cells.ts"
import * as Report from "../views/report.ts"
import * as Table from "../views/table.ts"

const history = {
  since: Flags.text("since", "DAY")(
    "From this day on in New York, as YYYY-MM-DD, today, yesterday or \"5 days ago\"; with --history"
  ),
  until: Flags.text("until", "DAY")("Up to this day, which counts; with --history"),
  by: Flags.usually(Flag.Literals("by", ["request", "query", "program", "day"]), "request")(
    "A row for each request, or the sums by query, by who asked, or by day; with --history"
  )
}

type History = Flags.Given<typeof history>

/** Refuses flags of the history without `--history`. */
const isNotHistory = Effect.fnUntraced(function*({ by, since, until }: History) {
  const given = { "--since": since, "--until": until, "--by": by === "request" ? undefined : by }
  for (const [flag, value] of Object.entries(given)) {
    if (value === undefined) continue
    const example = `--history ${flag} ${value}`
    return yield* InvalidQuery.of(flag, value, { rule: "is for the history only", example })
  }
})

/** Prints the account, when its credits renew by the headers of the reply, and what the commands of this machine have spent. */
const show = Effect.gen(function*() {
  const { description, service } = yield* Connection.Connection
  const ledger = yield* Ledger.read(service)
  const data = yield* Connection.account
  const reset = (yield* CreditLedger.CreditLedger.use(({ balance }) => balance)).standing?.reset
  yield* aside(description)
  yield* Document.print({
    json: { service, account: data, reset: reset ?? null, ledger: ledger ?? null },
    rows: Document.records(["creditsRemaining", "creditsLimit", "reset", "optionsData"], [{ ...data, reset }]),
    lines: [
      Report.line("credits", `${Words.number(data.creditsRemaining)} of ${Words.credits(data.creditsLimit)} left`),
      ...reset === undefined ? [] : [Report.line("full again", NewYork.format(reset))],
      Report.line("options", Connection.entitlement(data)),
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

const dayRule = { rule: "must be a day as YYYY-MM-DD, or today, yesterday or 5 days ago", example: "2026-11-20" }

/** Midnight in New York of a day (`after` 0), or of the day after it (1). */
const midnight = Effect.fnUntraced(function*(flag: string, text: string | undefined, after: number) {
  if (text === undefined) return undefined
  const day = CalendarDate.parse(QueryText.day(text, yield* Words.epochSeconds))
  if (day._tag === "Failure") return yield* InvalidQuery.of(flag, text, dayRule)
  return NewYork.at(CalendarDate.addDays(day.success, after), 0, 0)
})

/** A query with its filters and mode, which decide whether a chain costs 1 credit or 3,000. */
const nameOf = (query: Query.Query): string => {
  const [, parameters = ""] = Query.target(query).split("?")
  const chosen = parameters.split("&").filter((pair) => pair !== "" && !pair.startsWith("symbols="))
  const orLive = query.mode?._tag === "CachedOrLive" ? ["or live"] : []
  return [Names.queryNames([query]), ...chosen.map(decodeURIComponent), ...orLive].join(" ")
}

/** What a ledger that is kept in a file says was spent. */
const spentIn = Effect.fnUntraced(function*(filename: string, { until = Infinity, ...filter }: SqlLedger.Filter) {
  const [Sqlite, SqlLedger] = yield* Effect.promise(() =>
    Promise.all([import("@effect-marketdata/sql/Sqlite"), import("@effect-marketdata/sql/SqlLedger")])
  )
  const read = SqlLedger.history(filter).pipe(
    Stream.runFold(() => new Map<unknown, Spent>(), (all, { askedBy, budget, event }) => {
      if (budget?.startsWith(Ledger.ofAgents) === true || !("request" in event)) return all
      if (event._tag === "Overran" || event._tag === "Reconciled") return all
      // A request that is not answered may be charged: it is under way, or its program was killed.
      const open = `${budget} ${event.reservation} ${event.request}`
      all.delete(open)
      return all.set(event._tag === "Sent" ? open : event, {
        time: event.time,
        query: event.query === undefined ? "unknown" : nameOf(event.query),
        program: askedBy,
        credits: event._tag === "Charged" ? event.credits : 0,
        uncertain: event._tag === "Charged" ? event.uncertain : event._tag === "Lost" ? event.credits : event.bound
      })
    }),
    Effect.map((all) => [...all.values()].filter(({ time }) => time < until)),
    Effect.provide(Sqlite.layer({ filename }))
  )
  return yield* Effect.mapError(Effect.andThen(Kept.checkLedger(filename), read), ({ message }) => {
    const why = `the ledger ${ForeignText.line(filename)} cannot be read: ${ForeignText.line(message, 300)}`
    return wrong("Ledger", why, "see where the ledger is with `marketdata doctor`")
  })
})

const nameBy: Readonly<Record<Exclude<History["by"], "request">, (spent: Spent) => string>> = {
  query: ({ query }) => query,
  program: ({ program }) => program,
  day: ({ time }) => CalendarDate.format(NewYork.dateOf(time))
}

/** Sums by a name: days in their order, else the most expensive first. */
const sums = (spent: ReadonlyArray<Spent>, by: keyof typeof nameBy) => {
  const groups = Object.entries(Arr.groupBy(spent, nameBy[by]))
  const all = groups.map(([name, each]) => ({ name, ...totalOf(each), first: each[0].time, last: each.at(-1)!.time }))
  return by === "day"
    ? all.toSorted((one, other) => one.first - other.first)
    : all.toSorted((one, other) => other.credits + other.uncertain - one.credits - one.uncertain)
}

const totalOf = (spent: ReadonlyArray<Spent>) => ({
  requests: spent.length,
  credits: spent.reduce((sum, { credits }) => sum + credits, 0),
  uncertain: spent.reduce((sum, { uncertain }) => sum + uncertain, 0)
})

/** A time as programs and spreadsheets read it. */
const iso = (time: number): string => DateTime.formatIso(DateTime.makeUnsafe(time * 1000))

const rowsOf = (all: ReadonlyArray<Spent>, by: History["by"]): Document.Rows => {
  if (by === "request") {
    const requests = all.map((one) => ({ ...one, time: iso(one.time) }))
    return Document.records(["time", "query", "program", "credits", "uncertain"], requests)
  }
  const each = sums(all, by).map((sum) => ({ ...sum, [by]: sum.name, first: iso(sum.first), last: iso(sum.last) }))
  return Document.records([by, "requests", "credits", "uncertain", "first", "last"], each)
}

const wide = (name: string, head: string, cell = Cells.text) => Table.sentence(name, head, cell, 80)

const more: Cells.Cell = (value) => value === 0 ? "" : means("warning", `${Words.number(Number(value))} more`)

/** The column of uncertain charges, which few histories have. */
const perhaps = Table.number("uncertain", "perhaps", more)

/** The columns for people, of requests and of sums: those that the rows have. */
const columnsOf = (by: History["by"]): ReadonlyArray<Table.Column> => [
  wide("time", "New York", Cells.moment),
  wide("name", by === "program" ? "asked by" : by),
  Table.number("requests", "requests", Cells.quantity),
  Table.number("credits", "credits", Cells.quantity),
  perhaps,
  wide("query", "query"),
  wide("program", "asked by"),
  wide("last", "last", Cells.moment)
]

/** The most requests that a table has: the latest. */
const most = 50

const linesOf = (spent: ReadonlyArray<Spent>, by: History["by"], width: number): ReadonlyArray<Line> => {
  const rows: ReadonlyArray<Pick<Spent, "uncertain">> = by === "request" ? spent.slice(-most) : sums(spent, by)
  const columns = columnsOf(by).filter((column) =>
    column === perhaps ? rows.some(({ uncertain }) => uncertain !== 0) : column.name in rows[0]!
  )
  const cells = rows.map((row) => columns.map(({ cell, name }) => cell(Reflect.get(row, name), 0)))
  const earlier = by === "request" ? spent.length - rows.length : 0
  const left = means("aside", `${Words.count(earlier, "earlier request")}: --format csv, or sums with --by query`)
  return [...earlier > 0 ? [left] : [], ...Grid.format(columns, cells, width)]
}

/** Says that nothing was spent, or that it is not recorded. */
const emptyLine = Effect.fnUntraced(function*(baseUrl: string, file: string) {
  const where = yield* Kept.where("ledger", { baseUrl, embedded: false })
  return where.path === undefined
    ? `what is spent at ${baseUrl} is not recorded: ${where.why}`
    : `nothing was spent at ${baseUrl}, by the ledger ${file}`
})

/** Prints what this machine has spent at a service, by the ledger. Nothing is sent. */
const showHistory = Effect.fnUntraced(function*({ by, since, until }: History) {
  const from = yield* midnight("--since", since, 0)
  const to = yield* midnight("--until", until, 1)
  if (from !== undefined && to !== undefined && from >= to) {
    return yield* InvalidQuery.of("--until", until, { rule: `must not be before --since ${since}`, example: since! })
  }
  const baseUrl = yield* address
  const { path } = yield* Kept.pathOf("ledger")
  const file = path ?? (yield* Place.nowhere)
  const exists = yield* FileSystem.FileSystem.use((files) => Effect.orElseSucceed(files.exists(file), () => true))
  const spent = exists ? yield* spentIn(file, { account: Ledger.accountOf(baseUrl), since: from, until: to }) : []
  const total = totalOf(spent)
  const rows = rowsOf(spent, by)
  const cost = `${Words.credits(total.credits)} for ${Words.count(total.requests, "request")}`
  const uncertain = total.uncertain === 0 ? "" : means("warning", Words.perhaps(total.uncertain))
  const sum = [cost, uncertain, ` at ${baseUrl}`]
  const nothing = spent.length === 0 ? [yield* emptyLine(baseUrl, file)] : undefined
  const service = { baseUrl, embedded: false }
  const days = { since: from === undefined ? null : iso(from), until: to === undefined ? null : iso(to) }
  yield* Document.print({
    json: { service, ledger: file, ...days, by, history: Document.objects(rows), total },
    rows,
    lines: nothing ?? (({ columns }) => [...linesOf(spent, by, columns), "", sum])
  })
})

export const account = command({
  examples: [
    ["", "Credits and entitlement"],
    ["--history --since \"7 days ago\" --by query", "What was spent, on what"],
    ["--plan free", "Of the free account of the embedded sandbox"]
  ],
  flags: {
    ...Flags.sandbox,
    isHistory: Flags.isOn("history")(
      "Show what this machine has spent at the service: on what, when, and who asked. It sends nothing"
    ),
    history
  },
  run: Effect.fnUntraced(function*({ history, isHistory, ...sandbox }) {
    if (isHistory) return yield* showHistory(history)
    yield* isNotHistory(history)
    const client = Layer.provideMerge(Connection.client, Connection.noCredits).pipe(
      Layer.provideMerge(Connection.layer(sandbox)),
      Layer.merge(Kept.Troubles.layer)
    )
    yield* Effect.provide(show, client)
  }, Effect.scoped)
})

/** How a reply is to be written, as a request asks for it, and how replies are written by that. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DataMode from "@effect-marketdata/core/DataMode"
import type { Endpoint } from "@effect-marketdata/core/Endpoint"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Quotes from "../market/quotes.ts"
import * as Parameters from "../request/parameters.ts"
import * as Refusals from "../request/refusals.ts"
import type { Found, Rows } from "../view/view.ts"
import * as SandboxReply from "../wire/SandboxReply.ts"

/**
 * What every endpoint takes besides its own parameters: the mode, and how the reply is to be written.
 *
 * - `columns`: the names asked for, `s` among them perhaps; undefined for all
 * - `headers`: whether a CSV has a row of names
 * - `limit`, `offset`: which rows of a reply that is not about candles; all of them without a limit
 */
export type OutputOptions = Result.Result.Success<ReturnType<typeof readOptions>>

/** The most rows that a limit may ask for. */
const mostRows = 50_000

/** Reads the output options of a request. */
export const readOptions = (parameters: Parameters.Parameters, profile: Profile.Profile) =>
  Result.gen(function*() {
    const mode = yield* readMode(parameters, profile)
    const limit = yield* whole(parameters, "limit", 1, mostRows)
    return {
      mode,
      // Without cached data maxage has no effect; it is not even looked at (clause 4.1-maxage-ignored).
      maxAge: mode?._tag === "Cached" ? yield* readMaxAge(parameters) : undefined,
      format: (yield* Parameters.choice(parameters, "format", ["json", "csv"])) ?? "json",
      columns: Parameters.text(parameters, "columns")?.split(",").map((name) => name.trim()),
      dateformat: yield* Parameters.choice(parameters, "dateformat", ["unix", "timestamp", "spreadsheet"]),
      headers: (yield* Parameters.flag(parameters, "headers")) ?? true,
      human: (yield* Parameters.flag(parameters, "human")) ?? false,
      limit,
      offset: (yield* whole(parameters, "offset", 0, Number.MAX_SAFE_INTEGER)) ?? 0
    }
  })

const readMode = (parameters: Parameters.Parameters, profile: Profile.Profile) => {
  const text = Parameters.text(parameters, "mode")
  const mode = text === undefined ? undefined : DataMode.fromParameter(text, profile)
  return text === undefined || mode !== undefined
    ? Result.succeed(mode)
    : Result.fail(Refusals.badRequest(`Invalid mode. Use ${Profile.get(profile, "modes").join(", ")}.`))
}

/** A duration in the service's own letters, or a moment in New York (clause 8.3-maxage-forms). */
const readMaxAge = (parameters: Parameters.Parameters): Result.Result<MaxAge.MaxAge | undefined, Refusals.Refusal> => {
  const text = Parameters.text(parameters, "maxage")
  if (text === undefined) return Result.succeed(undefined)
  const moment = Parameters.parseTime(text, "plain", parameters.now)
  const age = moment !== undefined
    ? MaxAge.parse({ date: moment.date, secondOfDay: moment.secondOfDay ?? 0 })
    : MaxAge.parse(/^\d{1,9}(min|h)$/.test(text) ? text : "")
  return Result.mapError(
    age,
    () =>
      Refusals.badRequest("Invalid maxage. Write a duration such as 5min or 1h, or a time such as 2026-11-20 09:30.")
  )
}

const whole = (parameters: Parameters.Parameters, name: string, min: number, max: number) =>
  Result.flatMap(
    Parameters.number(parameters, name),
    (number) =>
      number === undefined || (Number.isInteger(number) && number >= min && number <= max)
        ? Result.succeed(number)
        : Result.fail(Refusals.badRequest(`Invalid ${name}. Use a whole number from ${min} to ${max}.`))
  )

/** The query in the mode and with the columns that were asked for; refuses those that it does not have. */
export const applyOptions = (
  { columns, maxAge, mode }: OutputOptions,
  query: Query.Query
): Result.Result<Query.Query, Refusals.Refusal> => {
  if (DataMode.isCached(mode) && !query.cacheable) {
    // Which status this has is not stated (clause 8.2-cached-unavailable).
    return Result.fail(
      Refusals.badRequest("Invalid mode. There are no cached data of past days, nor at this endpoint.")
    )
  }
  const known = query.endpoint.columns
  const names = columns?.filter((name) => name !== "s")
  const unknown = known.length === 0 ? undefined : names?.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    return Result.fail(Refusals.badRequest(`Invalid columns. There is no column ${JSON.stringify(unknown)}.`))
  }
  const asked = mode === undefined ? query : { ...Query.withMode(query, mode), maxAge }
  return Result.succeed(
    names === undefined || known.length === 0 ? asked : { ...asked, columns: names, returns: names }
  )
}

/** How replies to one query are written. `endpoint` is where it goes, by whose columns fields are called. */
export interface Style {
  readonly endpoint: Endpoint
  readonly output: Pick<OutputOptions, "columns" | "dateformat" | "format" | "headers" | "human">
  readonly profile: Profile.Profile
}

/** Replies of fewer cells are written at once: a part of a long reply takes longer. */
const fewCells = 12_800

/** Fields whose numbers are times. */
const times: ReadonlySet<string> = new Set(
  "expiration expirations firstTraded updated t date reportDate publicationDate".split(" ")
)

/** Writes what was found. */
export const found = (status: 200 | 203, found: Found, style: Style): SandboxReply.SandboxReply => {
  const { rows } = found
  const { dateformat, format, headers, human } = style.output
  if (format === "csv") return csvReply(status, csvColumns(found, style), headers)
  const isPlain = (dateformat ?? "unix") === "unix" && !human && hasStatus(found, style) && !hasFields(found) &&
    !(hasRoundedMid(style) && rows?.columnNames.includes("mid") === true)
  const isSmall = rows === undefined || rows.length * rows.columnNames.length < fewCells
  if (rows !== undefined && isPlain) return SandboxReply.json(status, isSmall ? rows.text() : rows.chunks())
  const parts = { [Symbol.iterator]: () => json(found, style) }
  return SandboxReply.json(status, isSmall ? [...parts].join("") : parts)
}

const hasFields = ({ fields }: Found): boolean => Object.keys(fields).length > 0

const hasRoundedMid = ({ profile }: Style): boolean => Profile.get(profile, "midDecimals") < Infinity

/** Whether a reply says `s`: always by the contract; the public service leaves it out beside chosen columns and names for people. */
const hasStatus = ({ bare }: Found, { output, profile }: Style): boolean =>
  !bare &&
  (Profile.get(profile, "statusField") === "always" || output.columns?.includes("s") === true ||
    (output.columns === undefined && !output.human))

function* json(found: Found, style: Style): Generator<string> {
  const { human } = style.output
  const nameOf = (name: string) => JSON.stringify(human && !found.bare ? humanName(name, style.endpoint.columns) : name)
  let separator = "{"
  if (hasStatus(found, style)) {
    yield `{"s":"ok"`
    separator = ","
  }
  for (const [name, cells] of columnsOf(found.rows)) {
    yield `${separator}${nameOf(name)}:[${cells.map((cell) => JSON.stringify(shown(name, cell, style))).join(",")}]`
    separator = ","
  }
  for (const [name, value] of Object.entries(found.fields)) {
    yield `${separator}${nameOf(name)}:${JSON.stringify(shown(name, value, style))}`
    separator = ","
  }
  yield separator === "{" ? "{}" : "}"
}

/** The columns of a table one after the other, as texts and numbers. */
function* columnsOf(rows: Rows | undefined): Generator<readonly [name: string, cells: ReadonlyArray<unknown>]> {
  for (const name of rows?.columnNames ?? []) {
    const cell = rows?.column(name)
    if (cell !== undefined) yield [name, Array.from({ length: rows?.length ?? 0 }, (_, row) => cell(row))]
  }
}

const csvColumns = ({ fields, rows }: Found, style: Style): ReadonlyArray<CsvColumn> =>
  [...columnsOf(rows), ...Object.entries(fields)].map(([name, value]) => ({
    name: style.output.human ? humanName(name, style.endpoint.columns) : name,
    cells: (Array.isArray(value) ? value : [value]).map((cell: unknown) => shown(name, cell, style))
  }))

/** A value as it is written; a time in the form that was asked for. */
const shown = (name: string, value: unknown, style: Style): unknown => {
  const { dateformat } = style.output
  if (name === "mid" && typeof value === "number" && hasRoundedMid(style)) {
    return Quotes.round(value, Profile.get(style.profile, "midDecimals"))
  }
  if (dateformat === undefined || !times.has(name)) return value
  if (Array.isArray(value)) return value.map((one: unknown) => shown(name, one, style))
  const time = typeof value === "string" && dateformat === "unix" ? epochOf(value) : value
  if (typeof time !== "number") return value
  return dateformat === "unix" ? time : dateformat === "timestamp" ? timestamp(time) : spreadsheet(time)
}

/** A day of a list of days, which is a text unless epoch seconds are asked for. */
const epochOf = (day: string): number => NewYork.midnight(CalendarDate.parseUnsafe(day))

const timestamp = (time: number): string => {
  const { date, secondOfDay } = NewYork.fromEpochSeconds(time)
  const [offset] = NewYork.formatTime(-NewYork.offsetSeconds(time)).split(":")
  return `${CalendarDate.format(date)} ${NewYork.formatTime(secondOfDay)} -${offset}:00`
}

/** A time as a spreadsheet has it: days since 1899-12-30 by New York's clock, to a second. */
const spreadsheet = (time: number): number => {
  const { date, secondOfDay } = NewYork.fromEpochSeconds(time)
  return Math.round((CalendarDate.toEpochDay(date) + 25_569 + secondOfDay / 86_400) * 1e5) / 1e5
}

/** Writes a refusal, as CSV where its query asked for that. */
export const refusal = (
  refusal: Refusals.Refusal,
  { format, profile }: { readonly format: "json" | "csv"; readonly profile: Profile.Profile }
): SandboxReply.SandboxReply => {
  if (refusal.status === 204) return SandboxReply.noContent
  const fields = Refusals.fieldsOf(refusal, profile)
  const reply = format === "csv"
    ? csvReply(refusal.status, fields.map(([name, value]) => ({ name, cells: [value] })), true)
    : SandboxReply.json(refusal.status, JSON.stringify(Object.fromEntries(fields)))
  return { ...reply, headers: { ...reply.headers, ...refusal.headers } }
}

/** A column with its name. */
interface CsvColumn {
  readonly name: string
  readonly cells: ReadonlyArray<unknown>
}

/** Writes columns as rows of text; a column that is shorter than others ends in empty cells, and so does null. */
const csvReply = (status: number, columns: ReadonlyArray<CsvColumn>, headers: boolean): SandboxReply.SandboxReply => {
  const length = Math.max(0, ...columns.map(({ cells }) => cells.length))
  const lines = headers ? [columns.map(({ name }) => csvCell(name)).join(",")] : []
  for (let row = 0; row < length; row++) lines.push(columns.map(({ cells }) => csvCell(cells[row])).join(","))
  return { status, headers: { "content-type": "text/csv" }, body: `${lines.join("\r\n")}\r\n` }
}

const csvCell = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** The names that the public service gives its fields for people, where they are not the field's own words. */
const humanNames: ReadonlyMap<string, string> = new Map([
  ["expiration", "Expiration Date"],
  ["side", "Option Side"],
  ["dte", "Days To Expiration"],
  ["updated", "Date"],
  ["iv", "IV"],
  ["t", "Date"],
  ["o", "Open"],
  ["h", "High"],
  ["l", "Low"],
  ["c", "Close"],
  ["v", "Volume"],
  ["optionSymbol", "Symbol"],
  ["change", "Change $"],
  ["changepct", "Change %"],
  ["52weekHigh", "52 Week High"],
  ["52weekLow", "52 Week Low"],
  ["reportedEPS", "Reported EPS"],
  ["estimatedEPS", "Estimated EPS"],
  ["surpriseEPS", "Surprise EPS"],
  ["surpriseEPSpct", "Surprise EPS %"],
  // Articles keep their fields as they are.
  ["headline", "headline"],
  ["content", "content"],
  ["source", "source"],
  ["publicationDate", "publicationDate"]
])

/** A field's name for people: its words, each with a capital. No two fields of one reply have the same. */
const humanName = (name: string, columnNames: ReadonlyArray<string>): string => {
  // A table with dates of its own, such as that of earnings, cannot call its time by the same name.
  if (name === "updated" && columnNames.includes("date")) return "Updated"
  return humanNames.get(name) ?? (/^[a-z]+([A-Z][a-z]+)*$/.test(name)
    ? name.replace(/[A-Z]/g, " $&").replace(/^./, (first) => first.toUpperCase())
    : name)
}

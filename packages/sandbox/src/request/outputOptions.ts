import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Parameters from "./parameters.ts"
import * as Refusals from "./refusals.ts"

/**
 * What every endpoint takes besides its own parameters: the mode, and how the reply is to be written.
 *
 * - `columns`: the names asked for, `s` among them perhaps; undefined for all
 * - `headers`: whether a CSV has a row of names
 * - `limit`, `offset`: which rows of a reply that is not about candles; all of them without a limit
 */
export interface OutputOptions {
  readonly mode: Exclude<DataMode.DataMode, DataMode.CachedOrLive> | undefined
  readonly maxAge: MaxAge.MaxAge | undefined
  readonly format: "json" | "csv"
  readonly columns: ReadonlyArray<string> | undefined
  readonly dateformat: "unix" | "timestamp" | "spreadsheet" | undefined
  readonly headers: boolean
  readonly human: boolean
  readonly limit: number | undefined
  readonly offset: number
}

/** The most rows that a limit may ask for. */
const mostRows = 50_000

/** Reads them. */
export const read = (
  parameters: Parameters.Parameters,
  profile: Profile.Profile
): Result.Result<OutputOptions, Refusals.Refusal> =>
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
export const apply = (
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

/** The day that a query of past days begins with, as far as it names one: the last day at the latest. */
export const oldestDay = ({ options }: Query.Query): CalendarDate.CalendarDate | undefined => {
  const day = options["date"] ?? options["from"] ?? options["to"]
  return typeof day === "string" ? Parameters.parseTime(day, "plain", 0)?.date : undefined
}

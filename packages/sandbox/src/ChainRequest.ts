/**
 * The parameters of a chain request, judged one by one (contract 4.1, 7.3).
 *
 * @example
 * ```ts
 * import * as MaxAge from "@effect-marketdata/core/MaxAge"
 * import * as ChainRequest from "@effect-marketdata/sandbox/ChainRequest"
 * import * as Result from "effect/Result"
 *
 * const request = ChainRequest.read("SPX", new Map([["mode", "stale"], ["maxage", "60min"]]))
 * Result.map(request, ({ maxAge, mode }) => [mode?._tag, maxAge && MaxAge.format(maxAge)]) // => Result.succeed(["Cached", "1h"])
 * ```
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as OptionChainEndpoint from "@effect-marketdata/core/endpoints/OptionChainEndpoint"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import type { Side } from "@effect-marketdata/core/OptionSymbol"
import * as Result from "effect/Result"
import * as SandboxReply from "./SandboxReply.ts"

/**
 * What a request asks for.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChainRequest {
  readonly underlying: string
  readonly mode: DataMode.Live | DataMode.Delayed | DataMode.Cached | undefined
  readonly maxAge: MaxAge.MaxAge | undefined
  readonly date: CalendarDate.CalendarDate | undefined
  readonly expiration: CalendarDate.CalendarDate | undefined
  readonly side: Side | undefined
  readonly columns: ReadonlyArray<string> | undefined
}

const bad = (errmsg: string) => Result.fail(SandboxReply.failure(400, errmsg))

const reader = <A>(
  name: string,
  read: (text: string) => Result.Result<A, SandboxReply.SandboxReply>
) =>
(parameters: ReadonlyMap<string, string>): Result.Result<A | undefined, SandboxReply.SandboxReply> => {
  const text = parameters.get(name)
  return text === undefined ? Result.succeed(undefined) : read(text)
}

const day = (name: string) =>
  reader(name, (text) =>
    Result.mapError(
      CalendarDate.parse(text),
      () => SandboxReply.failure(400, `Invalid ${name}. Write it as YYYY-MM-DD.`)
    ))

const modeOf = reader("mode", (text) => {
  const mode = DataMode.fromParameter(text)
  return mode !== undefined && (mode._tag === "Live" || mode._tag === "Delayed" || mode._tag === "Cached")
    ? Result.succeed(mode)
    : bad("Invalid mode. Use live, cached or delayed.")
})

const maxAgeOf = reader("maxage", (text) =>
  Result.mapError(
    /^\d{1,9}(min|h)$/.test(text) ? MaxAge.parse(text) : MaxAge.parse(""),
    () => SandboxReply.failure(400, "Invalid maxage. Write a duration such as 5min or 1h.")
  ))

const sideOf = reader(
  "side",
  (text) => text === "call" || text === "put" ? Result.succeed<Side>(text) : bad("Invalid side. Use call or put.")
)

const columnsOf = reader("columns", (text) => {
  const names = text.split(",")
  const unknown = names.find((name) => !OptionChainEndpoint.columns.some((column) => column === name))
  return unknown === undefined ? Result.succeed(names) : bad(`Invalid columns. There is no column ${unknown}.`)
})

/**
 * Reads the parameters of a chain request; fails with the 400 reply. Parameters that the endpoint does not know are ignored.
 *
 * @category reading
 * @since 0.1.0
 */
export const read = (
  underlying: string,
  parameters: ReadonlyMap<string, string>
): Result.Result<ChainRequest, SandboxReply.SandboxReply> =>
  Result.gen(function*() {
    const format = parameters.get("format")
    if (format !== undefined && format !== "json") return yield* bad("Invalid format. Use json.")
    const mode = yield* modeOf(parameters)
    const date = yield* day("date")(parameters)
    if (date !== undefined && mode?._tag === "Cached") {
      return yield* bad("Invalid mode. There is no cached data of a past day.")
    }
    return {
      underlying,
      mode,
      // Without cached data maxage has no effect; it is not even looked at (clause 4.1-maxage-ignored).
      maxAge: mode?._tag === "Cached" ? yield* maxAgeOf(parameters) : undefined,
      date,
      expiration: parameters.get("expiration") === "all" ? undefined : yield* day("expiration")(parameters),
      side: yield* sideOf(parameters),
      columns: yield* columnsOf(parameters)
    }
  })

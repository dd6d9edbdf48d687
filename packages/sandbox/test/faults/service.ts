import * as Result from "effect/Result"
import { of, type Seam } from "../../../core/test/support/seam.ts"

const ChainSnapshot = of(() => import("@effect-marketdata/sandbox/ChainSnapshot"))
const Table = of(() => import("@effect-marketdata/core/ColumnTable"))
const OptionChain = of(() => import("../../src/endpoints/optionChain.ts"))
const OptionSymbol = of(() => import("@effect-marketdata/core/OptionSymbol"))
const Parameters = of(() => import("../../src/request/parameters.ts"))
const Query = of(() => import("../../../core/src/query/query.ts"))
const Quotes = of(() => import("../../src/endpoints/quotes.ts"))
const Refusals = of(() => import("../../src/request/refusals.ts"))
const Rendering = of(() => import("../../src/service/rendering.ts"))
const Routes = of(() => import("@effect-marketdata/sandbox/Routes"))
const SandboxReply = of(() => import("@effect-marketdata/sandbox/SandboxReply"))
const Service = of(() => import("../../src/service/service.ts"))
const StockSnapshot = of(() => import("@effect-marketdata/sandbox/StockSnapshot"))
const TableJson = of(() => import("../../../core/src/columns/tableJson.ts"))
const Trading = of(() => import("@effect-marketdata/sandbox/Trading"))
const WebServer = of(() => import("../../src/server/webServer.ts"))

type Make = typeof import("@effect-marketdata/sandbox/ChainSnapshot").make

/** A chain whose columns are changed when it is made. */
const changed = (
  clause: string,
  change: (chain: ReturnType<Make>, row: number, underlying: Parameters<Make>[1]) => unknown
): Seam =>
  ChainSnapshot.make(clause, (make) => (seed, underlying, ...listed) => {
    const chain = make(seed, underlying, ...listed)
    for (let row = 0; row < chain.length; row++) change(chain, row, underlying)
    return chain
  })

/** A table that is printed otherwise: its pieces are the opening one, one for each column, and the closing one. */
const printed = (clause: string, change: (piece: string) => string): Seam =>
  TableJson.encode(clause, (encode) =>
    function*(...table) {
      for (const piece of encode(...table)) yield change(piece)
    })

/** The service reads another target than it was sent. */
const reads = (clause: string, change: (target: string) => string): Seam =>
  Routes.read(clause, (read) => (target) => read(change(target)))

/** A service that mends an option symbol before it judges it. */
const mended = (clause: string, mend: (symbol: string) => string): Seam =>
  Quotes.ofOption(
    clause,
    (read) => (asked) =>
      read({ ...asked, segments: { ...asked.segments, optionSymbol: mend(asked.segments["optionSymbol"]!) } })
  )

/** What the simulated market and the service over it could get wrong of paths, parameters and replies. */
export const faults: ReadonlyArray<Seam> = [
  changed("2.1-side", ({ side }, row) => side[row] = 1 - side[row]!),
  changed("2.1-mid", ({ ask, mid }, row) => mid[row] = ask[row]!),
  changed("2.1-dte", ({ dte }, row) => dte[row]!++),
  // Below its intrinsic value an option has a negative time value.
  changed("2.1-moneyness", ({ extrinsicValue, intrinsicValue, mid }, row) => {
    if (mid[row]! < intrinsicValue[row]!) extrinsicValue[row]! *= -1
  }),
  changed("2.1-expiration", ({ expiration }, row, { kind }) => expiration[row]! -= kind === "index" ? 900 : 0),
  changed("2.1-first-traded", ({ firstTraded }, row) => firstTraded[row]! -= 34_200),
  changed("2.1-updated", ({ updated }, row) => updated[row]! -= 86_400),
  Trading.make("2.1-last-null", (make) => (...of) => {
    const trading = make(...of)
    return { ...trading, last: Number.isNaN(trading.last) ? 0 : trading.last }
  }),
  Table.make(
    "2.1-only-last-null",
    (make) => (spec, content) =>
      make(spec, { ...content, nulls: "last" in content.nulls ? { ...content.nulls, iv: content.nulls["last"] } : {} })
  ),
  OptionSymbol.format("2.3-format", (format) => (symbol) => format(symbol).toLowerCase()),
  // All day long a stock has the price of its close.
  StockSnapshot.make("4.4-stock-quote", (make) => (...of) => {
    const at = make(...of)
    return (time: Parameters<typeof at>[0]) => at({ ...time, progress: 1 })
  }),
  printed("2.1-shape", (piece) => piece.replace(`{"s":`, `{"status":`)),
  printed("2.1-lengths", (piece) => piece.replace(/^(,"bid":\[)[^,]*,/, "$1")),
  printed("2.1-fields", (piece) => piece.startsWith(`,"vega"`) ? "" : piece),
  printed("2.1-closed", (piece) => piece === "}" ? `,"rho":[]}` : piece),
  Refusals.fieldsOf(
    "2.2-error-body",
    (fieldsOf) => (...refusal) => fieldsOf(...refusal).filter(([name]) => name !== "s")
  ),
  // Any mode is refused where there is no cached data.
  Rendering.applyOptions(
    "4-mode-everywhere",
    (apply) => (output, query) =>
      apply(output.mode === undefined ? output : { ...output, mode: { _tag: "Cached", maxAge: undefined } }, query)
  ),
  // The path is not decoded.
  reads("4.1-path", (target) => target.replace(/%(?=[^?]*(\?|$))/g, "%25")),
  // Any version is as good.
  Routes.find("9-version", (find) => ({ path: [, ...path] }) => find({ path: ["v1", ...path] })),
  OptionChain.select(
    "4.1-params",
    (select) => (chain, { side, ...selection }, day) =>
      select(chain, { ...selection, side: side && (side === "call" ? "put" : "call") }, day)
  ),
  // Today is past.
  Query.checkDate("4.1-date", (checkDate) => (query, now) => checkDate(query, now + 86_400)),
  Rendering.readOptions("4.1-maxage-ignored", (read) => (parameters, profile) =>
    read(
      parameters.values.has("maxage")
        ? { ...parameters, values: new Map(parameters.values).set("mode", "cached") }
        : parameters,
      profile
    )),
  // A date that is not past is taken.
  Parameters.checkPastDay("4.2-quote", () => () => Result.succeed(undefined)),
  // Slashes that are not encoded lead nowhere.
  Routes.find("4.3-lookup", (find) => (target) => target.path.length > 4 ? undefined : find(target)),
  Quotes.tickersOf(
    ["4.5-prices", "4.5-bulk-candles"],
    (read) => (asked) => Result.map(read(asked), (symbols) => symbols.slice(0, 1))
  ),
  Quotes.tickersOf("8.1-no-cap", (read) => (asked) => Result.map(read(asked), (symbols) => symbols.slice(0, 500))),
  Rendering.found(
    ["7.1-200", "7.2-success-set"],
    (found) => (status, ...rest) => ({ ...found(status, ...rest), status: status === 200 ? 206 : status })
  ),
  Rendering.found(
    ["7.1-203", "7.2-not-mapped", "7.2-success-set"],
    (found) => (status, ...rest) => ({ ...found(status, ...rest), status: 200 })
  ),
  SandboxReply.noContent(
    ["4.1-statuses", "7.1-204", "7.2-success-set"],
    (noContent) => ({ ...noContent, status: 404 })
  ),
  Refusals.badRequest("7.1-400", (badRequest) => (errmsg) => ({ ...badRequest(errmsg), status: 422 })),
  Refusals.planRequired("7.1-402", (planRequired) => (errmsg) => ({ ...planRequired(errmsg), status: 403 })),
  Refusals.addressBlocked("7.1-403", (blocked) => (...addresses) => ({ ...blocked(...addresses), status: 401 })),
  Refusals.symbolNotFound("7.1-404", (symbolNotFound) => ({ ...symbolNotFound, status: 400 })),
  Refusals.optionNotFound("7.3-400-vs-404", (optionNotFound) => ({ ...optionNotFound, status: 400 })),
  // Every profile says all that is known.
  Refusals.fieldsOf("7.1-bodies-unknown", () => ({ fields }) => Object.entries({ s: "error", ...fields })),
  reads("7.3-url-shape", (target) => target.startsWith("/") ? target : `/${target}`),
  // An ampersand in the path is taken for the query mark.
  reads("7.3-cause-url", (target) => target.replace(/^([^?&]*)&/, "$1?")),
  // Of two values the first one wins.
  reads("7.3-cause-malformed-query", (target) => target.replace(/([?&]\w+=)([^&]*)&(\w+)=.*/, "$1$2")),
  // A flag that is neither yes nor no is left out.
  Parameters.number(
    "7.3-cause-wrong-type",
    (number) => (...read) => Result.orElse(number(...read), () => Result.succeed(undefined))
  ),
  Refusals.query(
    "7.3-cause-unsupported-value",
    (query) => (result) => Result.mapError(query(result), (refusal) => ({ ...refusal, status: 404 }))
  ),
  Refusals.query(
    "7.3-symbol-errmsg",
    (query) => (result) => Result.mapError(query(result), (refusal) => ({ ...refusal, fields: { errmsg: "Invalid." } }))
  ),
  Refusals.invalidDate("7.3-date-errmsg", (invalidDate) => ({ ...invalidDate, fields: { errmsg: "Invalid." } })),
  // A line that the parser gave up on has no limit.
  WebServer.refusal("7.3-html-400", (refusal) => (error, _limit, read) => refusal(error, 1e9, read)),
  Service.admit(
    "4-get",
    (admit) => (self, request, now) =>
      admit(self, { ...request, method: request.method === "POST" ? "GET" : request.method }, now)
  ),
  mended("2.3-bad-expiration", (symbol) => symbol.replace("261131", "261130")),
  mended("2.3-bad-side", (symbol) => symbol.replace("X", "C")),
  mended("2.3-bad-strike-length", (symbol) => symbol.replace(/C0(\d{8})$/, "C$1")),
  mended("2.3-bad-strike-padding", (symbol) => symbol.replace(/C(\d{6})$/, "C00$1")),
  mended("2.3-bad-strike-decimal", (symbol) => symbol.replace(/C\d*\.\d*$/, "C00270000")),
  mended("2.3-legacy", (symbol) => symbol.replace(/^IBM ?AT$/, "IBM270115C00100000"))
]

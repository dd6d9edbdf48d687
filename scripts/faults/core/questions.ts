import type { Fault } from "../fault.ts"

const query = "packages/core/src/query/query.ts"
const request = "packages/core/src/query/HttpRequest.ts"
const endpoint = "packages/core/src/endpoints/OptionChain.ts"
const encoding = "packages/core/src/query/encoding.ts"
const question = "packages/core/src/query/question.ts"
const parameter = "packages/core/src/query/parameter.ts"
const mode = "packages/core/src/account/DataMode.ts"
const maxAge = "packages/core/src/time/MaxAge.ts"
const calendar = "packages/core/src/time/CalendarDate.ts"

/** What asking could get wrong before anything is sent. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "1-base-url", file: request, find: `.replace(/\\/+$/, "")`, replace: "" },
  { clause: "1-base-url", file: request, find: "/\\/v1$/i.test(path)", replace: `path === "/v1"` },
  { clause: "1-base-url", file: request, find: "[A-Za-z0-9.:[\\]_-]+", replace: "[^/?#\\s]+" },
  { clause: "4-get", file: request, find: "`${self.method} ${self.target}", replace: "`POST ${self.target}" },
  {
    clause: "4-mode-everywhere",
    file: query,
    find: "if (self.mode !== undefined) parameters.push",
    replace: `if (self.mode !== undefined && self.mode._tag !== "Live") parameters.push`
  },
  {
    clause: "4.1-path",
    file: endpoint,
    find: `"/v1/options/chain/{underlyingSymbol}/"`,
    replace: `"/v1/options/chain/{underlyingSymbol}"`
  },
  {
    clause: "9-version",
    file: endpoint,
    find: `"/v1/options/chain/{underlyingSymbol}/"`,
    replace: `"/options/chain/{underlyingSymbol}/"`
  },
  { clause: "4.1-path", file: encoding, find: "map(ticker, encodeText)", replace: "map(ticker, String)" },
  { clause: "4.1-params", file: query, find: `["maxage", MaxAge`, replace: `["maxAge", MaxAge` },
  {
    clause: "4.1-date",
    file: query,
    find: "date < CalendarDate.format(Eastern.dateOf(now))",
    replace: "date <= CalendarDate.format(Eastern.dateOf(now))"
  },
  {
    clause: "4.1-date",
    file: query,
    find: "CalendarDate.format(Eastern.dateOf(now))",
    replace: "CalendarDate.format(CalendarDate.fromEpochDay(now / 86_400))"
  },
  {
    clause: "4.1-maxage-cached-only",
    file: query,
    find: "DataMode.isCached(read.success.mode) ? read.success.maxAge ?? self.maxAge : undefined",
    replace: "self.maxAge"
  },
  {
    clause: "8.3-fallback",
    file: query,
    find: "DataMode.isCached(read.success.mode) ? read.success.maxAge ?? self.maxAge : undefined",
    replace: "self.maxAge"
  },
  { clause: "7.3-url-shape", file: encoding, find: `.join("&")`, replace: `.join("?")` },
  {
    clause: "7.3-cause-url",
    file: encoding,
    find: "/^[A-Za-z0-9^$._-]{1,32}$/",
    replace: "/^[A-Za-z0-9^$._/-]{1,32}$/"
  },
  { clause: "7.3-cause-url", file: encoding, find: " && !/^\\.+$/.test(symbol)", replace: "" },
  {
    clause: "7.3-cause-wrong-type",
    file: calendar,
    find: "if (match === null) return Result.fail(new CalendarDateError({ input: Untyped.shown(input) }))",
    replace: "if (match === null) return Result.succeed({ year: 2000, month: 1, day: 1 })"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: parameter,
    find: "choices.find((text) => text === input)",
    replace: "choices.find((text) => text !== input)"
  },
  { clause: "8.1-request-line", file: request, find: "bytes > maxLineBytes", replace: "bytes >= maxLineBytes" },
  { clause: "8.1-request-line", file: request, find: "maxLineBytes = 4094", replace: "maxLineBytes = 4095" },
  {
    clause: "8.1-request-line",
    file: request,
    find: "new TextEncoder().encode(`GET ${target} HTTP/1.1`).length",
    replace: "`GET ${target} HTTP/1.1`.length"
  },
  { clause: "8.2-modes", file: mode, find: `["stale", cached()]`, replace: `["old", cached()]` },
  {
    clause: "8.2-default",
    file: query,
    find: "if (self.mode !== undefined) parameters.push([\"mode\", DataMode.parameter(self.mode)])",
    replace: `parameters.push(["mode", self.mode === undefined ? "live" : DataMode.parameter(self.mode)])`
  },
  {
    clause: "8.2-cached-unavailable",
    file: question,
    find: "!DataMode.isCached(mode)",
    replace: `mode?._tag !== "Cached"`
  },
  {
    clause: "8.3-maxage-forms",
    file: maxAge,
    find: "minutes: Math.floor(minutes)",
    replace: "minutes: Math.round(minutes)"
  },
  { clause: "8.3-maxage-forms", file: maxAge, find: "${self.minutes / 60}h", replace: "${self.minutes}h" },
  { clause: "8.3-maxage-forms", file: maxAge, find: "if (minutes < 1)", replace: "if (minutes < 0)" },
  {
    clause: "8.3-maxage-forms",
    file: maxAge,
    find: "const shown = isRepeated ? 2 * 3600 : secondOfDay",
    replace: "const shown = secondOfDay"
  },
  { clause: "8.3-age", file: maxAge, find: "now - entryTime <= self", replace: "now - entryTime < self" },
  { clause: "8.3-age", file: maxAge, find: "entryTime >= self", replace: "entryTime > self" }
]

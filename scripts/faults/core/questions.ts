import type { Fault } from "../fault.ts"

const query = "packages/core/src/Query.ts"
const request = "packages/core/src/HttpRequest.ts"
const endpoint = "packages/core/src/endpoints/OptionChainEndpoint.ts"
const encoding = "packages/core/src/internal/encoding.ts"
const mode = "packages/core/src/DataMode.ts"
const maxAge = "packages/core/src/MaxAge.ts"
const calendar = "packages/core/src/CalendarDate.ts"

/** What asking could get wrong before anything is sent. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "1-base-url", file: request, find: `.replace(/\\/+$/, "")`, replace: "" },
  { clause: "1-base-url", file: request, find: "[^/?#\\s@]+", replace: "[^/?#\\s]+" },
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
    find: "/v1/options/chain/${segment}/",
    replace: "/v1/options/chain/${segment}"
  },
  { clause: "9-version", file: endpoint, find: "/v1/options/chain/${segment}/", replace: "/options/chain/${segment}/" },
  { clause: "4.1-path", file: encoding, find: "Result.succeed(encodeText(symbol))", replace: "Result.succeed(symbol)" },
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
    find: `maxAge: mode._tag === "Cached" ? self.maxAge : undefined`,
    replace: "maxAge: self.maxAge"
  },
  {
    clause: "8.3-fallback",
    file: query,
    find: `maxAge: mode._tag === "Cached" ? self.maxAge : undefined`,
    replace: "maxAge: self.maxAge"
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
    clause: "7.3-cause-malformed-query",
    file: query,
    find: "options.columns?.length === 0",
    replace: "options.columns?.length === -1"
  },
  {
    clause: "7.3-cause-wrong-type",
    file: calendar,
    find: "if (match === null) return Result.fail(new CalendarDateError({ input }))",
    replace: "if (match === null) return Result.succeed({ year: 2000, month: 1, day: 1 })"
  },
  {
    clause: "7.3-cause-unsupported-value",
    file: endpoint,
    find: `if (options.side !== "call" && options.side !== "put") {`,
    replace: `if (options.side === undefined) {`
  },
  { clause: "8.1-request-line", file: request, find: "bytes > maxLineBytes", replace: "bytes >= maxLineBytes" },
  { clause: "8.1-request-line", file: request, find: "maxLineBytes = 4094", replace: "maxLineBytes = 4095" },
  {
    clause: "8.1-request-line",
    file: request,
    find: "new TextEncoder().encode(`GET ${target} HTTP/1.1`).length",
    replace: "`GET ${target} HTTP/1.1`.length"
  },
  { clause: "8.2-modes", file: mode, find: `case "stale":`, replace: `case "old":` },
  {
    clause: "8.2-default",
    file: query,
    find: "if (self.mode !== undefined) parameters.push([\"mode\", DataMode.parameter(self.mode)])",
    replace: `parameters.push(["mode", self.mode === undefined ? "live" : DataMode.parameter(self.mode)])`
  },
  {
    clause: "8.2-cached-unavailable",
    file: query,
    find: `mode !== undefined && DataMode.parameter(mode) === "cached"`,
    replace: `mode !== undefined && mode._tag === "Cached"`
  },
  { clause: "8.3-maxage-forms", file: maxAge, find: "Math.floor(Duration", replace: "Math.round(Duration" },
  { clause: "8.3-maxage-forms", file: maxAge, find: "${self.minutes / 60}h", replace: "${self.minutes}h" },
  { clause: "8.3-maxage-forms", file: maxAge, find: "if (minutes < 1)", replace: "if (minutes < 0)" }
]

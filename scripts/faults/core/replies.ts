import type { Fault } from "../fault.ts"

const reply = "packages/core/src/reply/Reply.ts"
const refusals = "packages/core/src/reason/refusals.ts"
const errorBody = "packages/core/src/reason/errorBody.ts"
const readers = "packages/core/src/reply/readers.ts"
const redaction = "packages/core/src/text/redact.ts"
const foreignText = "packages/core/src/text/ForeignText.ts"
const headers = "packages/core/src/reply/replyHeaders.ts"
const askedFor = "packages/core/src/endpoints/askedFor.ts"

/** What the meaning of replies could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "2.2-error-body",
    file: errorBody,
    find: `field(body, "errmsg")`,
    replace: `field(body, "message")`
  },
  {
    clause: "2.2-error-body",
    file: "packages/core/src/reply/Reply.ts",
    find: "isError(data) && first.hasRoom",
    replace: "false"
  },
  {
    clause: "4.1-statuses",
    file: reply,
    find: `reply.status === 200 || reply.status === 203 ? "data"`,
    replace: `reply.status === 200 ? "data"`
  },
  { clause: "5.7-401", file: reply, find: "tokenSent: reply.tokenSent ?? true", replace: "tokenSent: true" },
  { clause: "5.7-401", file: reply, find: "case 401:", replace: "case 407:" },
  {
    clause: "7.1-200",
    file: reply,
    find: `head.status === 203 ? "cache" : "provider"`,
    replace: `head.status >= 200 ? "cache" : "provider"`
  },
  {
    clause: "7.1-203",
    file: reply,
    find: `head.status === 203 ? "cache" : "provider"`,
    replace: `head.status === 304 ? "cache" : "provider"`
  },
  {
    clause: "7.1-204",
    file: reply,
    find: `reply.status === 204 ? "nothing"`,
    replace: `reply.status === 204 ? "data"`
  },
  {
    clause: "7.1-204-elsewhere",
    file: reply,
    find: "cached ? new Reason.NoCachedData(known) : new Reason.UnexpectedNoContent(known)",
    replace: "new Reason.NoCachedData(known)"
  },
  {
    clause: "8.3-miss",
    file: reply,
    find: "cached ? new Reason.NoCachedData(known) : new Reason.UnexpectedNoContent(known)",
    replace: `query.mode?._tag === "Cached" ? new Reason.NoCachedData(known) : new Reason.UnexpectedNoContent(known)`
  },
  {
    clause: "7.1-400",
    file: reply,
    find: ": new Reason.BadRequest(said)",
    replace: ": new Reason.UnexpectedStatus({ status, ...said })"
  },
  { clause: "7.1-402", file: reply, find: "case 402:", replace: "case 412:" },
  { clause: "8.2-access", file: reply, find: "cached: reply.cached ?? false", replace: "cached: false" },
  {
    clause: "8.2-access",
    file: refusals,
    find: "free and trial plans have no cached data, leave the mode out",
    replace: "change the plan"
  },
  { clause: "7.1-403", file: reply, find: "case 403:", replace: "case 413:" },
  { clause: "7.1-404", file: reply, find: "case 404:", replace: "case 410:" },
  {
    clause: "7.3-400-vs-404",
    file: reply,
    find: "return new Reason.NotFound({ ...ErrorBody.absence(ErrorBody.parse(text), body), ...said })",
    replace: "return new Reason.BadRequest(said)"
  },
  {
    clause: "7.3-400-vs-404",
    file: errorBody,
    find: "/no option (was )?found/i",
    replace: "/no option symbol/i"
  },
  { clause: "7.1-404", file: errorBody, find: `time(body, "prevTime")`, replace: `time(body, "nextTime")` },
  {
    clause: "7.1-404",
    file: errorBody,
    find: `field(body, "s") === "no_data"`,
    replace: `field(body, "s") === "error"`
  },
  { clause: "7.1-402", file: errorBody, find: "years? of data/i", replace: "years of data/i" },
  {
    clause: "5.6-single-ip",
    file: reply,
    find: `blockedIP: ErrorBody.address(parsed, "blockedIP")`,
    replace: `blockedIP: ErrorBody.address(parsed, "authorizedIP")`
  },
  { clause: "5.6-single-ip", file: errorBody, find: "{2,45}", replace: "{2,450}" },
  { clause: "7.1-bodies-unknown", file: redaction, find: "(?:\\\\s|%20|", replace: "(?:\\\\s|" },
  { clause: "7.1-bodies-unknown", file: redaction, find: "[=:]|%3D", replace: "=|%3D" },
  {
    clause: "7.1-bodies-unknown",
    file: foreignText,
    find: "cut(redact(text), maxLength).replace(unprintable, escape)",
    replace: "cut(text, maxLength).replace(unprintable, escape)"
  },
  {
    clause: "7.1-bodies-unknown",
    file: foreignText,
    find: "cut(redact(text), maxLength).replace(unprintable, escape)",
    replace: "cut(redact(text), maxLength)"
  },
  {
    clause: "7.1-charge-not-stated",
    file: headers,
    find: "ratelimit-consumed\"], /^\\d{1,9}$/)",
    replace: "ratelimit-consumed\"], /^\\d{1,9}/)"
  },
  {
    clause: "7.1-bodies-unknown",
    file: errorBody,
    find: `typeof body === "object" && body !== null ? `,
    replace: `typeof body === "object" ? `
  },
  { clause: "7.1-bodies-unknown", file: reply, find: ".trim(), most)", replace: ".trim())" },
  {
    clause: "7.1-bodies-unknown",
    file: reply,
    find: `if (body !== undefined) return ErrorBody.errmsg(body) ?? (typeof body === "string" ? body : "")`,
    replace: "if (ErrorBody.errmsg(body) !== undefined) return ErrorBody.errmsg(body)!"
  },
  {
    clause: "7.1-bodies-unknown",
    file: reply,
    find: `ErrorBody.errmsgOfHalf(text) ?? ""`,
    replace: `""`
  },
  {
    clause: "7.1-403",
    file: errorBody,
    find: "|IP address has changed/i",
    replace: "|IP address/i"
  },
  { clause: "7.1-403", file: errorBody, find: `"(authorizedIP|blockedIP)"`, replace: `"(blockedIP)"` },
  {
    clause: "2.1-fields",
    file: readers,
    find: "statusOptional: query.columns !== undefined",
    replace: "statusOptional: false"
  },
  {
    clause: "2.1-fields",
    file: readers,
    find: "statusOptional: query.columns !== undefined",
    replace: "statusOptional: true"
  },
  {
    clause: "8.2-cost-quotes",
    file: readers,
    find: "!bitmaps.every((bitmap)",
    replace: "!bitmaps.some((bitmap)"
  },
  {
    clause: "7.2-success-set",
    file: reply,
    find: `reply.status === 200 || reply.status === 203 ? "data"`,
    replace: `reply.status === 200 ? "data"`
  },
  {
    clause: "7.2-success-set",
    file: reply,
    find: `reply.status === 200 || reply.status === 203 ? "data"`,
    replace: `reply.status === 203 ? "data"`
  },
  {
    clause: "7.2-success-set",
    file: reply,
    find: `const reason = head.status === 204\n`,
    replace: `const reason = head.status === 205\n`
  },
  {
    clause: "7.2-success-set",
    file: reply,
    find: `reply.status === 204 ? "nothing"`,
    replace: `reply.status === 205 ? "nothing"`
  },
  {
    clause: "7.2-not-mapped",
    file: reply,
    find: `head.status === 203 ? "cache" : "provider"`,
    replace: `cached ? "cache" : "provider"`
  },
  {
    clause: "7.2-cached-200",
    file: reply,
    find: "...(cached && head.status === 200 ? [cachedAnsweredFresh] : []),",
    replace: ""
  },
  {
    clause: "7.3-symbol-errmsg",
    file: reply,
    find: `body.startsWith("Invalid option symbol")`,
    replace: `body.startsWith("Invalid symbol")`
  },
  {
    clause: "7.3-date-errmsg",
    file: reply,
    find: `body.startsWith("Invalid date")`,
    replace: `body.includes("not a valid date")`
  },
  {
    clause: "7.3-html-400",
    file: reply,
    find: "/Request Line is too large/i",
    replace: "/Request Line is too large \\(\\d+ > 4094\\)/i"
  },
  { clause: "7.3-html-400", file: reply, find: `head.mediaType === "text/html" && `, replace: "" },
  { clause: "7.3-html-400", file: headers, find: `.replace(/;.*/s, "")`, replace: "" },
  {
    clause: "4.4-stock-quote",
    file: askedFor,
    find: "own !== undefined && !each || own?.shift() !== undefined",
    replace: "own !== undefined"
  },
  {
    clause: "4.5-prices",
    file: askedFor,
    find: "each ? ofCount(names.length, table.length) : []",
    replace: "[]"
  },
  { clause: "4.1-path", file: askedFor, find: ".every((name) => left.has(", replace: ".some((name) => left.has(" },
  {
    clause: "4.2-quote",
    file: askedFor,
    find: `about === "optionSymbol" ? [query.subject] : query.tickers`,
    replace: "query.tickers"
  }
]

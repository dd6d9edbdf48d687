import { headed, mistaken, refused, taken, unknown } from "../changes.ts"
import { of, type Seam } from "../seam.ts"

const AskedFor = of(() => import("../../../packages/core/src/endpoints/askedFor.ts"))
const ErrorBody = of(() => import("../../../packages/core/src/reason/errorBody.ts"))
const ForeignText = of(() => import("@effect-marketdata/core/ForeignText"))
const Redact = of(() => import("../../../packages/core/src/text/redact.ts"))
const Reply = of(() => import("@effect-marketdata/core/Reply"))
const ReplyHeaders = of(() => import("../../../packages/core/src/reply/replyHeaders.ts"))
const Retry = of(() => import("@effect-marketdata/core/Retry"))

/** What the meaning of replies could get wrong. */
export const faults: ReadonlyArray<Seam> = [
  ErrorBody("2.2-error-body", "errmsg", () => () => undefined),
  // Rows that nobody asked for go unnoticed.
  AskedFor(["4.1-path", "4.2-quote", "4.4-stock-quote", "4.5-prices"], "deviations", () => () => []),
  headed("7.1-200", (head) => head.status === 200 ? { ...head, read: "text" } : head),
  headed(
    ["4.1-statuses", "7.1-203", "7.2-success-set"],
    (head) => head.status === 203 ? { ...head, read: "text" } : head
  ),
  headed(["7.1-204", "7.2-success-set"], (head) => head.status === 204 ? { ...head, read: "data" } : head),
  // Cached data are told to come from the provider.
  taken("7.1-203", (query, head) => [query, { ...head, status: 200 }]),
  // The mode says where the data come from.
  taken("7.2-not-mapped", (query, head) => [query, { ...head, status: query.mode?._tag === "Cached" ? 203 : 200 }]),
  Reply("7.2-cached-200", "outcome", (outcome) => (...reply) => {
    const found = outcome(...reply)
    return found._tag !== "Delivered"
      ? found
      : { ...found, findings: found.findings.filter(({ code }) => code !== "CachedAnsweredFresh") }
  }),
  // Of several replies nothing is found.
  Reply(
    "7.2-cached-200",
    "join",
    (join) => (query, [first, ...others]) =>
      join(query, [{ ...first, findings: [] }, ...others.map((other) => ({ ...other, findings: [] }))])
  ),
  // Every 204 is a miss.
  taken("7.1-204-elsewhere", (query, head) => [{ ...query, mode: { _tag: "Cached", maxAge: undefined } }, head]),
  // No 204 is a miss.
  taken("8.3-miss", (query, head) => [{ ...query, mode: undefined }, head]),
  mistaken("7.1-400", 400, 404),
  mistaken("5.7-401", 401, 407),
  // Nobody says whether a token was sent.
  refused("5.7-401", (head, reply) => [head, { ...reply, tokenSent: undefined }]),
  mistaken("7.1-402", 402, 412),
  ErrorBody("7.1-402", "limit", () => () => ({ cause: undefined, years: undefined })),
  refused("8.2-access", (head, reply) => [head, { ...reply, cached: false }]),
  mistaken("7.1-403", 403, 413),
  // Every 403 is a block.
  ErrorBody("7.1-403", "isAddressBlock", () => () => true),
  ErrorBody("5.6-single-ip", "address", () => () => undefined),
  mistaken(["7.1-404", "7.3-400-vs-404"], 404, 400),
  ErrorBody("7.1-404", "absence", () => () => ({ cause: undefined, prevTime: undefined, nextTime: undefined })),
  // After a refusal the same is asked again.
  Retry(
    ["7.1-204", "7.1-400", "5.7-401", "7.1-402", "7.1-403", "7.1-404"],
    "decide",
    (decide) => (policy, failure) =>
      decide(policy, { ...failure, reason: Object.create(failure.reason, { isRetryable: { value: true } }) })
  ),
  // Only JSON has words.
  ErrorBody("7.1-bodies-unknown", "parse", (parse) => (text) => parse(text) ?? {}),
  // What looks like a token is told.
  Redact("7.1-bodies-unknown", "redact", () => (text) => text),
  // What a terminal obeys is told.
  ForeignText("7.1-bodies-unknown", "line", () => (text, most) => text.slice(0, most)),
  unknown("7.3-date-errmsg", "Invalid date"),
  unknown("7.3-symbol-errmsg", "Invalid option symbol"),
  unknown("7.3-html-400", "Request Line"),
  // The type of a body is taken with its parameters.
  ReplyHeaders("7.3-html-400", "mediaType", () => (headers) => headers["content-type"])
]

/**
 * Replies, for fast-check: every status with every kind of body, also those that no good service sends.
 *
 * @example
 * ```ts
 * import * as Reply from "@effect-marketdata/core/Reply"
 * import * as Replies from "@effect-marketdata/testing/Replies"
 * import * as fc from "fast-check"
 *
 * const [reply] = fc.sample(Replies.ofStatus(401), { seed: 1, numRuns: 1 })
 * Reply.refusal(Reply.head(reply!), reply!)._tag // => "Unauthorized"
 * ```
 *
 * @since 0.1.0
 */
import * as fc from "fast-check"
import * as Chains from "./Chains.ts"

/**
 * A reply as it comes from the network. Header names are in lower case; the text is what the bytes of the body say.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Statuses: those of the contract, those that the public service has besides, and any other from 200 to 599.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const status: fc.Arbitrary<number> = fc.oneof(
  { arbitrary: fc.constantFrom(200, 203, 204, 400, 401, 402, 403, 404), weight: 4 },
  { arbitrary: fc.constantFrom(413, 429, 500, 502, 503, 504, 509, 520), weight: 2 },
  { arbitrary: fc.integer({ min: 200, max: 599 }), weight: 1 }
)

/** Words of the service and of others, and words that nobody expects. */
const words = fc.oneof(
  fc.constantFrom(
    "Invalid option symbol. Use valid OCC symbology for the option symbol.",
    "Invalid date. The date parameter is used for historical queries only.",
    "Symbol not found.",
    "Multiple IP addresses",
    "You have exceeded your credit limit",
    "Too many concurrent requests",
    "Bearer abc.def.ghi"
  ),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(..."ab \"\\{}[]<>\n\t%&;='"), maxLength: 300 })
)

/**
 * Error bodies of the contract, `{ s: "error", errmsg }` (clause 2.2-error-body), also with fields besides, and `no_data`.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const errorJson: fc.Arbitrary<string> = fc.oneof(
  words.map((errmsg) => ({ s: "error", errmsg })),
  fc.record({ extra: fc.jsonValue({ maxDepth: 1 }), errmsg: words, s: fc.constant("error") }),
  fc.record({ s: fc.constant("no_data"), nextTime: fc.option(fc.nat()), prevTime: fc.option(fc.nat()) })
).map((body) => JSON.stringify(body))

/**
 * Pages, as proxies and web servers send them; the one that says the request line is too long among them (clause 7.3-html-400).
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const html: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: 4095, max: 9000 }).map((bytes) =>
    `<html><head><title>Bad Request</title></head><body><h1><p>Bad Request</p></h1>` +
    `Request Line is too large (${bytes} &gt; 4094)</body></html>`
  ),
  words.map((text) => `<!doctype html><html><body><p>${text}</p></body></html>`)
)

/**
 * Texts that were cut off: the beginning of an error body, a page or a chain, which may be nothing.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const truncated: fc.Arbitrary<string> = fc.tuple(
  fc.oneof(errorJson, html, Chains.chainOf(1, 3).map(Chains.body)),
  fc.nat({ max: 999 })
).map(([text, thousandths]) => text.slice(0, Math.floor(thousandths / 1000 * text.length)))

/**
 * Every kind of body: a legal chain, an error as JSON, a page, a text that was cut off, any JSON, any words, none.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const text: fc.Arbitrary<string> = fc.oneof(
  Chains.chainOf(0, 3).map(Chains.body),
  errorJson,
  html,
  truncated,
  fc.json({ maxDepth: 2 }),
  words,
  fc.constant("")
)

/** What a header of figures may hold; nonsense too. */
const figure = fc.oneof(fc.nat({ max: 200_000 }).map(String), fc.constantFrom("-1", "", "NaN", "1e3", "many"))

const types = ["application/json", "application/json; charset=utf-8", "text/html", "text/plain", "?"]

/**
 * Headers: the type of the body, right or wrong or absent; the service's figures of credits, sometimes, and sometimes nonsense.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const headers: fc.Arbitrary<Readonly<Record<string, string>>> = fc.record({
  "content-type": fc.constantFrom(...types),
  "x-api-ratelimit-limit": figure,
  "x-api-ratelimit-remaining": figure,
  "x-api-ratelimit-consumed": figure,
  "retry-after": fc.oneof(figure, fc.constant("Wed, 21 Oct 2026 07:28:00 GMT")),
  "cf-ray": fc.string({ maxLength: 80 })
}, { requiredKeys: [] })

/**
 * Replies of one status, with every kind of body and header; the two need not fit each other.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const ofStatus = (status: number): fc.Arbitrary<Reply> =>
  fc.record({ status: fc.constant(status), headers, text })

/**
 * Replies of every status, with every kind of body and header.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const reply: fc.Arbitrary<Reply> = fc.record({ status, headers, text })

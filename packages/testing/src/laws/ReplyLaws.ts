/**
 * Laws of replies, for whatever says what a reply means (contract 7): every status with every body has a meaning, and the status decides
 * which.
 *
 * @example
 * ```ts
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as ReplyLaws from "@effect-marketdata/testing/ReplyLaws"
 * import * as Result from "effect/Result"
 *
 * // It takes only 200 for a success.
 * const interpret: ReplyLaws.Interpret = (query, reply) =>
 *   reply.status === 203 ? { _tag: "UnexpectedStatus" } : ReplyLaws.core(query, reply)
 * const broken = ReplyLaws.of(interpret).filter((law) => Result.isFailure(Law.attempt(law, { seed: 1 })))
 * broken.some(({ clauses }) => clauses.includes("7.1-203")) // => true
 * ```
 *
 * @since 0.1.0
 */
import { DataMode, type Finding, Query, type Reason, Reply } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as Chains from "../arbitraries/Chains.ts"
import * as Chunkings from "../arbitraries/Chunkings.ts"
import * as Queries from "../arbitraries/Queries.ts"
import * as Replies from "../arbitraries/Replies.ts"
import * as Law from "../harness/Law.ts"

/**
 * What a reply came to: data, or the tag of a reason.
 *
 * @category models
 * @since 0.1.0
 */
export interface Meaning {
  readonly _tag: "Delivered" | Reason.OfReply["_tag"]
}

/**
 * Says what a reply to a query means; it never throws.
 *
 * @category models
 * @since 0.1.0
 */
export type Interpret = (query: Query.Query, reply: Replies.Reply) => Meaning

/** The reasons that a status can lead to, by the contract and what the public service sends besides. */
const reasonsOf = (status: number): ReadonlyArray<Meaning["_tag"]> =>
  byStatus[status] ?? (status >= 500 && status !== 511 ? ["ServerFault"] : ["UnexpectedStatus"])

const byStatus: Readonly<Record<number, ReadonlyArray<Meaning["_tag"]>>> = {
  200: ["Delivered", "MalformedReply"],
  203: ["Delivered", "MalformedReply"],
  204: ["NoCachedData", "UnexpectedNoContent"],
  400: ["BadRequest", "InvalidDate", "InvalidOptionSymbol", "RequestLineTooLong"],
  401: ["Unauthorized"],
  402: ["PlanRequired"],
  403: ["Forbidden", "AddressBlocked"],
  404: ["NotFound"],
  413: ["TooMuchData"],
  429: ["TooManyRequests", "CreditsExhausted"]
}

const answered = fc.record({ query: Queries.query, reply: Replies.reply })

const chainOf = (mode: DataMode.DataMode | undefined): Query.Query =>
  Result.getOrThrow(Query.optionChain("SPX", { mode }))

const asJson = (status: number, text: string) => ({ status, headers: { "content-type": "application/json" }, text })

const error = (errmsg: string): string => JSON.stringify({ s: "error", errmsg })

/** Statuses and messages that mean one thing: two of the contract, one that is like them, and two of the public service. Only one of these may be sent again soon. */
const words = [
  [400, "BadRequest", "The date and the option symbol are invalid."],
  [400, "InvalidOptionSymbol", "Invalid option symbol. Use valid OCC symbology for the option symbol."],
  [400, "InvalidDate", "Invalid date. The date parameter is used for historical queries only."],
  [429, "CreditsExhausted", "API credit limit reached for current window."],
  [429, "TooManyRequests", "Too many concurrent requests. Please reduce parallel requests and retry."]
] as const

/**
 * The laws of what says what a reply means.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = (interpret: Interpret): ReadonlyArray<Law.Law> => [
  Law.make({
    name: "every reply means something, and its status says what it can mean",
    clauses: ["7.1-400", "5.7-401", "7.1-402", "7.1-403", "7.1-404", "7.1-bodies-unknown"],
    arbitrary: answered,
    holds: ({ query, reply }) => reasonsOf(reply.status).includes(interpret(query, reply)._tag)
  }),
  Law.make({
    name: "data of a success are delivered, from a cache layer too",
    clauses: ["7.1-200", "7.1-203", "7.2-success-set", "7.2-not-mapped"],
    arbitrary: fc.record({ mode: Queries.mode, status: fc.constantFrom(200, 203), rows: Chains.chain }),
    holds: ({ mode, rows, status }) => interpret(chainOf(mode), asJson(status, Chains.body(rows)))._tag === "Delivered"
  }),
  Law.make({
    name: "an error is not data, whatever status it comes with",
    clauses: ["2.1-fields", "2.2-error-body"],
    arbitrary: fc.record({ mode: Queries.mode, status: fc.constantFrom(200, 203), text: Replies.errorJson }),
    holds: ({ mode, status, text }) => interpret(chainOf(mode), asJson(status, text))._tag !== "Delivered"
  }),
  Law.equation({
    name: "a 204 is a miss of cached data, and from anywhere else an error of its own",
    clauses: ["7.1-204", "7.1-204-elsewhere", "8.3-miss"],
    arbitrary: fc.record({ query: Queries.query, reply: Replies.ofStatus(204) }),
    expected: ({ query }): string => DataMode.isCached(query.mode) ? "NoCachedData" : "UnexpectedNoContent",
    received: ({ query, reply }): string => interpret(query, reply)._tag
  }),
  Law.equation({
    name: "the words of the contract have reasons of their own",
    clauses: ["7.3-symbol-errmsg", "7.3-date-errmsg", "2.2-error-body"],
    arbitrary: fc.tuple(Queries.query, fc.constantFrom(...words)),
    expected: ([, [, reason]]): string => reason,
    received: ([query, [status, , said]]): string => interpret(query, asJson(status, error(said)))._tag
  }),
  Law.equation({
    name: "a page of HTML that says so is a request line too long, whatever figures it states, and no other is",
    clauses: ["7.3-html-400"],
    arbitrary: fc.record({
      query: Queries.query,
      text: Replies.html,
      type: fc.constantFrom("text/html", "text/plain")
    }),
    expected: ({ text, type }) => text.includes("Line is too large") && type === "text/html",
    received: ({ query, text, type }) =>
      interpret(query, { status: 400, headers: { "content-type": type }, text })._tag === "RequestLineTooLong"
  })
]

/**
 * What a caller is told of a reply: the tag of its meaning, the message of a reason, what it cost in credits (undefined if that is unknown),
 * and what was unusual.
 *
 * @category models
 * @since 0.1.0
 */
export interface Received extends Meaning {
  readonly message: string | undefined
  readonly credits: number | undefined
  readonly findings: ReadonlyArray<Finding.Finding>
}

/**
 * Reads a reply whose body arrives in pieces.
 *
 * @category models
 * @since 0.1.0
 */
export type Receive = (
  query: Query.Query,
  reply: Omit<Replies.Reply, "text">,
  pieces: ReadonlyArray<Uint8Array>
) => Received

/**
 * The laws of what reads replies: pieces do not matter, refusals are free unless the service says otherwise, and nothing repeats a token that
 * a page may echo.
 *
 * @category laws
 * @since 0.1.0
 */
export const receiving = (receive: Receive): ReadonlyArray<Law.Law> => {
  const read = (query: Query.Query, reply: Replies.Reply, chunking: Chunkings.Chunking): Received =>
    receive(query, reply, Chunkings.cut(new TextEncoder().encode(reply.text), chunking))
  return [
    Law.equation({
      name: "what a reply means does not depend on its pieces",
      clauses: ["7.1-bodies-unknown"],
      arbitrary: fc.record({ query: Queries.query, reply: Replies.reply, chunking: Chunkings.chunking }),
      expected: ({ query, reply }) => read(query, reply, [65_536]),
      received: ({ chunking, query, reply }) => read(query, reply, chunking)
    }),
    Law.equation({
      name: "a reply is charged what it says was consumed, and its price where it says nothing",
      clauses: ["4.1-cost-live", "7.2-203-price"],
      arbitrary: fc.record({ rows: Chains.chain, drawn: fc.option(fc.nat()), status: fc.constantFrom(200, 203) }),
      expected: ({ drawn, rows }) => drawn === null ? rows.length : drawn % (rows.length + 1),
      received: ({ drawn, rows, status }) => {
        const consumed = drawn !== null && { "x-api-ratelimit-consumed": String(drawn % (rows.length + 1)) }
        const headers = { "x-api-ratelimit-remaining": "9999", ...consumed }
        return read(chainOf(undefined), { status, headers, text: Chains.body(rows) }, [65_536]).credits
      }
    }),
    Law.make({
      name: "no refusal costs anything that the service does not say",
      clauses: ["7.1-204", "7.1-charge-not-stated", "7.3-html-400"],
      arbitrary: answered.filter(({ reply: { status } }) => status !== 200 && status !== 203),
      // A figure that cannot be a price is not recorded.
      holds: ({ query, reply }) => {
        const { reported = 0 } = Reply.head(reply)
        const { credits } = read(query, reply, [65_536])
        return credits === reported || reported > 100 && credits === 0
      }
    }),
    Law.make({
      name: "the words of a refusal are short, and hold no token",
      clauses: ["5.4-header-default", "7.1-bodies-unknown"],
      arbitrary: fc.tuple(answered, fc.constantFrom("Bearer ", "token=", "token%3D", "\"token\":\"")),
      holds: ([{ query, reply }, before]) => {
        const secret = "sEcReT0123456789"
        const text = error(`${before}${secret} ${reply.text}`)
        const { message = "" } = read(query, { ...reply, text }, [65_536])
        return message.length < 1000 && !message.includes(secret)
      }
    })
  ]
}

/**
 * How core reads replies.
 *
 * @category laws
 * @since 0.1.0
 */
export const receive: Receive = (query, reply, pieces) => {
  const head = Reply.head(reply)
  const reader = Reply.reader(query, head, { strict: false })
  for (const piece of pieces) reader.push(piece)
  const meant = Reply.outcome(query, head, reader.end(), { receivedAt: 0, tokenSent: true })
  const credits = meant.charge?.credits
  return meant._tag === "Delivered"
    ? { _tag: meant._tag, message: undefined, credits, findings: meant.findings }
    : { _tag: meant.reason._tag, message: meant.reason.message, credits, findings: [] }
}

/**
 * What core says that a reply means.
 *
 * @category laws
 * @since 0.1.0
 */
export const core: Interpret = (query, reply) => receive(query, reply, [new TextEncoder().encode(reply.text)])

/**
 * The laws of core's replies.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [...of(core), ...receiving(receive)]

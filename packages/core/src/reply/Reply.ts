/**
 * What a reply means. `head` reads status and headers and decides how to read the body; `outcome` says what it all means: data with their
 * charge, or a reason. It handles every status, content type and body, including hostile ones.
 *
 * @example
 * ```ts
 * import * as Reply from "@effect-marketdata/core/Reply"
 *
 * const head = Reply.head({ status: 404, headers: { "content-type": "application/json" } })
 * const reason = Reply.refusal(head, { text: `{"s":"no_data","errmsg":"Symbol not found."}` })
 * reason._tag // => "NotFound"
 * reason.isRetryable // => false
 * ```
 *
 * @see {@link Reason} for the reasons
 * @see {@link Retry} for what to do after a failure
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as DataMode from "../account/DataMode.ts"
import type { DecodeError } from "../columns/DecodeError.ts"
import * as Finding from "../columns/Finding.ts"
import * as Credits from "../credits/Credits.ts"
import readings, { type EndpointName } from "../endpoints/list.ts"
import * as Reading from "../endpoints/reading.ts"
import * as Query from "../query/query.ts"
import * as ErrorBody from "../reason/errorBody.ts"
import * as Reason from "../reason/Reason.ts"
import * as ForeignText from "../text/ForeignText.ts"
import * as Problem from "../text/Problem.ts"
import * as CalendarDate from "../time/CalendarDate.ts"
import * as Provenance from "./Provenance.ts"

/**
 * The status and headers of a reply.
 *
 * - `read`: how to read the body: as data, as a text that explains, or not at all
 * - `mediaType`: the type of the body, such as `text/html`
 * - `rate`: the service's figures of credits; `reported` is its figure for this request, `rate.consumed`
 * - `retryAfter`: how long the service asks to wait, in seconds
 * - `requestId`: the service's id of the request, which its support asks for
 * - `age`: how long a cache kept the reply, in seconds. A reply of status 200 then has the figures of another request, which are left out
 *
 * @category models
 * @since 0.1.0
 */
export interface Head {
  readonly status: number
  readonly read: "data" | "text" | "nothing"
  readonly mediaType: string | undefined
  readonly rate: Rate
  readonly reported: number | undefined
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined
  readonly age?: number | undefined
}

const knownReply = /* @__PURE__ */ Problem.guard("reply", "{ status: 200, headers: {} }", { status: 200, headers: {} })

const known = /* @__PURE__ */ Problem.guard("head", "Reply.head({ status, headers })", { status: 200, rate: {} })

const knownBody = /* @__PURE__ */ Problem.guard("body", "what Reply.reader returns", {})

const knownRequest = /* @__PURE__ */ Problem.guard("request", "{ receivedAt: 1795194000, tokenSent: true }", {})

const delivered = /* @__PURE__ */ Problem.guard("delivered reply", "what Reply.outcome returns", { findings: [] })

/**
 * Reads status and headers; header names are in lower case (clauses 7.2-success-set, 7.1-200, 7.1-203, 7.1-204).
 *
 * @category decoding
 * @since 0.1.0
 */
export const head = (reply: { readonly status: number; readonly headers: Headers }): Head => {
  // Of two ages by two caches on the way the first counts (RFC 9111, 5.1).
  const age = whole(knownReply(reply).headers["age"]?.split(",")[0], /^[1-9]\d{0,8}$/)
  // The service's own cache may state an age as well, and bills.
  const rate = rateOf(age === undefined || reply.status === 203 ? reply.headers : {})
  return {
    status: reply.status,
    read: reply.status === 200 || reply.status === 203 ? "data" : reply.status === 204 ? "nothing" : "text",
    mediaType: mediaType(reply.headers),
    rate,
    reported: rate.consumed,
    retryAfter: retryAfter(reply.headers),
    requestId: reply.headers["cf-ray"]?.slice(0, 64).trimEnd(),
    ...age === undefined ? {} : { age }
  }
}

/**
 * The most bytes that are kept of a body which only explains a status.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxTextBytes = 65_536

/**
 * Data that were read: the value, the number of its rows and of those with quote data (clause 8.2-cost-quotes), its findings, and when
 * its quotes were taken. `unclear` counts the rows for which the reply does not show whether they have quote data, because not all
 * prices were asked for.
 *
 * @category models
 * @since 0.1.0
 */
export type Read<Data> = Reading.Read<Data>

/**
 * The content of a body: data or why they cannot be read, or a text, which is empty for a body that is not text. `beginning` is the first
 * text of a body that holds an error or a page instead of data, although the status is a success.
 *
 * @category models
 * @since 0.1.0
 */
export type Body<Data> =
  | { readonly data: Result.Result<Read<Data>, DecodeError>; readonly beginning?: string | undefined }
  | { readonly text: string }

/**
 * Reads the bytes of a body as they arrive. `push` returns false when no further byte can change the result, so the rest need not be
 * fetched. After the last byte, `advance` does a part of the remaining work and returns whether more is left; `end` does all that is left
 * and returns the result.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reader<out Data> {
  readonly push: (bytes: Uint8Array) => boolean
  readonly advance?: (() => boolean) | undefined
  readonly end: () => Body<Data>
}

/**
 * Returns the reader of a body: for data the columns of the endpoint, for anything else the first 64 KiB of text. Under `strict` every finding is
 * an error; `recycled` is a buffer that is no longer needed, for the columns.
 *
 * @category decoding
 * @since 0.1.0
 */
export const reader = <Data>(query: Query.Query<Data>, head: Head, options: Reading.ReadOptions): Reader<Data> =>
  known(head).read === "data" ? dataReader(query, options) : textReader()

/** How the reply to a query is read, found by its endpoint: the endpoint's constructor typed the query with what that reading returns. */
const readingOf = <Data>(query: Query.Query<Data>): Reading.Reading<Data> =>
  (Query.known(query).format === "csv" ? Reading.csv : readings[query.endpoint.name as EndpointName]) as never

const dataReader = <Data>(query: Query.Query<Data>, options: Reading.ReadOptions): Reader<Data> => {
  const { end, push, ...reader } = readingOf(query).reader(query, options)
  const first = spare ?? new Uint8Array(maxErrorBytes)
  spare = undefined
  let length = 0
  let data: Result.Result<Read<Data>, DecodeError> | undefined
  let body: Body<Data> | undefined
  const whole = (data: Result.Result<Read<Data>, DecodeError>): Body<Data> => {
    const beginning = Result.isFailure(data) ? new TextDecoder().decode(first.subarray(0, length)) : ""
    if (isError(data) || isPage(beginning)) return { data, beginning }
    spare = first
    return { data }
  }
  return {
    ...reader,
    push: (bytes) => {
      // The buffer may be the next reply's by now.
      if (body !== undefined) return false
      if (length < maxErrorBytes) {
        const part = bytes.subarray(0, maxErrorBytes - length)
        first.set(part, length)
        length += part.length
      }
      if (data === undefined && push(bytes)) return true
      data ??= end()
      // A body shows that it is an error before its message has arrived.
      return isError(data) && length < maxErrorBytes
    },
    end: () => body ??= whole(data ??= end())
  }
}

/** The buffer that kept the beginning of the last reply with data, for the next reply: making one takes as long as reading a column. */
let spare: Uint8Array<ArrayBuffer> | undefined

/** Returns whether a body says of itself that it is not data. */
const isError = (data: Result.Result<unknown, DecodeError>) => Result.isFailure(data) && data.failure.code === "NotOk"

/** Returns whether a body is a page, such as that of a proxy where users log in: the service sends none with a success. */
const isPage = (beginning: string): boolean => /^\s*</.test(beginning)

/** What is kept of a body that should be data, in bytes: an error in its place is at most as long. */
const maxErrorBytes = 2048

/**
 * Merges the data of a query's batches into one, in their order (clause 8.1-batches).
 *
 * @category decoding
 * @since 0.1.0
 */
export const merge = <Data>(query: Query.Query<Data>, parts: readonly [Data, ...ReadonlyArray<Data>]): Data =>
  Problem.list("parts", parts).length === 1 ? parts[0] : readingOf(query).merge(parts)

const textReader = (): Reader<never> => {
  const decoder = new TextDecoder()
  let text = ""
  let left = maxTextBytes
  return {
    push: (bytes) => {
      text += decoder.decode(bytes.subarray(0, left), { stream: true })
      left -= Math.min(left, bytes.length)
      return left > 0
    },
    end: () => ({ text: text + decoder.decode() })
  }
}

/**
 * Data were delivered.
 *
 * @category models
 * @since 0.1.0
 */
export interface Delivered<out Data> {
  readonly _tag: "Delivered"
  readonly status: number
  readonly data: Data
  readonly findings: ReadonlyArray<Finding.Finding>
  readonly provenance: Provenance.Provenance
  readonly charge: Credits.Charge
}

/**
 * A cache miss: a request for cached data was answered, and nothing in the cache is young enough. The status is 204, a success without
 * data (clauses 7.2-success-set and 8.3-miss). `reason` is for a caller who needs data.
 *
 * @category models
 * @since 0.1.0
 */
export interface Empty {
  readonly _tag: "Empty"
  readonly status: 204
  readonly reason: Reason.NoCachedData
  readonly charge: Credits.Charge
}

/**
 * No data were delivered. `charge` is undefined if the reply was charged but its price is unknown, because it could not be read.
 *
 * @category models
 * @since 0.1.0
 */
export interface Refused {
  readonly _tag: "Refused"
  readonly status: number
  readonly reason: Reason.OfReply
  readonly charge: Credits.Charge | undefined
}

/**
 * Returns what a whole reply means. `receivedAt` is when its head arrived, in epoch seconds. `tokenSent` distinguishes a missing token
 * from an invalid one. `assume` is used for the charge.
 *
 * @category decoding
 * @since 0.1.0
 */
export const outcome = <Data>(
  query: Query.Query<Data>,
  head: Head,
  body: Body<Data>,
  request: {
    readonly receivedAt: number
    readonly tokenSent: boolean
    readonly assume?: Omit<Credits.PriceOptions, "quoteData"> | undefined
  }
): Delivered<Data> | Empty | Refused => {
  known(head)
  knownBody(body)
  knownRequest(request)
  const { mode } = Query.known(query)
  const cached = mode !== undefined && DataMode.parameter(mode) === "cached"
  const charged = (held: Omit<Credits.Outcome, "status" | "reported"> = {}) =>
    Credits.charged(query, { ...held, status: head.status, reported: head.reported }, request.assume)
  if ("text" in body) {
    const charge = charged()
    const known: { readonly charged?: number } = isRecorded(charge) ? { charged: charge.credits } : {}
    if (cached && head.status === 204) {
      return { _tag: "Empty", status: 204, reason: new Reason.NoCachedData(known), charge }
    }
    const reason = head.status === 204
      ? new Reason.UnexpectedNoContent(known)
      : refusal(head, {
        text: body.text,
        cached,
        tokenSent: request.tokenSent,
        premium: query.endpoint.premium,
        symbol: query.list ? undefined : query.tickers[0],
        ...known
      })
    return { _tag: "Refused", status: head.status, reason, charge }
  }
  if (Result.isFailure(body.data)) {
    const { code, column, index, message } = body.data.failure
    const words = explanation(body.beginning ?? "")
    // Its price depends on its rows, which were not counted: only the service's figure or a fixed price tells the charge. A page is not from the service.
    const made = charged()
    const isPriced = isPage(body.beginning ?? "") ? made.computed === 0 : made.computed !== undefined
    const charge = isPriced || isRecorded(made) ? made : undefined
    return {
      _tag: "Refused",
      status: head.status,
      reason: new Reason.MalformedReply({
        code,
        column: column === undefined ? undefined : bounded(column, 100),
        index,
        detail: bounded(message, 500),
        ...(words === "" ? {} : { body: words }),
        ...(charge && { charged: charge.credits })
      }),
      charge
    }
  }
  const { findings, quoted, rows, unclear, updated, value } = body.data.success
  const symbols = query.kind === "quotes" ? quoted : rows
  const charge = charged({ contracts: rows, quoted, symbols, unclear, candles: rows })
  return {
    _tag: "Delivered",
    status: head.status,
    data: value,
    findings: [
      ...(cached && head.status === 200 ? [cachedAnsweredFresh] : []),
      ...(charge.finding === undefined ? [] : [charge.finding]),
      ...findings
    ],
    provenance: {
      ...(head.status === 203 ? { status: 203, source: "cache" } : { status: 200, source: "provider" }),
      requestedMode: query.mode?._tag,
      sentMode: query.mode && DataMode.parameter(query.mode),
      updated,
      ...head.age === undefined ? {} : { age: head.age },
      receivedAt: request.receivedAt - (head.age ?? 0),
      requestId: head.requestId
    },
    charge
  }
}

/** Whether it is the service's own figure. */
const isRecorded = ({ credits, reported }: Credits.Charge): boolean => credits === reported

/**
 * Removes secrets from what a reply delivered, by applying `clean` to its texts. A service may repeat a token in its id of the request,
 * in unknown fields, in the tickers that findings quote, and in the headers of a request. The columns themselves stay as they came.
 *
 * @category decoding
 * @since 0.1.0
 */
export const cleaned = <Data>(
  query: Query.Query<Data>,
  self: Delivered<Data>,
  clean: (text: string) => string
): Delivered<Data> => {
  const { data, findings, provenance } = delivered(self)
  const all = (findings: ReadonlyArray<Finding.Finding>) => findings.map((finding) => Finding.mapText(finding, clean))
  const reading = readingOf(query)
  const found = reading.findings(data)
  const cleaned = all(found)
  const isClean = cleaned.every((finding, index) => finding === found[index])
  return {
    ...self,
    data: isClean ? reading.cleaned?.(data, clean) ?? data : reading.withFindings(data, cleaned),
    findings: all(findings),
    provenance: { ...provenance, requestId: provenance.requestId && clean(provenance.requestId) }
  }
}

/**
 * Joins what the requests of a query delivered into one, in the order of the query (clause 8.1-batches).
 *
 * @category decoding
 * @since 0.1.0
 */
export const join = <Data>(
  query: Query.Query<Data>,
  parts: readonly [Delivered<Data>, ...ReadonlyArray<Delivered<Data>>]
): Pick<Delivered<Data>, "data" | "findings" | "provenance"> => {
  Problem.list("parts", parts, delivered)
  const [first, ...others] = parts
  if (others.length === 0) return first
  const data = merge(query, [first.data, ...others.map(({ data }) => data)])
  const ofReplies = parts.map(({ findings }) => ({
    length: 0,
    findings: findings.filter(({ code }) => codesOfReplies.has(code))
  }))
  return {
    data,
    findings: [...Finding.merge(ofReplies), ...readingOf(query).findings(data)],
    provenance: Provenance.merge(first.provenance, ...others.map(({ provenance }) => provenance))
  }
}

const cachedAnsweredFresh: Finding.Finding = { code: "CachedAnsweredFresh", column: undefined, count: 1, examples: [] }

/** What is unusual about a reply as a whole, and not about the rows of its table. */
const codesOfReplies: ReadonlySet<Finding.Code> = /* @__PURE__ */ new Set(["CachedAnsweredFresh", "UnexplainedCharge"])

/**
 * Returns the reason for a status that is not a success, with any body (clauses 7.1-400 to 7.1-bodies-unknown). `cached`, `tokenSent` and
 * `premium` say about the request what the reply does not: whether it asked for cached data, had a token, and went to an endpoint of paid
 * plans. `symbol` is what it asked about, `charged` what it was charged, in credits, if that is known.
 *
 * @category decoding
 * @since 0.1.0
 */
export const refusal = (
  head: Head,
  reply: {
    readonly text: string
    readonly cached?: boolean | undefined
    readonly tokenSent?: boolean | undefined
    readonly premium?: boolean | undefined
    readonly symbol?: string | undefined
    readonly charged?: number | undefined
  }
): Reason.OfAnyReply => {
  const { retryAfter, status } = known(head)
  const text = head.mediaType === "text/csv" ? ErrorBody.ofCsv(reply?.text) : reply?.text
  const body = explanation(text)
  const said = reply.charged === undefined ? { body } : { body, charged: reply.charged }
  switch (status) {
    case 400:
      // The page escapes its figures, and they may be any: only its words tell.
      return head.mediaType === "text/html" && /Request Line is too large/i.test(text)
        ? new Reason.RequestLineTooLong({ bytes: undefined })
        : body.startsWith("Invalid option symbol")
        ? new Reason.InvalidOptionSymbol(said)
        : body.startsWith("Invalid date")
        ? new Reason.InvalidDate(said)
        : new Reason.BadRequest(said)
    case 401:
      return new Reason.Unauthorized({ tokenSent: reply.tokenSent ?? true, ...said })
    case 402:
      return new Reason.PlanRequired({ ...ErrorBody.limit(body, reply), cached: reply.cached ?? false, ...said })
    case 403:
      return ErrorBody.isAddressBlock(text, body)
        ? new Reason.AddressBlocked({ ...ErrorBody.addresses(ErrorBody.parse(text)), ...said })
        : new Reason.Forbidden(said)
    case 404:
      return new Reason.NotFound({ ...ErrorBody.absence(ErrorBody.parse(text), body, reply.symbol), ...said })
    case 413:
      return new Reason.TooMuchData(said)
    case 429:
      return isExhaustion(head, body)
        ? new Reason.CreditsExhausted({ reset: head.rate.reset, ...said })
        : new Reason.TooManyRequests({ retryAfter, ...said })
    default:
      // The service never sends 511: a network on the way asks for a login, and waiting does not help.
      return status >= 500 && status <= 599 && status !== 511
        ? new Reason.ServerFault({ status, temporary: status > 500, retryAfter, ...said })
        : new Reason.UnexpectedStatus({ status, ...said })
  }
}

/** Whether a 429 says that the credits are used up: in its message, or because none are left and the message is not about parallel requests. */
const isExhaustion = ({ rate }: Head, body: string): boolean =>
  !/concurrent|parallel/i.test(body) &&
  (/credit/i.test(body) || (rate.remaining !== undefined && rate.remaining <= 0 && rate.limit !== 0))

/**
 * Returns the explanation in a body: the service's `errmsg`, even from JSON that was cut off, or the readable text of a page. It is at
 * most 200 characters, without anything that looks like a token.
 *
 * @category decoding
 * @since 0.1.0
 */
export const explanation = (text: string): string =>
  bounded(wordsOf(Problem.expect(typeof text === "string", "body", text, "a text", "Not found")), 200)

const wordsOf = (text: string): string => {
  const body = ErrorBody.parse(text)
  if (body !== undefined) return ErrorBody.errmsg(body) ?? (typeof body === "string" ? body : "")
  if (/^\s*[{[]/.test(text)) return ErrorBody.errmsgOfHalf(text) ?? ""
  // The head of a page holds its styles, and says again what the page says.
  return plain(text.slice(text.search(/<\/head>|$/i))) || plain(text)
}

/** A page without its tags. */
const plain = (page: string): string => page.replace(/<[^<>]{0,500}>/g, " ").trim()

/** A text in one line and of a bounded length, without anything that looks like a token or that a terminal would obey. */
const bounded = (text: string, most: number): string => ForeignText.line(text.replace(/\s+/g, " ").trim(), most)

/**
 * The service's figures of credits in the headers of a reply: the allowance of the window, what is left of it (which may be negative),
 * when it is full again in epoch seconds, and what this request consumed. Each is undefined if it is absent or invalid. Callers without a
 * token get a limit of 0, which does not mean that nothing is left.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rate {
  readonly limit: number | undefined
  readonly remaining: number | undefined
  readonly reset: number | undefined
  readonly consumed: number | undefined
}

/** Headers by their names in lower case. */
type Headers = Readonly<Record<string, string | undefined>>

/** A whole number; minus zero is zero. The fetch of Node leaves blanks at the end of a header. */
const whole = (header: string | undefined, pattern: RegExp): number | undefined =>
  header !== undefined && pattern.test(header.trimEnd()) ? Number(header) + 0 : undefined

/** The figures of credits; a missing or invalid one is undefined. */
const rateOf = (headers: Headers): Rate => ({
  limit: whole(headers["x-api-ratelimit-limit"], /^\d{1,9}$/),
  remaining: whole(headers["x-api-ratelimit-remaining"], /^-?\d{1,9}$/),
  reset: whole(headers["x-api-ratelimit-reset"], /^[1-9]\d{8,10}$/),
  consumed: whole(headers["x-api-ratelimit-consumed"], /^\d{1,9}$/)
})

/** The type of a body without its parameters, in lower case. */
const mediaType = (headers: Headers): string | undefined => {
  const given = headers["content-type"]
  if (given === "application/json") return given
  const name = given?.slice(0, 256).replace(/;.*/s, "").trim().toLowerCase()
  return name !== undefined && /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(name) ? name : undefined
}

const months = /* @__PURE__ */ "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")

/** An HTTP date such as `Fri, 20 Nov 2026 21:00:00 GMT`, in epoch seconds. */
const httpDate = (header = ""): number | undefined => {
  const [, day, name, year, hour, minute, second] =
    /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60) GMT\s*$/.exec(header) ?? []
  const date = { year: Number(year), month: months.indexOf(name!) + 1, day: Number(day) }
  if (!CalendarDate.isValid(date.year, date.month, date.day)) return undefined
  return CalendarDate.toEpochDay(date) * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second)
}

/**
 * How long the service asks to wait, in seconds; a number of more than nine digits counts as the greatest of nine. If it names a time instead, the wait
 * is counted from the time of the service in the same reply, the header `Date`.
 */
const retryAfter = (headers: Headers): number | undefined => {
  const header = headers["retry-after"]
  const [until, now] = header === undefined ? [] : [httpDate(header), httpDate(headers["date"])]
  const seconds = whole(header?.replace(/^0*[1-9]\d{9,}$/, "999999999"), /^0*\d{1,9}$/)
  return seconds ?? (until === undefined || now === undefined ? undefined : Math.max(0, until - now))
}

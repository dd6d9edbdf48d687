/**
 * Requests and replies of the sandbox, as the wire sees them, and the bodies the service is known to answer with.
 *
 * @example
 * ```ts
 * import * as SandboxReply from "@effect-marketdata/sandbox/SandboxReply"
 *
 * SandboxReply.text(SandboxReply.failure(404, "Symbol not found.", "no_data"))
 * // => `{"s":"no_data","errmsg":"Symbol not found."}`
 * ```
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/**
 * A request: `target` is the raw text between method and version, header names are in lower case. `address` is where the client connects
 * from; 127.0.0.1 if that is unknown.
 *
 * @category models
 * @since 0.1.0
 */
export interface SandboxRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly address: string
}

/**
 * A reply. A body in parts is written while it is made.
 *
 * @category models
 * @since 0.1.0
 */
export interface SandboxReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Iterable<string>
}

/**
 * Returns the whole body of a reply as one text.
 *
 * @category getters
 * @since 0.1.0
 */
export const text = ({ body }: SandboxReply): string => typeof body === "string" ? body : [...body].join("")

/**
 * Makes a reply with a JSON body.
 *
 * @category constructors
 * @since 0.1.0
 */
export const json = (status: number, body: SandboxReply["body"]): SandboxReply => ({
  status,
  headers: { "content-type": "application/json" },
  body
})

/**
 * Makes a reply that says why there is no data (contract 2.2). `s` is `no_data` for data that are not there.
 *
 * @category constructors
 * @since 0.1.0
 */
export const failure = (status: number, errmsg: string, s: "error" | "no_data" = "error"): SandboxReply =>
  json(status, JSON.stringify({ s, errmsg }))

/**
 * The reply to a cached miss: nothing at all.
 *
 * @category constructors
 * @since 0.1.0
 */
export const noContent: SandboxReply = { status: 204, headers: {}, body: "" }

/**
 * The page of the web server in front of the service, for a request line of that length (clause 7.3-html-400).
 *
 * @category constructors
 * @since 0.1.0
 */
export const requestLineTooLarge = (bytes: number, limit: number): SandboxReply => ({
  status: 400,
  headers: { "content-type": "text/html" },
  body: `<html><head><title>Bad Request</title></head><body><h1><p>Bad Request</p></h1>` +
    `Request Line is too large (${bytes} &gt; ${limit})</body></html>`
})

/**
 * A time in epoch milliseconds as the `date` header writes it, such as `Fri, 20 Nov 2026 17:00:00 GMT`; the beginning of 1970 for a number
 * that is not a date, because every reply has the header, that of an error too.
 *
 * @internal
 */
export const date = (millis: number): string =>
  DateTime.toDateUtc(Option.getOrElse(DateTime.make(millis), () => epoch)).toUTCString()

const epoch = DateTime.makeUnsafe(0)

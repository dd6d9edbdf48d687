/**
 * Why an HTTP request or its reply was lost, in the words of this client: for programs that send requests to the service themselves.
 *
 * @example
 * ```ts
 * import * as HttpFailure from "@effect-marketdata/client/HttpFailure"
 * import * as Effect from "effect/Effect"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as HttpClient from "effect/http/HttpClient"
 *
 * const program = HttpClient.get("http://127.0.0.1:9/status/").pipe(
 *   Effect.mapError((error) => HttpFailure.reason(error)),
 *   Effect.flip,
 *   Effect.provide(FetchHttpClient.layer)
 * )
 * const { _tag, mayHaveBeenCharged } = await Effect.runPromise(program)
 * _tag // => "TransportFailure"
 * mayHaveBeenCharged // => false
 * ```
 *
 * @since 0.1.0
 */
import { TransportFailure } from "@effect-marketdata/core/Reason"
import { type HttpClientError, isHttpClientError } from "effect/http/HttpClientError"
import type * as Redacted from "effect/Redacted"
import * as Token from "../config/token.ts"

/**
 * Returns the reason for an error of the HTTP client, a `TransportFailure`. It names the innermost cause, such as `ECONNREFUSED`, and
 * says whether the request may have been charged. If `token` is given, it is removed from the text.
 *
 * @category conversions
 * @since 0.1.0
 */
export const reason = (error: HttpClientError, token?: Redacted.Redacted): TransportFailure =>
  failure(error, hasResponse(error) || mayHaveArrived(error), Token.scrub(token))

const hasResponse = (error: unknown): boolean => isHttpClientError(error) && "response" in error.reason

/**
 * Says why a request or its reply was lost, by the innermost cause that has a name. `clean` takes secrets out of its words.
 *
 * @internal
 */
export const failure = (error: unknown, mayHaveBeenCharged: boolean, clean: (text: string) => string) => {
  const host = isHttpClientError(error) ? /^https?:\/\/([^/?#@]+)/i.exec(error.request.url)?.[1] ?? "" : ""
  const named = causes(error).map((cause) => describe(cause, host)).find((text) => text !== "") ?? "no cause was given"
  // Where no reply has begun, undici means a head with two lengths; else a body that was cut off.
  const detail = named.endsWith("LENGTH_MISMATCH") && !hasResponse(error) ? "a head of two content lengths" : named
  const head = unreadable.test(detail) ? { unreadable: true } : {}
  return new TransportFailure({ detail: clean(detail), mayHaveBeenCharged, ...head })
}

/** A head that no client can read: it is too long, holds what no header may, has two lengths, is one of 100, or over fetch one of 407. */
const unreadable = /HEADERS?_OVERFLOW|header.token|content.length(?!_M)|TRANSFER_E|100 Cont|^status 407/i

/**
 * Codes of failures that happen before a request is sent, such as those of a handshake, of a certificate that is not accepted, and of a proxy that opens
 * no tunnel: nothing can have reached the service. The same holds for each failure of the system call `connect`. Its code does not tell: Node gives
 * ETIMEDOUT for `connect`, if it tried the addresses of a host in turn, and for a connection that was open.
 */
const beforeSending = /* @__PURE__ */ new RegExp(`^(?:${
  [
    "bad port|UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ERR_(?:PROXY_TUNNEL|ACCESS_DENIED)",
    "(?:CERT|CRL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)_\\w+|ERR_TLS_CERT_ALTNAME_INVALID|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED",
    "EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|\\S*(?:HANDSHAKE_FAILURE|PROTOCOL_VERSION|APPLICATION_PROTOCOL|UNRECOGNIZED_NAME|ALERT\\S*(?:CERTIFICATE\\S*|UNKNOWN_CA)))"
  ].join("|")
})$`)

/**
 * The same failures by their messages: Deno and Cloudflare Workers give no codes, and some codes are also those of other failures. undici 8 names what a
 * server refused by a GOAWAY in this way; older versions also name so what it took.
 */
const saysBeforeSending =
  /client error \(Connect\)|to port \d+ are blocked|before secure TLS connection was established|when HTTP Tunneling|\bRequires net access|called within global scope|'RequestInitializerDict' is not|^UND_ERR_INFO HTTP\/2: "GOAWAY"/

/**
 * Returns whether a request without a response may have reached the service.
 *
 * @internal
 */
export const mayHaveArrived = (error: unknown): boolean =>
  (!isHttpClientError(error) || error.reason._tag === "TransportError") &&
  !causes(error).some((cause) =>
    beforeSending.test(textOf(cause, "code") || nameOf(cause)) || textOf(cause, "syscall") === "connect" ||
    saysBeforeSending.test(`${textOf(cause, "code")} ${textOf(cause, "message")}`)
  )

/** The chain of causes, the innermost first; bounded, since a cause may be its own. */
const causes = (error: unknown): ReadonlyArray<object> => {
  const chain: Array<object> = []
  for (let at = error; typeof at === "object" && at !== null && chain.length < 10; at = inner(at)) chain.unshift(at)
  return chain
}

const inner = (error: object): unknown => {
  if ("errors" in error && Array.isArray(error.errors) && error.errors.length > 0) return error.errors[0]
  if ("reason" in error) return error.reason
  return "cause" in error ? error.cause : undefined
}

/** Names a cause by its code, else by its message without anything that could be a URL. The codes of a tunnel that a proxy refused, and of HTTP/2, do not say why. */
const nameOf = (error: object): string => {
  const code = textOf(error, "code")
  // The search for URLs takes the square of the time: a message may hold a whole body.
  const message = error instanceof Error ? textOf(error, "message").slice(0, 1000) : ""
  const words = message.replace(/\S+:\/\/\S+/g, "<url>").slice(0, 200)
  // For undici such a head ends the connection, though a response would follow.
  if (code === "UND_ERR_SOCKET" && words === "bad response") return "100 Continue was not asked for"
  // The fetch of Node gives no cause for this failure alone.
  if (words === "fetch failed") return "status 407, a proxy asks for credentials"
  return ["", "UND_ERR_ABORTED", "UND_ERR_INFO", "ERR_PROXY_TUNNEL"].includes(code) ? words : code
}

/** Names a cause, and the host that could not be found or reached: that of the cause or, if a name was not found, that of the request. */
const describe = (error: object, requested: string): string => {
  const name = nameOf(error)
  const host = hostOf(error) || (name === "ENOTFOUND" || name === "EAI_AGAIN" ? requested : "")
  return host === "" ? name : `${name} ${host}`
}

/** What name resolution asked for, or what was connected to. */
const hostOf = (error: object): string => {
  const address = textOf(error, "address")
  const port = "port" in error && typeof error.port === "number" ? `:${error.port}` : ""
  const host = textOf(error, "hostname") || (address === "" ? "" : address + port)
  return /^[\w.:-]{1,260}$/.test(host) ? host : ""
}

const textOf = (error: object, name: "code" | "hostname" | "address" | "message" | "syscall"): string => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" ? value : ""
}

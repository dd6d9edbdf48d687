/**
 * The web server in front of the service: the names that it may be called by, and its replies. The service never sees these requests: they are free.
 *
 * A page of some site can make its own name point to this machine (DNS rebinding), and would then read what the sandbox answers; but the browser still
 * writes that name into `Host`, and this is where it is refused.
 */
import type { Endpoint } from "@effect-marketdata/core/Endpoint"
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Problem from "@effect-marketdata/core/Problem"
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import type * as Http from "node:http"
import * as Net from "node:net"
import * as Accounts from "../account/Accounts.ts"
import * as SandboxReply from "../wire/SandboxReply.ts"

type Reply = SandboxReply.SandboxReply

/** A name or an address as it is compared: without brackets, and without the dot that ends a full name. */
const plain = (host: string): string => host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "").toLowerCase()

const isName = (host: unknown): host is string =>
  typeof host === "string" &&
  (/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(host) || Net.isIPv6(plain(host)))

/** Tells what is wrong with a list of names, where something is. */
export const hostsProblem = (allowed: unknown): string | undefined => {
  const example = `["sandbox.internal"]`
  if (!Array.isArray(allowed)) {
    return Problem.format(`allowedHosts ${Problem.shown(allowed)}`, { rule: "must be a list of names", example })
  }
  const wrong: unknown = allowed.find((host) => !isName(host))
  return allowed.every(isName) ? undefined : Problem.format(`allowedHosts ${Problem.shown(wrong)}`, {
    rule: "must be a name or address without scheme and port",
    example
  })
}

/** The authority of a target that is a whole address, as a proxy gets it. */
const absolute = /^https?:\/\/([^/?#]*)/i

/**
 * Makes the rules of a server that listens on a host: its own names are loopback names, the address that it listens on, and those allowed.
 *
 * - `stranger`: what a request calls the server by, if that is another name. A target that is a whole address counts as well as the field. HTTP/1.0 may
 *   leave the field out, which no browser does
 * - `shared`: the fields by which a browser lets a page of another origin read the reply (CORS), if the page is from a host of these names too. The public
 *   service lets every page read; here a page of the web would read what runs on this machine
 */
export const hostRules = (host: string, allowed: ReadonlyArray<string>) => {
  const names = new Set([host, ...allowed].map(plain))
  const isOwn = (named: string, socket: Net.Socket): boolean => {
    const name = plain(hostOf(named))
    return isLoopback(name) || names.has(name) || name === addressOf(socket.localAddress)
  }
  return {
    stranger: ({ headers, socket, url = "" }: Http.IncomingMessage): string | undefined =>
      [headers.host, absolute.exec(url)?.[1]].find((named) => named !== undefined && !isOwn(named, socket)),
    shared: ({ headers: { origin }, socket }: Http.IncomingMessage): Reply["headers"] => {
      // Only browsers name an origin.
      const named = origin && absolute.exec(origin)?.[1]
      return named && isOwn(named, socket) ? { "access-control-allow-origin": "*" } : {}
    }
  }
}

/** Whether a browser asks what a page of another origin may send. */
export const isPreflight = ({ headers, method }: SandboxReply.SandboxRequest): boolean =>
  method === "OPTIONS" && headers["access-control-request-method"] !== undefined

/** What it is told, in the public service's words: a token, among others. */
export const preflight: Reply = {
  status: 200,
  headers: {
    "access-control-allow-headers":
      "accept, accept-encoding, authorization, content-type, dnt, origin, user-agent, x-csrftoken, x-requested-with",
    "access-control-allow-methods": "DELETE, GET, OPTIONS, PATCH, POST, PUT",
    "access-control-max-age": "86400"
  },
  body: ""
}

/** What to tell a client that calls the server by another name. */
export const misdirected = (named: string): Reply =>
  SandboxReply.failure(
    421,
    `This sandbox does not answer to the host ${
      ForeignText.quote(named)
    }. Call it by localhost or by the address that it ` +
      "listens on, or start it with --allowed-host NAME (allowedHosts in SandboxServer.layer)."
  )

/** Returns whether a host is this machine and reachable from nowhere else. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)

/** Reads the host of a `host` header, without port and brackets. */
export const hostOf = (header: string): string =>
  /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header)?.slice(1).find(Boolean) ?? ""

/** Takes an address as the system tells it; IPv4 within IPv6 is IPv4. */
export const addressOf = (address: string | undefined): string =>
  address === undefined ? "127.0.0.1" : address.replace(/^::ffff:(?=\d+\.)/i, "")

const page = (status: number, title: string, text: string): Reply => ({
  status,
  headers: { "content-type": "text/html", connection: "close" },
  body: `<html><head><title>${title}</title></head><body><h1><p>${title}</p></h1>${text}</body></html>`
})

/** The reply to what is not HTTP. */
export const malformed = page(400, "Bad Request", "The request cannot be read as HTTP/1.1")

/** A body over the limit. */
export const contentTooLarge = page(413, "Content Too Large", "No request here takes a body of that size")

/** Header fields over the limit. */
export const headersTooLarge = page(431, "Request Header Fields Too Large", "The header fields are too large")

const timeout = page(408, "Request Timeout", "The request did not come in time")

/** The reply to a method that the web server does not take, such as one that takes the connection for itself. */
export const methodNotAllowed: Reply = {
  ...page(405, "Method Not Allowed", "Use GET"),
  headers: { "content-type": "text/html", connection: "close", allow: "GET" }
}

/** The reply if the sandbox has a defect. */
export const internalError = page(500, "Internal Server Error", "The sandbox has a defect; its log tells which")

/** What Node says of a request that it could not read: `rawPacket` is what came last, and `bytesParsed` how many bytes of that it has read. */
export interface ParserError {
  readonly code?: string
  readonly bytesParsed?: number
  readonly rawPacket?: Uint8Array
}

/** A request line, with any token as its method. */
const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S* HTTP\/1\.[01]$/

/** The line that begins the request in which reading stopped, as far as it is in the last packet. */
const lineOf = ({ bytesParsed = 0, rawPacket = new Uint8Array() }: ParserError): { text: string; isWhole: boolean } => {
  const packet = Buffer.from(rawPacket).toString("latin1")
  const before = packet.lastIndexOf("\r\n\r\n", bytesParsed - 1)
  const request = packet.slice(before < 0 ? 0 : before + 4).replace(/^(?:\r?\n)+/, "")
  const end = request.search(/\r?\n/)
  return end < 0 ? { text: request, isWhole: false } : { text: request.slice(0, end), isWhole: true }
}

/**
 * Tells what the service would have answered to a request that never got through Node's parser. Node stops reading at its own limit, which
 * is far over the service's: where it does so before the end of a line, that line is too long, and has at least as many bytes as were read.
 */
export const refusal = (
  error: ParserError,
  lineLimit: number,
  { bytesRead, hasLine }: { readonly bytesRead: number; readonly hasLine: boolean }
): Reply => {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return timeout
  const { isWhole, text } = lineOf(error)
  const isCutOff = error.code === "HPE_HEADER_OVERFLOW" && !isWhole
  // The line had ended before, so the fields are too large.
  if (isCutOff && hasLine) return headersTooLarge
  if (isCutOff) return SandboxReply.requestLineTooLarge(Math.max(bytesRead, text.length), lineLimit)
  if (text.length > lineLimit) return SandboxReply.requestLineTooLarge(text.length, lineLimit)
  if (error.code === "HPE_HEADER_OVERFLOW") return headersTooLarge
  return error.code === "HPE_INVALID_METHOD" && requestLine.test(text) ? methodNotAllowed : malformed
}

/** A whole reply as bytes, for a connection that is closed behind it. */
export const toBytes = (reply: Reply, reason: string): string => {
  const text = SandboxReply.text(reply)
  const fields = { ...reply.headers, connection: "close", "content-length": String(Buffer.byteLength(text)) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${reply.status} ${reason}\r\n${lines.join("")}\r\n${text}`
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }

const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => escapes[letter] ?? letter)

const endpointRow = ({ listPath, parameters, path, stated, tokenless }: Endpoint): string =>
  [
    `<code>${escape(path)}</code>${
      listPath === undefined || listPath === path ? "" : `<br><code>${escape(listPath)}</code>`
    }`,
    escape(parameters.join(", ")),
    `${stated ? "contract" : "public service"}${tokenless ? ", no token" : ""}`
  ].map((cell) => `<td>${cell}</td>`).join("")

/**
 * The page at `/` of a server by its base URL: what the sandbox is, what it serves, and how to point a client at it, with the accounts
 * that are there by default under its profile. Text and nothing else: no script, no account, no token but the sandbox's own.
 */
export const startPage = (baseUrl: string, profile: Profile.Profile): Reply => {
  const accounts = Accounts.ofProfile(profile)
  const [account] = accounts
  const token = account?.token ?? ""
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Market Data sandbox</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
pre, code { font: 0.9em ui-monospace, monospace }
pre { padding: 0.8rem; border: 1px solid #8886; overflow-x: auto }
table { border-collapse: collapse; display: block; overflow-x: auto }
td, th { text-align: left; vertical-align: top; padding: 0.3rem 1rem 0.3rem 0; border-bottom: 1px solid #8884 }
</style>
</head>
<body>
<h1>Market Data sandbox</h1>
<p>This is the Market Data API, simulated: its paths, its errors, its credits. Every price is made up by a seed.
No real account is here, and no credit is spent.</p>
<h2>Point a client at it</h2>
<pre>curl -H "Authorization: Bearer ${escape(token)}" "${
      escape(baseUrl)
    }/v1/options/chain/SPX/?mode=cached&amp;columns=strike,bid,ask"

MARKETDATA_BASE_URL=${escape(baseUrl)} MARKETDATA_TOKEN=${escape(token)} marketdata chain SPX</pre>
<p>Unless the sandbox was given accounts of its own, these tokens open one of each plan:
${
      accounts.map(({ plan, publicPlan, token }) => `<code>${escape(token)}</code> (${publicPlan ?? plan})`).join(", ")
    }.</p>
<h2>What it serves</h2>
<table>
<tr><th>GET</th><th>parameters of its own</th><th>stated by</th></tr>
${Object.values(Query.endpoints).map((endpoint) => `<tr>${endpointRow(endpoint)}</tr>`).join("\n")}
</table>
<h2>What the real service does not have</h2>
<p><code>/sandbox/faults</code> (GET, PUT, DELETE) scripts what goes wrong; <code>/sandbox/clock</code> (GET, PUT) is its time;
<code>/sandbox/statement</code> and <code>/sandbox/requests</code> tell an account, by its bearer token, what it asked for and spent.</p>
</body>
</html>
`
  }
}

/** The replies of the web server in front of the service, which never sees these requests: they are free. */
import type { Endpoint } from "@effect-marketdata/core/Endpoint"
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Accounts from "../account/Accounts.ts"
import * as SandboxReply from "../wire/SandboxReply.ts"

type Reply = SandboxReply.SandboxReply

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

/** What the web server in front of the service answers by itself: the service never sees these requests, and nobody pays for them. */
import * as SandboxReply from "../SandboxReply.ts"

type Reply = SandboxReply.SandboxReply

const page = (status: number, title: string, text: string): Reply => ({
  status,
  headers: { "content-type": "text/html", connection: "close" },
  body: `<html><head><title>${title}</title></head><body><h1><p>${title}</p></h1>${text}</body></html>`
})

/** What no parser of HTTP understands. */
export const malformed = page(400, "Bad Request", "The request cannot be read as HTTP/1.1")

/** A body over the limit. */
export const contentTooLarge = page(413, "Content Too Large", "No request here takes a body of that size")

/** Header fields over the limit. */
export const headersTooLarge = page(431, "Request Header Fields Too Large", "The header fields are too large")

const timeout = page(408, "Request Timeout", "The request did not come in time")

const methodNotAllowed: Reply = {
  ...page(405, "Method Not Allowed", "Use GET"),
  headers: { "content-type": "text/html", connection: "close", allow: "GET" }
}

/** What to tell a client of whom we know no more. */
export const internalError = page(500, "Internal Server Error", "The sandbox has a defect; its log tells which")

/** What Node says of a request that it could not read. */
export interface ParserError {
  readonly code?: string
  readonly rawPacket?: Uint8Array
}

/** Methods, by their form alone: which there are is not the parser's to say. */
const requestLine = /^(?:\r?\n)*([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S*) HTTP\/1\.[01]\r?\n/

/**
 * Tells what the service would have answered to a request that never got through Node's parser. Node stops reading at its own limit, which
 * is far over the service's: a packet without the end of a line is part of a request line, or of a header field as large as that.
 */
export const refusal = ({ code, rawPacket }: ParserError, lineLimit: number): Reply => {
  const text = rawPacket === undefined ? "" : Buffer.from(rawPacket).toString("latin1")
  const end = text.search(/\r?\n/)
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return end < 0 || end > lineLimit
        ? { ...SandboxReply.requestLineTooLarge(end < 0 ? text.length : end, lineLimit) }
        : headersTooLarge
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return timeout
    default:
      if (end > lineLimit) return SandboxReply.requestLineTooLarge(end, lineLimit)
      return code === "HPE_INVALID_METHOD" && requestLine.test(text) ? methodNotAllowed : malformed
  }
}

/** A method that takes the connection for itself. */
export const refuseConnect = methodNotAllowed

/** A whole reply as bytes, for a connection that is closed behind it. */
export const toBytes = (reply: Reply, reason: string): string => {
  const text = SandboxReply.text(reply)
  const fields = { ...reply.headers, connection: "close", "content-length": String(Buffer.byteLength(text)) }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${reply.status} ${reason}\r\n${lines.join("")}\r\n${text}`
}

/**
 * The names that a request may call the server by. A page of some site can make its own name point to this machine (DNS rebinding), and would then
 * read what the sandbox answers; but the browser still writes that name into `Host`, and this is where it is refused.
 */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Problem from "@effect-marketdata/core/Problem"
import type * as Http from "node:http"
import * as Net from "node:net"
import * as SandboxReply from "../wire/SandboxReply.ts"

/** A name or an address as it is compared: without brackets, and without the dot that ends a full name. */
const plain = (host: string): string => host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "").toLowerCase()

const isName = (host: unknown): host is string =>
  typeof host === "string" &&
  (/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(host) || Net.isIPv6(plain(host)))

/** Tells what is wrong with a list of names, where something is. */
export const problem = (allowed: unknown): string | undefined => {
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
 * Makes the rule of a server that listens on a host: it returns what a request calls the server by, where that is neither a loopback name, nor the address
 * that it listens on, nor one of those allowed. A target that is a whole address counts as well as the field. HTTP/1.0 may leave the field out, which no
 * browser does.
 */
export const make = (
  host: string,
  allowed: ReadonlyArray<string>
): (request: Http.IncomingMessage) => string | undefined => {
  const names = new Set([host, ...allowed].map(plain))
  return ({ headers, socket, url = "" }) =>
    [headers.host, absolute.exec(url)?.[1]].find((named) => {
      if (named === undefined) return false
      const name = plain(hostOf(named))
      return !isLoopback(name) && !names.has(name) && name !== addressOf(socket.localAddress)
    })
}

/** What to tell a client that calls the server by another name. */
export const misdirected = (named: string): SandboxReply.SandboxReply =>
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

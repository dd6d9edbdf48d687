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
 * Makes the rules of a server that listens on a host: its own names are loopback names, the address that it listens on, and those allowed.
 *
 * - `stranger`: what a request calls the server by, if that is another name. A target that is a whole address counts as well as the field. HTTP/1.0 may
 *   leave the field out, which no browser does
 * - `shared`: the fields by which a browser lets a page of another origin read the reply (CORS), if the page is from a host of these names too. The public
 *   service lets every page read; here a page of the web would read what runs on this machine
 */
export const make = (host: string, allowed: ReadonlyArray<string>) => {
  const names = new Set([host, ...allowed].map(plain))
  const isOwn = (named: string, socket: Net.Socket): boolean => {
    const name = plain(hostOf(named))
    return isLoopback(name) || names.has(name) || name === addressOf(socket.localAddress)
  }
  return {
    stranger: ({ headers, socket, url = "" }: Http.IncomingMessage): string | undefined =>
      [headers.host, absolute.exec(url)?.[1]].find((named) => named !== undefined && !isOwn(named, socket)),
    shared: ({ headers: { origin }, socket }: Http.IncomingMessage): SandboxReply.SandboxReply["headers"] => {
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
export const preflight: SandboxReply.SandboxReply = {
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

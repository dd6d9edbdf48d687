/** Returns whether a host is this machine and reachable from nowhere else. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)

/** Reads the host of a `host` header, without port and brackets. */
export const hostOf = (header: string): string =>
  /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header)?.slice(1).find(Boolean) ?? ""

/** Takes an address as the system tells it; IPv4 within IPv6 is IPv4. */
export const addressOf = (address: string | undefined): string =>
  address === undefined ? "127.0.0.1" : address.replace(/^::ffff:(?=\d+\.)/i, "")

import type { Exchange } from "./exchange.ts"

/**
 * The page of the web server for a request line that is too long: the contract says that it is HTML and states the limit; the public
 * service's words are known.
 */
export const isTooLong = ({ headers, status, text }: Pick<Exchange, "headers" | "status" | "text">): boolean =>
  status === 400 && headers["content-type"]?.trim().toLowerCase().startsWith("text/html") === true &&
  (/\b4094\b/.test(text) || text.includes("Request Line is too large"))

import * as Result from "effect/Result"
import { type Reader, refuse } from "./parameter.ts"
import * as Rules from "./rules.ts"

/**
 * Checks a ticker. A character that could end a path segment, leave it or start a query is refused, not encoded: no ticker has one, so it is a
 * mistake to report.
 */
export const ticker: Reader = (parameter, symbol) => {
  if (typeof symbol !== "string" || symbol === "") return refuse(parameter, symbol, Rules.tickerMissing)
  const isTicker = (text: string): boolean => /^[A-Za-z0-9^$._-]{1,32}$/.test(text) && !/^\.+$/.test(text)
  if (isTicker(symbol)) return Result.succeed(symbol)
  const [first, ...others] = symbol.slice(0, 256).split(/[,;\s]+/)
  const isList = others.length > 0 && [first!, ...others].every(isTicker)
  return refuse(parameter, symbol, isList ? Rules.oneTicker(first!) : Rules.ticker)
}

/** What limits a request: the bytes of its line, with those around the target, and the tickers of a list (clauses 8.1-request-line, 8.1-batches). */
export const limits = { lineBytes: 4094, aroundTarget: "GET  HTTP/1.1".length, tickers: 500 } as const

/** Puts segments into the places of a path: `{name}` is replaced by the segment of that name, encoded. */
export const fill = (path: string, segments: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeText(segments[name]!))

/** Writes parameters as `key=value&key2=value2`; commas stay commas, because lists are separated by them (clause 7.3-url-shape). */
export const queryString = (parameters: ReadonlyArray<readonly [string, string]>): string =>
  parameters.map(([name, value]) => `${name}=${encodeText(value).replaceAll("%2C", ",")}`).join("&")

/** Percent-encodes everything but unreserved characters. */
export const encodeText = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

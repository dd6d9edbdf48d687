import * as Result from "effect/Result"

const texts = (values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.filter((value) => typeof value === "string").map((text) => text.slice(0, 64))

/** How a query is called that could not be made: by its endpoint, and what it was to be about as far as that is text. */
export const named = (endpoint: string, ...subject: ReadonlyArray<unknown>): string =>
  [endpoint, ...texts(subject)].join(" ")

/** How a query about many tickers is called that could not be made. */
export const namedList = (endpoint: string, symbols: unknown): string => {
  // Untyped code passes what is not a list, or lets nobody look into it.
  const all = Result.getOrElse(Result.try(() => Array.isArray(symbols) ? texts(symbols) : []), () => [])
  return named(endpoint, ...all.length === 0 ? [] : [all.slice(0, 3).join(",")]) +
    (all.length > 3 ? ` and ${all.length - 3} more` : "")
}

/** The input of checks: the replies so far, and why others are missing. */
import type * as Profile from "@effect-marketdata/core/Profile"
import * as Predicate from "effect/Predicate"

/** What is asked about, and by whose reading it is judged. `isDemoNamed` is true where the caller says which ticker the demo's is. */
export interface Setting {
  readonly profile: Profile.Profile
  readonly underlying: string
  readonly tickers: readonly [string, string]
  readonly demo: string
  readonly isDemoNamed: boolean
}

/** What the service shows of the price of a request: a figure and where it stands, or nothing that can be relied on. */
export type Charge =
  | { readonly _tag: "Shown"; readonly credits: number; readonly by: string }
  | { readonly _tag: "NotShown"; readonly why: string }

/** The part of a reply that checks read. `request` describes its request: `GET /v1/stocks/quotes/F/ (without a token)`; `at` is the service's time when it came. */
export interface Exchange {
  readonly request: string
  readonly token: "sent" | "none" | "wrong"
  readonly at: number
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly json: unknown
  readonly charge: Charge
}

/**
 * What was seen so far: each reply by the name of its probe, and why it is missing otherwise. Times are the service's, in epoch seconds: `began` is that of its
 * first reply, and decides which option and which past day the whole run asks about; `now` is that of its last.
 */
export interface Seen<in Name extends string = string> {
  readonly setting: Setting
  readonly began: number
  readonly now: number
  readonly reply: (name: Name) => Exchange | undefined
  readonly missing: (name: Name) => string
}

export const isData = ({ status }: Pick<Exchange, "status">): boolean => status === 200 || status === 203

/**
 * The page of the web server for a request line that is too long: the contract says that it is HTML and states the limit; the public
 * service's words are known.
 */
export const isTooLong = ({ headers, status, text }: Pick<Exchange, "headers" | "status" | "text">): boolean =>
  status === 400 && headers["content-type"]?.trim().toLowerCase().startsWith("text/html") === true &&
  (/\b4094\b/.test(text) || text.includes("Request Line is too large"))

/** A field of a body that is an object. */
export const field = (body: unknown, name: string): unknown =>
  Predicate.hasProperty(body, name) ? body[name] : undefined

/** A field of a body that is an array, or else nothing. */
export const column = (body: unknown, name: string): ReadonlyArray<unknown> => {
  const value = field(body, name)
  return Array.isArray(value) ? value : []
}

/** How many contracts a chain has. */
export const rowsOf = ({ json }: Pick<Exchange, "json">): number => column(json, "optionSymbol").length

/** All names and texts of a body, wherever they are: the contract does not show the shape of every reply. */
export const textsOf = (body: unknown): ReadonlySet<string> => {
  const texts = new Set<string>()
  const left = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === "string") texts.add(value)
    if (typeof value !== "object" || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) texts.add(name)
      left.push(inner)
    }
  }
  return texts
}

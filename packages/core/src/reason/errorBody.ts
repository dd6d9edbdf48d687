import * as Result from "effect/Result"
import * as Csv from "../columns/csv.ts"
import * as Expiration from "../symbol/Expiration.ts"
import * as NewYork from "../time/NewYork.ts"
import type { PlanRequired } from "./Reason.ts"

/** Parses JSON; undefined for any other text. */
export const parse = (text: string): unknown =>
  Result.getOrUndefined(Result.try({ try: (): unknown => JSON.parse(text), catch: () => undefined }))

/** Converts an error in CSV to the JSON of other errors; any other text is unchanged. */
export const ofCsv = (text: string): string => {
  const fields = Csv.firstRow(text)
  return fields === undefined || !("errmsg" in fields || "s" in fields) ? text : JSON.stringify(fields)
}

const field = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null ? Object.getOwnPropertyDescriptor(body, name)?.value : undefined

/** The service's message, from the field `errmsg`; undefined if there is none. */
export const errmsg = (body: unknown): string | undefined => {
  const value = field(body, "errmsg")
  return typeof value === "string" ? value : undefined
}

/** The same from JSON that was cut off: as much of the message as is there. */
export const errmsgOfHalf = (text: string): string | undefined => {
  const words = /^\s*\{.*?"errmsg"\s*:\s*"((?:[^"\\]|\\["\\/bfnrt]|\\u[\dA-Fa-f]{4}){1,300})/s.exec(text)?.[1]
  const value = words === undefined ? undefined : parse(`"${words.replace(/\s+/g, " ")}"`)
  return typeof value === "string" ? value : undefined
}

/**
 * Whether a 403 blocks an address because the account was used from several: it has a field for the addresses, whole or cut off, or says so
 * in the service's words. A firewall in front of the service forbids too, and its pages speak of addresses as well.
 */
export const isAddressBlock = (text: string, words: string): boolean =>
  /^\s*\{.*"(authorizedIP|blockedIP)"\s*:/s.test(text) ||
  /multiple IP addresses|only one device is permitted|IP address has changed/i.test(words)

/** The fields of a body that hold an address of version 4 or 6. */
export const addresses = (body: unknown) => ({
  authorizedIP: address(field(body, "authorizedIP")),
  blockedIP: address(field(body, "blockedIP"))
})

const address = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\dA-Fa-f.:]{2,45}$/.test(value) ? value : undefined

const time = (body: unknown, name: string): number | undefined => {
  const value = field(body, name)
  return NewYork.isTime(value) && value >= 0 ? value : undefined
}

/** The messages of a 404 that tell its cause. */
const absences = [
  [/symbol not found/i, "UnknownSymbol"],
  [/no option (was )?found/i, "UnknownOption"],
  [/market closed/i, "MarketClosed"]
] as const

/** The cause of a 404 by its message, the nearest times with data, and the underlying to ask for where the symbol is a root of its options. */
export const absence = (body: unknown, words: string, symbol = "") => ({
  underlying: [Expiration.underlyingOf(symbol)].find((underlying) => underlying !== symbol),
  cause: absences.find(([said]) => said.test(words))?.[1] ??
    (field(body, "s") === "no_data" && words === "" ? "NoData" : undefined),
  prevTime: time(body, "prevTime"),
  nextTime: time(body, "nextTime")
})

/** The cause of a 402 by its message, or else by the endpoint. */
export const limit = (
  words: string,
  { premium = false }: { readonly premium?: boolean | undefined }
): Pick<PlanRequired, "cause" | "years"> => {
  const years = /access up to (\d{1,3}) years? of data/i.exec(words)?.[1]
  if (years !== undefined) return { cause: "HistoryDepth", years: Number(years) }
  return { cause: premium ? "PremiumEndpoint" : undefined, years: undefined }
}

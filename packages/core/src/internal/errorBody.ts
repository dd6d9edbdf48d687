import * as Result from "effect/Result"
import type { NotFound, PlanRequired } from "../Reason.ts"

/** What a text is as JSON; undefined for anything else. */
export const parse = (text: string): unknown =>
  Result.getOrUndefined(Result.try({ try: (): unknown => JSON.parse(text), catch: () => undefined }))

const field = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null ? Object.getOwnPropertyDescriptor(body, name)?.value : undefined

/** The field of a body that holds an address of version 4 or 6. */
export const address = (body: unknown, name: "authorizedIP" | "blockedIP"): string | undefined => {
  const value = field(body, name)
  return typeof value === "string" && /^[\dA-Fa-f.:]{2,45}$/.test(value) ? value : undefined
}

/** The last second of the year 9999, after which New York has no dates. */
const lastTime = 253_402_318_799

const time = (body: unknown, name: string): number | undefined => {
  const value = field(body, name)
  return typeof value === "number" && value >= 0 && value <= lastTime ? value : undefined
}

/** What a 404 is about, by its words, and the nearest times with data. */
export const absence = (body: unknown, words: string): Pick<NotFound, "cause" | "prevTime" | "nextTime"> => ({
  cause: /symbol not found/i.test(words)
    ? "UnknownSymbol"
    : /no option (was )?found/i.test(words)
    ? "UnknownOption"
    : /market closed/i.test(words)
    ? "MarketClosed"
    : field(body, "s") === "no_data" && words === ""
    ? "NoData"
    : undefined,
  prevTime: time(body, "prevTime"),
  nextTime: time(body, "nextTime")
})

/** What a 402 is about, by its words, and by what was asked where it says nothing. */
export const limit = (
  words: string,
  { premium = false }: { readonly premium?: boolean | undefined }
): Pick<PlanRequired, "cause" | "years"> => {
  const years = /access up to (\d{1,3}) years? of data/i.exec(words)?.[1]
  if (years !== undefined) return { cause: "HistoryDepth", years: Number(years) }
  return { cause: premium ? "PremiumEndpoint" : undefined, years: undefined }
}

/**
 * A service that somebody else wrote, from the contract alone: its paths, parameters, prices and errors, and nothing that only the public
 * service has. It imports nothing of this repository, so that the suite is judged by something that does not share its mistakes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What may be otherwise with a service that keeps the contract, or does not. */
export interface Habits {
  /** How many contracts a chain has; an even number. */
  readonly contracts?: number
  /** What it does with `expiration` and `strike`, which the contract does not know. */
  readonly filters?: "taken" | "refused" | "ignored"
  /** Where it shows what a request cost, which the contract does not say. */
  readonly charges?: "consumed" | "remaining" | "account" | "hidden"
  /** What a request costs, where that is not the contract's price. */
  readonly bill?: (billed: Billed) => number
  /** The plan of its only account. */
  readonly plan?: "paid" | "free"
  /** Whether its account is served data of past sessions whatever it asks for, at their price. */
  readonly isHistorical?: boolean
  /** Whether anything is cached. */
  readonly isCold?: boolean
  /** Answers a request in another way, where it returns true. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** A request as it is billed; `price` is what the contract says. */
export interface Billed {
  readonly target: string
  readonly status: number
  readonly price: number
}

/** The token of the only account. */
export const token = "a-stranger's-own-token"

/** The time of the service, in epoch seconds: noon of a Friday in New York, whatever the machine's clock says. */
export const now = Date.UTC(2026, 10, 20, 17) / 1000

const demoTicker = "ACME"
const price = 500.25

const hours = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", hourCycle: "h23" } as const
const newYork = new Intl.DateTimeFormat("en-US", { ...hours, timeZone: "America/New_York" })

/** Year, month, day and hour of a moment in New York. */
const partsOf = (seconds: number) => {
  const parts = new Map(newYork.formatToParts(seconds * 1000).map(({ type, value }) => [type, Number(value)]))
  return ["year", "month", "day", "hour"].map((type) => parts.get(type as Intl.DateTimeFormatPartTypes) ?? 0)
}

/** A day of New York as days since 1970. */
const dayOf = (seconds: number): number => {
  const [year = 0, month = 0, day = 0] = partsOf(seconds)
  return Date.UTC(year, month - 1, day) / 86_400_000
}

/** Four in the afternoon in New York. */
const afternoon = (day: number): number =>
  [20, 21].map((hour) => day * 86_400 + hour * 3600).find((seconds) => partsOf(seconds)[3] === 16) ?? 0

const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** A chain: columns by their names. */
type Chain = Readonly<Record<string, ReadonlyArray<unknown>>>

interface Reply {
  readonly status: number
  readonly body?: unknown
  /** The contract's price; nothing for a refusal. */
  readonly price?: number
}

const refuse = (status: number, errmsg: string): Reply => ({ status, body: { s: "error", errmsg } })

const badSymbol = refuse(400, "Invalid option symbol. Use valid OCC symbology for the option symbol.")
const badDate = refuse(400, "Invalid date. The date parameter is used for historical queries only.")

const bodies = new Map<string, Chain>()

/** A chain: half calls, half puts, all of one expiration in 30 days. */
const chainOf = (underlying: string, contracts: number, updated: number): Chain => {
  const key = `${underlying} ${contracts} ${updated}`
  const known = bodies.get(key)
  if (known !== undefined) return known
  const today = dayOf(updated)
  const rows = Array.from({ length: contracts }, (_, row) => {
    const strike = Math.floor(row / 2) + 480
    const side = row % 2 === 0 ? "call" : "put"
    const intrinsic = Math.max(0, side === "call" ? price - strike : strike - price)
    const code = `${iso(today + 30).slice(2).replaceAll("-", "")}${side === "call" ? "C" : "P"}`
    // One row is of a company that was merged into this one.
    const optionSymbol = `${row === 1 ? "OLD1" : underlying}${code}${String(strike * 1000).padStart(8, "0")}`
    const times = { expiration: afternoon(today + 30), firstTraded: afternoon(today - 60), dte: 30, updated }
    const quote = { ask: intrinsic + 1.5, askSize: 3, bid: intrinsic + 1, bidSize: 2, mid: intrinsic + 1.25 }
    const trade = { last: row === 0 ? null : intrinsic + 1, volume: row, openInterest: 10, underlyingPrice: price }
    const value = { inTheMoney: intrinsic > 0, intrinsicValue: intrinsic, extrinsicValue: 1.25 }
    const greeks = { iv: 0.3, delta: 0.5, gamma: 0.01, theta: -0.02, vega: 0.1 }
    return { optionSymbol, underlying, side, strike, ...times, ...quote, ...trade, ...value, ...greeks }
  })
  const body = Object.fromEntries(
    Object.keys(rows[0] ?? {}).map((name) => [name, rows.map((row) => row[name as keyof typeof row])])
  )
  bodies.set(key, body)
  return body
}

/** How old what is cached is, in seconds. */
const cacheAge = 30

/** Whether what is cached is young enough; undefined for an invalid age. */
const isYoung = (maxage: string | null, now: number): boolean | undefined => {
  if (maxage === null) return true
  const [, count, unit] = /^(\d+)(h|min)$/.exec(maxage) ?? []
  if (count !== undefined) return cacheAge <= Number(count) * (unit === "h" ? 3600 : 60)
  const moment = Date.parse(maxage.length === 10 ? maxage : `${maxage}Z`)
  return Number.isNaN(moment) ? undefined : now - cacheAge >= moment / 1000
}

/** What `date` asks for: a day that is past, or a refusal. */
const pastDay = (date: string, now: number): number | Reply => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : NaN
  if (Number.isNaN(time)) return refuse(400, "date is not a date")
  const day = time / 86_400_000
  if (day >= dayOf(now)) return badDate
  return new Date(time).getUTCDay() % 6 === 0 ? { status: 404, body: { s: "no_data" } } : day
}

const isSymbol = (text: string): boolean => {
  const [, year, month, day] = /^[A-Z]{1,6}(\d\d)(\d\d)(\d\d)[CP]\d{8}$/.exec(text) ?? []
  const date = new Date(`20${year}-${month}-${day}T00:00:00Z`)
  return year !== undefined && !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day)
}

/** Answers a request that is allowed, by the contract. */
const answer = (habits: Habits, url: URL, now: number): Reply => {
  const { contracts = 40, filters = "refused" } = habits
  const taken = ["mode", "maxage", "date", "token", "format", "columns", "symbols"]
  const unknown = [...url.searchParams.keys()].find((name) => !taken.includes(name))
  if (unknown !== undefined && filters === "refused" && unknown !== "pad") return refuse(400, `no parameter ${unknown}`)
  const mode = url.searchParams.get("mode") ?? "live"
  if (!["live", "cached", "cache", "stale", "delayed"].includes(mode)) return refuse(400, `no mode ${mode}`)
  const isCached = mode !== "live" && mode !== "delayed"
  if (isCached && habits.plan === "free") return refuse(402, "A free plan has no cached data.")
  const isFit = isYoung(url.searchParams.get("maxage"), now)
  if (isFit === undefined) return refuse(400, "maxage is not an age")
  const date = url.searchParams.get("date")
  const day = date === null ? undefined : pastDay(date, now)
  if (typeof day === "object") return day
  const isUncached = day !== undefined || /lookup|candles/.test(url.pathname)
  if (isUncached && isCached) return refuse(400, "no cached data of this")
  const [, version, kind, what, ...rest] = url.pathname.split("/")
  const subject = decodeURIComponent(rest[0] ?? "")
  if (version !== "v1") return { status: 404, body: { detail: "Not found." } }
  const updated = day !== undefined
    ? afternoon(day)
    : habits.isHistorical === true
    ? afternoon(dayOf(now) - 7)
    : now - (isCached ? cacheAge : mode === "delayed" ? 960 : 0)
  const status = isCached ? 203 : 200
  if (kind === "options" && what === "chain") {
    if (isCached && (!isFit || habits.isCold === true)) return { status: 204, price: 0 }
    const strike = filters === "taken" ? url.searchParams.get("strike") : null
    const whole = chainOf(subject, contracts, updated)
    const chain: Chain = strike === null ? whole : Object.fromEntries(
      Object.entries(whole).map(([name, values]) => [
        name,
        values.filter((_, row) => whole["strike"]?.[row] === Number(strike))
      ])
    )
    const rows = chain["side"]?.length ?? 0
    const isPast = day !== undefined || habits.isHistorical === true
    return { status, body: { s: "ok", ...chain }, price: isCached ? 1 : isPast ? Math.ceil(rows / 1000) : rows }
  }
  if (kind === "options" && what === "quotes") {
    if (!isSymbol(subject)) return badSymbol
    if (subject.endsWith("C99999999")) return refuse(404, "no such option")
    // The contract does not show this body: this is one of many that it could have.
    return { status, body: { s: "ok", quote: { contract: subject, bid: 1, ask: 1.5, updated } }, price: 1 }
  }
  if (kind === "options" && what === "lookup") {
    const [, underlying, month, dayOfMonth, year, strike, side] =
      /^(\w+) (\d+)\/(\d+)\/20(\d\d) \$([\d.]+) (Call|Put)$/.exec(subject) ?? []
    if (underlying === undefined) return refuse(400, "Say what to look up.")
    const two = (text = "") => text.padStart(2, "0")
    const thousandths = String(Math.round(Number(strike) * 1000)).padStart(8, "0")
    const found = `${underlying}${year}${two(month)}${two(dayOfMonth)}${side?.[0]}${thousandths}`
    return { status, body: { found }, price: 1 }
  }
  if (kind === "stocks" && what === "quotes") return { status, body: { ticker: subject, bid: 1, ask: 2 }, price: 1 }
  const tickers = url.searchParams.get("symbols")?.split(",") ?? []
  if (kind === "stocks" && (what === "prices" || what === "bulkcandles")) {
    const row = what === "prices" ? { mid: 1.5 } : { o: 1, c: 2 }
    return { status, body: Object.fromEntries(tickers.map((ticker) => [ticker, row])), price: tickers.length }
  }
  return { status: 404, body: { detail: "Not found." } }
}

const page =
  "<html><head><title>Bad Request</title></head><body>The request line of 4095 bytes is over 4094.</body></html>"

/** Starts a service on a free port of this machine. */
export const start = async (habits: Habits = {}) => {
  const { bill = ({ price }) => price, charges = "hidden" } = habits
  /** The requests that arrived, in their order. */
  const targets: Array<string> = []
  let billed = 0
  const send = (response: ServerResponse, status: number, type: string, body: string, headers = {}) =>
    void response.writeHead(status, { ...(body === "" ? {} : { "content-type": type }), ...headers }).end(body)
  const server = createServer((request, response) => {
    response.setHeader("date", new Date(now * 1000).toUTCString())
    const target = request.url ?? ""
    targets.push(target)
    if (habits.answer?.(request, response) === true) return
    if (`GET ${target} HTTP/1.1`.length > 4094) {
      billed += bill({ target, status: 400, price: 0 })
      return send(response, 400, "text/html", page)
    }
    const url = new URL(target, "http://localhost")
    const isDemo = [`/v1/stocks/quotes/${demoTicker}/`, `/v1/options/chain/${demoTicker}/`].includes(url.pathname)
    const { authorization } = request.headers
    const isKnown = authorization === `Bearer ${token}`
    if (!isKnown && !(isDemo && authorization === undefined)) {
      return send(response, 401, "application/json", JSON.stringify({ s: "error", errmsg: "No such token." }))
    }
    if (charges === "account" && url.pathname === "/user/") {
      const left = JSON.stringify({ "x-ratelimit-requests-remaining": 90_000 - billed })
      return send(response, 200, "application/json", left)
    }
    const reply = answer(isKnown ? habits : { ...habits, isHistorical: true }, url, now)
    const credits = bill({ target, status: reply.status, price: reply.price ?? 0 })
    billed += credits
    const body = reply.body === undefined ? "" : JSON.stringify(reply.body)
    const shown = charges === "consumed"
      ? { "x-api-ratelimit-consumed": String(credits) }
      : charges === "remaining"
      ? { "x-api-ratelimit-remaining": String(90_000 - billed) }
      : {}
    send(response, reply.status, "application/json", body, shown)
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    /** The credits that were billed. */
    billed: () => billed,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

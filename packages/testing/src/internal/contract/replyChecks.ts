/** What must come back for each request: statuses, errors, data of the other endpoints. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as Freshness from "@effect-marketdata/core/Freshness"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Predicate from "effect/Predicate"
import * as Profile from "@effect-marketdata/core/Profile"
import type { Check } from "./check.ts"
import {
  all,
  column,
  excerpt,
  type Exchange,
  field,
  isData,
  judge,
  judgeData,
  otherStatus,
  type Seen
} from "./exchange.ts"
import { contractOf, type Name, pastDay } from "./probes.ts"

/** A clause that each of some replies must keep, as they are judged. */
const eachBy = (judged: typeof judge) =>
(
  question: string,
  clause: string,
  probes: ReadonlyArray<Name>,
  problem: (reply: Exchange, seen: Seen<Name>) => string | undefined
): Check => ({
  clause,
  question,
  probes,
  check: (seen) => all(...probes.map((name) => judged(seen, name, (reply) => problem(reply, seen))))
})

const each = eachBy(judge)

/** The same of their data. */
const eachData = eachBy(judgeData)

const status = (question: string, clause: string, probes: ReadonlyArray<Name>, ...statuses: ReadonlyArray<number>) =>
  each(question, clause, probes, (reply) => otherStatus(reply, ...statuses))

const isTooLong = ({ headers, text }: Exchange): boolean =>
  headers["content-type"]?.startsWith("text/html") === true && text.includes("Request Line is too large")

const isFree = ({ credits = 0, status }: Exchange): string | undefined =>
  status === 204 && credits > 0 ? `a 204 was charged ${credits}` : undefined

const message = (expected: string) => (reply: Exchange): string | undefined =>
  otherStatus(reply, 400) ??
    (field(reply.json, "errmsg") === expected
      ? undefined
      : `expected ${JSON.stringify(expected)}: ${excerpt(reply.text)}`)

const errorFields = (reply: Exchange, { setting }: Seen<Name>): string | undefined => {
  const { json, status, text } = reply
  if (isData(reply)) return `expected an error, received ${status}`
  if (!Predicate.isReadonlyObject(json)) return `the body of a ${status} is ${excerpt(text)}`
  const allowed: ReadonlyArray<string> = Profile.get(setting.profile, "errorFields")
  const other = Object.keys(json).find((name) => !allowed.includes(name))
  if (other !== undefined) return `there is a field ${other}`
  const { errmsg, s } = json as Readonly<Record<string, unknown>>
  const isKnown = s === "error" || status === 404 && s === Profile.get(setting.profile, "noDataStatus")
  return isKnown && typeof errmsg === "string" ? undefined : excerpt(text)
}

const symbols = (reply: Exchange, expected: ReadonlyArray<string>): string | undefined => {
  const received = column(reply.json, "symbol")
  return expected.every((symbol) => received.includes(symbol)) && received.length === expected.length
    ? undefined
    : `expected the symbols ${expected.join(", ")}, received ${excerpt(JSON.stringify(received))}`
}

const errors: ReadonlyArray<Name> = ["badSymbol", "otherMode", "noSuchOption"]

export const checks: ReadonlyArray<Check> = [
  each("Is an error an object with its text, and nothing else?", "2.2-error-body", errors, errorFields),
  status("Is a chain where the contract puts it?", "4.1-path", ["chain"], 200, 203, 204),
  status("Are mode, maxage and date taken?", "4.1-params", ["chain", "hour", "past"], 200, 203, 204),
  eachData("Are the data of a past day of that day?", "4.1-date", ["past"], ({ json }, seen) => {
    const day = pastDay(seen)
    const other = column(json, "updated").find((time) => !CalendarDate.Equivalence(Eastern.dateOf(Number(time)), day))
    return other === undefined
      ? undefined
      : `${CalendarDate.format(day)} was asked for, and updated is ${Eastern.format(Number(other))}`
  }),
  status("Is maxage without cached mode taken without complaint?", "4.1-maxage-ignored", ["maxAgeLive"], 200, 203),
  status(
    "Does a chain come with 200 or 203, and 204 where nothing fits?",
    "4.1-statuses",
    ["chain", "past", "miss"],
    200,
    203,
    204
  ),
  eachData("Is a quote that of the option asked for?", "4.2-quote", ["quote"], ({ json, text }, seen) => {
    const contract = contractOf(seen)
    const expected = contract && OptionSymbol.format(contract)
    return column(json, "optionSymbol")[0] === expected ? undefined : `expected ${expected}: ${excerpt(text)}`
  }),
  eachData("Does a lookup lead from words to the symbol?", "4.3-lookup", ["lookup"], ({ json, text }, seen) => {
    const contract = contractOf(seen)
    const expected = contract && OptionSymbol.format(contract)
    return field(json, "optionSymbol") === expected ? undefined : `expected ${expected}: ${excerpt(text)}`
  }),
  eachData(
    "Is a stock quote that of the ticker asked for?",
    "4.4-stock-quote",
    ["stockQuote"],
    (reply, { setting }) => symbols(reply, setting.tickers.slice(0, 1))
  ),
  eachData(
    "Do prices of several tickers come together?",
    "4.5-prices",
    ["prices"],
    (reply, { setting }) => symbols(reply, setting.tickers)
  ),
  eachData(
    "Do candles of several tickers come together?",
    "4.5-bulk-candles",
    ["bulkCandles"],
    (reply, { setting }) => symbols(reply, setting.tickers)
  ),
  status("Is the token taken from the header?", "5.3-header", ["chain"], 200, 203, 204, 402),
  status("Is a token asked for?", "5.1-token-everywhere", ["noToken"], 401),
  ...([
    ["2.3-bad-expiration", "badExpiration", "whose six digits are no day"],
    ["2.3-bad-side", "badSide", "without C or P"],
    ["2.3-bad-strike-length", "longStrike", "with nine digits of strike"],
    ["2.3-bad-strike-padding", "shortStrike", "whose strike is not filled up"],
    ["2.3-bad-strike-decimal", "decimalStrike", "with a point in the strike"],
    ["2.3-legacy", "legacy", "from before 2010"]
  ] as const).map(([clause, probe, what]) => status(`Is a symbol ${what} refused with 400?`, clause, [probe], 400)),
  status("Is the demo ticker open without a token?", "5.5-demo", ["demo"], 200, 203),
  status("Is a token that is missing or invalid refused with 401?", "5.7-401", ["noToken", "wrongToken"], 401),
  {
    clause: "7.1-203",
    question: "Are cached data shaped like those fetched anew?",
    probes: ["quote", "cachedQuote"],
    check: (seen) =>
      judgeData(seen, "cachedQuote", ({ json, status }) => {
        const fresh = seen.reply("quote")?.json
        const fields = (body: unknown) => Predicate.isReadonlyObject(body) ? Object.keys(body).toSorted().join() : ""
        return otherStatus({ status, text: "", headers: {}, json, credits: undefined }, 203) ??
          (fields(json) === fields(fresh) ? undefined : `${fields(json)} and not ${fields(fresh)}`)
      })
  },
  each("Is a 204 free?", "7.1-204", ["miss"], isFree),
  status("Is a request that cannot be read refused with 400?", "7.1-400", ["otherMode", "badSymbol", "noDate"], 400),
  status("Is what does not exist answered with 404?", "7.1-404", ["noSuchOption"], 404),
  status(
    "Does every endpoint succeed with 200 or 203?",
    "7.2-success-set",
    ["quote", "stockQuote", "prices", "lookup"],
    200,
    203
  ),
  {
    clause: "7.2-not-mapped",
    question: "Is cached mode answered with 203 or 204 and never 200, and any other with 200 or 203?",
    probes: ["chain", "cachedQuote", "quote", "delayedQuote"],
    check: (seen) =>
      all(
        ...(["chain", "cachedQuote"] as const).map((name) =>
          judge(seen, name, (reply) => otherStatus(reply, 203, 204))
        ),
        ...(["quote", "delayedQuote"] as const).map((name) =>
          judge(seen, name, (reply) => otherStatus(reply, 200, 203))
        )
      )
  },
  status(
    "Are parameters taken behind a question mark, with an ampersand between?",
    "7.3-url-shape",
    ["hour"],
    200,
    203,
    204,
    402
  ),
  status("Are parameters within the path refused with 400?", "7.3-cause-url", ["inPath"], 400),
  status("Is a parameter of another type refused with 400?", "7.3-cause-wrong-type", ["noDate"], 400),
  status("Is a value that is not supported refused with 400?", "7.3-cause-unsupported-value", ["otherMode"], 400),
  each(
    "Is a bad option symbol told in the words of the contract?",
    "7.3-symbol-errmsg",
    ["badSymbol"],
    message("Invalid option symbol. Use valid OCC symbology for the option symbol.")
  ),
  each(
    "Is a date of today told in the words of the contract?",
    "7.3-date-errmsg",
    ["dateToday"],
    message("Invalid date. The date parameter is used for historical queries only.")
  ),
  {
    clause: "7.3-400-vs-404",
    question: "Is an ill-formed symbol a 400, and an absent one a 404?",
    probes: ["badSymbol", "noSuchOption"],
    check: (seen) =>
      all(
        judge(seen, "badSymbol", (reply) => otherStatus(reply, 400)),
        judge(seen, "noSuchOption", (reply) => otherStatus(reply, 404))
      )
  },
  each(
    "Is a request line of 4095 bytes refused by the web server's page?",
    "7.3-html-400",
    ["longLine"],
    (reply) => otherStatus(reply, 400) ?? (isTooLong(reply) ? undefined : `expected the page: ${excerpt(reply.text)}`)
  ),
  status("Are cache and stale other words for cached?", "8.2-modes", ["cache", "stale"], 203, 204),
  eachData(
    "Are delayed data at least 15 minutes old?",
    "8.2-timeliness",
    ["delayedQuote"],
    ({ json }, { now }) => {
      const updated = Number(column(json, "updated")[0])
      return updated <= now - Freshness.delay
        ? undefined
        : `it is ${Eastern.format(now)}, and updated is ${Eastern.format(updated)}`
    }
  ),
  each(
    "Are there no cached data of past days?",
    "8.2-cached-unavailable",
    ["cachedPast"],
    (reply) => isData(reply) ? `expected no data, received ${reply.status}` : undefined
  ),
  status("Is maxage a moment or a duration?", "8.3-maxage-forms", ["hour", "miss"], 203, 204),
  eachData("Do data of fitting age come with 203?", "8.3-hit", ["chain", "hour"], (reply) => otherStatus(reply, 203)),
  each(
    "Without data of fitting age, is the answer a free 204?",
    "8.3-miss",
    ["miss"],
    (reply) => otherStatus(reply, 204) ?? isFree(reply)
  ),
  each(
    "Is nothing served at paths without the version?",
    "9-version",
    ["noVersion"],
    (reply) => isData(reply) ? `expected no data, received ${reply.status}` : undefined
  )
]

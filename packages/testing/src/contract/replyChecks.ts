/** The checks of replies: statuses, errors, and data of other endpoints. */
import { CalendarDate, Expiration, Freshness, NewYork, OptionSymbol, Profile } from "@effect-marketdata/core"
import * as Arr from "effect/Array"
import * as Predicate from "effect/Predicate"
import { column, contractOf, type Exchange, field, isData, isTooLong, type Name, pastDay } from "./probes.ts"
import { rowsOf, type Seen, textsOf } from "./probes.ts"
import type { Check, Verdict } from "./verdict.ts"
import { all, any, broken, check, each, eachData, eachServed, excerpt, hasStatus, holds, judge } from "./verdict.ts"
import { judgeData, judgeServed, notShown, otherStatus, received, shown, unless } from "./verdict.ts"

const delivered = hasStatus(200, 203)

const served = hasStatus(200, 203, 204)

const refused = hasStatus(400)

const message = (expected: string) => (reply: Exchange): Verdict =>
  unless(
    otherStatus(reply, 400) ?? (field(reply.json, "errmsg") === expected
      ? undefined
      : `expected errmsg to be ${JSON.stringify(expected)}, ${received(reply)}`)
  )

/** The contract shows the body of a 400 alone: those of other errors may be anything. */
const errorBody = (reply: Exchange, { setting }: Seen<Name>): Verdict => {
  if (reply.status !== 400) return notShown(`expected status 400, ${received(reply)}`)
  const allowed: ReadonlyArray<string> = Profile.get(setting.profile, "errorFields")
  const { json } = reply
  const isRight = Predicate.isReadonlyObject(json) && Object.keys(json).every((name) => allowed.includes(name)) &&
    field(json, "s") === "error" && typeof field(json, "errmsg") === "string"
  return isRight
    ? holds
    : broken(`expected an object of s, which is "error", and errmsg, which is a text, ${received(reply)}`)
}

/** What the words of a lookup say of an option: on some days SPX and SPXW are alike, while adjusted ones have a digit. */
const inWords = ({ expiration, root, side, strike }: OptionSymbol.OptionSymbol): string =>
  [Expiration.underlyingOf(root), root.replace(/\D+/, ""), CalendarDate.format(expiration), side, strike].join(" ")

/**
 * Checks that a body names the option that was asked for, anywhere: the service's contract does not show the shape of these bodies. A lookup has to
 * name one, which may be another that is alike in its words.
 */
const namesContract = (reply: Exchange, seen: Seen<Name>, name: Name): Verdict => {
  const contract = contractOf(seen)
  if (contract === undefined) return notShown("the chain names no such option")
  const isLookup = name === "lookup"
  const key = isLookup ? inWords : OptionSymbol.format
  const named = Arr.getSuccesses(Array.from(textsOf(reply.json), (text) => OptionSymbol.parse(text)))
  const isOther = named.some((symbol) => key(symbol) !== key(contract)) ||
    (["side", "strike"] as const).some((name) => column(reply.json, name).some((value) => value !== contract[name]))
  if (!isOther && named.length > 0) return holds
  const expected = `${OptionSymbol.format(contract)}${isOther ? " and no other" : ""}`
  const problem = `expected the option symbol ${expected}, ${received(reply)}`
  return isOther || isLookup ? broken(problem) : notShown(problem)
}

/** Looks whether a chain is one of the underlying, where there is one. */
const ofUnderlying = (reply: Exchange, { setting: { underlying } }: Seen<Name>): Verdict => {
  const other = column(reply.json, "underlying").find((ticker) => ticker !== underlying)
  return other === undefined ? served(reply) : broken(`expected the underlying ${underlying}, received ${shown(other)}`)
}

/** The same of tickers. */
const namesTickers = (reply: Exchange, expected: ReadonlyArray<string>): Verdict => {
  const texts = textsOf(reply.json)
  const absent = expected.filter((ticker) => !texts.has(ticker))
  const symbols = column(reply.json, "symbol")
  const extra = symbols.find((symbol) => !expected.some((ticker) => ticker === symbol))
  if (absent.length === 0 && extra === undefined) return holds
  const problem = `expected ${expected.join(" and ")} and no other ticker, ${received(reply)}`
  return symbols.length > 0 || absent.length < expected.length ? broken(problem) : notShown(problem)
}

/** Judges the times of data. */
const everyUpdated = ({ json }: Exchange, isRight: (time: number) => boolean, expected: string): Verdict => {
  const updated = column(json, "updated").filter(Predicate.isNumber)
  const other = updated.find((time) => !isRight(time))
  if (other !== undefined) return broken(`expected updated ${expected}, received ${NewYork.format(other)}`)
  return updated.length === 0 ? notShown("the reply does not show updated") : holds
}

const noData = (reply: Exchange): Verdict => unless(isData(reply) ? `expected no data, ${received(reply)}` : undefined)

/** Requests for delayed data. */
const delayed = ["narrowDelayed", "wholeDelayed", "delayedQuote"] as const

/** Requests that should be refused with 400, each for another reason. */
const unread: ReadonlyArray<Name> = ["badSymbol", "otherMode", "noDate", "dateToday", "inPath"]

const fieldsOf = (body: unknown): string =>
  Predicate.isReadonlyObject(body) ? Object.keys(body).toSorted().join(", ") : ""

export const checks: ReadonlyArray<Check> = [
  each("Is a 400 an object with its text, and nothing else?", "2.2-error-body", unread, errorBody),
  eachServed("Is a chain where the contract puts it, and that of its underlying?", "4.1-path", ["chain"], ofUnderlying),
  eachServed("Are mode, maxage and date taken?", "4.1-params", ["chain", "hour", "past"], served),
  check(
    "Are the data of a past day of that day, and is there no chain of a Saturday?",
    "4.1-date",
    ["past", "closedDay"],
    (seen) =>
      all(
        judgeData(seen, "past", (reply) => {
          const day = pastDay(seen)
          const isThen = (time: number) => CalendarDate.Equivalence(NewYork.dateOf(time), day)
          return everyUpdated(reply, isThen, `on ${CalendarDate.format(day)}`)
        }),
        judge(seen, "closedDay", hasStatus(404))
      )
  ),
  eachServed("Is maxage without cached mode taken without complaint?", "4.1-maxage-ignored", ["maxAgeLive"], delivered),
  check(
    "Does a chain come with 200 or 203, and with 204 only where nothing cached fits?",
    "4.1-statuses",
    ["chain", "past", "narrowLive", "narrowDelayed"],
    (seen) =>
      all(
        judgeServed(seen, "chain", served),
        // Live and delayed chains are not always asked for, and may be refused for other reasons.
        ...(["past", "narrowLive", "narrowDelayed", "wholeLive", "wholeDelayed"] as const)
          .filter((name) => name === "past" || (seen.reply(name)?.status ?? 400) < 300)
          .map((name) => judgeServed(seen, name, delivered))
      )
  ),
  eachData("Is a quote that of the option asked for?", "4.2-quote", ["quote"], namesContract),
  eachData("Does a lookup lead from words to the symbol?", "4.3-lookup", ["lookup"], namesContract),
  ...([
    ["Is a stock quote that of the ticker asked for?", "4.4-stock-quote", "stockQuote", 1],
    ["Do prices of several tickers come together?", "4.5-prices", "prices", 2],
    ["Do candles of several tickers come together?", "4.5-bulk-candles", "bulkCandles", 2]
  ] as const).map(([question, clause, probe, count]) =>
    eachData(question, clause, [probe], (reply, { setting }) => namesTickers(reply, setting.tickers.slice(0, count)))
  ),
  check("Is the token taken from the header?", "5.3-header", ["stockQuote", "noToken"], (seen) =>
    all(
      judgeServed(seen, "stockQuote", delivered),
      judge(seen, "noToken", (reply) =>
        reply.status === 401 ? holds : notShown(`no token is asked for, ${received(reply)}`))
    )),
  each("Is a token asked for?", "5.1-token-everywhere", ["noToken", "chainWithoutToken"], hasStatus(401)),
  ...([
    ["2.3-bad-expiration", "badExpiration", "whose six digits are not a day"],
    ["2.3-bad-side", "badSide", "without C or P"],
    ["2.3-bad-strike-length", "longStrike", "with nine digits of strike"],
    ["2.3-bad-strike-padding", "shortStrike", "whose strike is not filled up"],
    ["2.3-bad-strike-decimal", "decimalStrike", "with a point in the strike"],
    ["2.3-legacy", "legacy", "from before 2010"]
  ] as const).map(([clause, probe, what]) => each(`Is a symbol ${what} refused with 400?`, clause, [probe], refused)),
  each(
    "Are the demo ticker and its options open without a token, with data of past sessions?",
    "5.5-demo",
    ["demo", "demoChain"],
    (reply, seen) =>
      isUnknownDemo(reply, seen)
        ? notShown(`the contract does not say which ticker is the demo's, ${received(reply)}: name it`)
        : unless(otherStatus(reply, 200, 203) ?? notHistorical(reply))
  ),
  each(
    "Is a token that is missing or invalid refused with 401, also beside the demo ticker?",
    "5.7-401",
    ["noToken", "demoAndMore", "wrongToken", "demoWrongToken"],
    hasStatus(401)
  ),
  check(
    "Are cached data shaped like those fetched anew?",
    "7.1-203",
    ["quote", "cachedQuote"],
    (seen) =>
      judgeData(seen, "cachedQuote", (reply) => {
        const fresh = seen.reply("quote")
        const wrong = otherStatus(reply, 203)
        if (wrong !== undefined) return broken(wrong)
        const isFresh = fresh !== undefined && isData(fresh)
        if (!isFresh) return notShown("there is nothing that was fetched anew to compare with")
        const [expected, cached] = [fieldsOf(fresh.json), fieldsOf(reply.json)]
        return expected === cached ? holds : broken(`expected the fields ${expected}, received ${excerpt(cached)}`)
      })
  ),
  each("Is a request that cannot be read refused with 400?", "7.1-400", ["otherMode", "badSymbol", "noDate"], refused),
  each("Is what does not exist answered with 404?", "7.1-404", ["noSuchOption"], hasStatus(404)),
  each(
    "Does every endpoint succeed with 200 or 203?",
    "7.2-success-set",
    ["quote", "stockQuote", "prices", "bulkCandles", "lookup"],
    (reply) => reply.status >= 400 ? notShown(`expected a success, ${received(reply)}`) : delivered(reply)
  ),
  eachServed(
    "Is cached mode answered with 203 or 204 and never 200, and any other with 200 or 203?",
    "7.2-not-mapped",
    ["chain", "cachedQuote", "quote", "delayedQuote"],
    (reply, _, name) => hasStatus(...(name === "quote" || name === "delayedQuote" ? [200, 203] : [203, 204]))(reply)
  ),
  eachServed(
    "Are parameters taken behind a question mark, with an ampersand between?",
    "7.3-url-shape",
    ["hour"],
    served
  ),
  each("Are parameters within the path refused with 400?", "7.3-cause-url", ["inPath"], refused),
  each("Is a parameter of another type refused with 400?", "7.3-cause-wrong-type", ["noDate"], refused),
  each("Is a value that is not supported refused with 400?", "7.3-cause-unsupported-value", ["otherMode"], refused),
  each(
    "Is a bad option symbol told in the words of the contract?",
    "7.3-symbol-errmsg",
    ["badSymbol", "badExpiration", "badSide", "longStrike", "shortStrike", "decimalStrike", "legacy"],
    message("Invalid option symbol. Use valid OCC symbology for the option symbol.")
  ),
  each(
    "Is a date of today told in the words of the contract?",
    "7.3-date-errmsg",
    ["dateToday"],
    message("Invalid date. The date parameter is used for historical queries only.")
  ),
  check(
    "Is an ill-formed symbol a 400, and an absent one a 404?",
    "7.3-400-vs-404",
    ["badSymbol", "noSuchOption"],
    (seen) => all(judge(seen, "badSymbol", refused), judge(seen, "noSuchOption", hasStatus(404)))
  ),
  each(
    "Is a request line of 4095 bytes refused by the web server's page, and none of 4094?",
    "7.3-html-400",
    ["longLine", "fullLine"],
    (reply, _, name) =>
      isTooLong(reply) === (name === "longLine")
        ? holds
        : broken(name === "longLine" ? `expected ${page}, ${received(reply)}` : `expected any reply but ${page}`)
  ),
  eachServed("Are cache and stale other words for cached?", "8.2-modes", ["cache", "stale"], hasStatus(203, 204)),
  check("Are delayed data at least 15 minutes old?", "8.2-timeliness", delayed, (seen) =>
    any(
      ...delayed.map((name) =>
        judgeData(seen, name, (reply) => {
          const isOld = (time: number) => time <= reply.at - Freshness.delay
          return everyUpdated(reply, isOld, `at least 15 minutes before ${NewYork.format(reply.at)}`)
        })
      )
    )),
  each(
    "Are there no cached data of past days, candles and lookups?",
    "8.2-cached-unavailable",
    ["cachedPast", "cachedLookup", "cachedCandles", "cachedBulkCandles"],
    noData
  ),
  eachServed(
    "Is maxage a duration or a moment?",
    "8.3-maxage-forms",
    ["hour", "minutes", "moment"],
    hasStatus(203, 204)
  ),
  each("Is nothing served at paths without the version?", "9-version", ["noVersion"], noData)
]

const page = "status 400 with a page of HTML that states the limit of 4094"

/** Why data are not of a past session, by their times; undefined if they are or have none. */
const notHistorical = ({ at: now, json }: Exchange): string | undefined => {
  const kind = rowsOf({ json }) > 0 ? "options" : "stocks"
  const other = column(json, "updated").filter(Predicate.isNumber)
    .find((updated) => Freshness.classify({ kind, updated, now }) !== "historical")
  return other === undefined ? other : `expected data of a past session, received updated ${NewYork.format(other)}`
}

/** Whether the demo ticker is not known: only the public service's is, unless the caller names one or its stock is open. */
const isUnknownDemo = ({ status }: Exchange, { reply, setting }: Seen<Name>): boolean =>
  status === 401 && setting.profile === "contract" && !setting.isDemoNamed && !isData(reply("demo") ?? { status })

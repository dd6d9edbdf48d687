/**
 * What has no price: the expirations and strikes that are listed, the symbol of a contract that is described in words, and the pages about the account, the
 * service and the request.
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Expiration from "@effect-marketdata/core/Expiration"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as ServiceStatus from "@effect-marketdata/core/ServiceStatus"
import * as Strike from "@effect-marketdata/core/Strike"
import * as TradingCalendar from "@effect-marketdata/core/TradingCalendar"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Admission from "../request/admission.ts"
import * as Parameters from "../request/parameters.ts"
import * as Refusals from "../request/refusals.ts"
import * as View from "../view/view.ts"

/** The expirations that are listed, now or on a past day. Listings are not delayed in any plan. */
export const expirations: View.Reader = ({ parameters, profile, segments }) =>
  Result.gen(function*() {
    const underlying = segments["underlyingSymbol"]!
    const date = yield* Parameters.date(parameters)
    const strike = yield* Parameters.number(parameters, "strike")
    const nonstandard = yield* Parameters.flag(parameters, "nonstandard")
    const query = yield* Refusals.query(Query.optionExpirations(underlying, { date, strike, nonstandard }))
    yield* Parameters.checkPastDay(query, parameters.now)
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          const moment = yield* listedAt(view, date)
          const options = { nonstandard: nonstandard ?? View.hasNonstandard(profile) }
          const listed = view.market.expirations(underlying, moment, strike, options)
          const found = yield* Refusals.notEmpty(listed?.filter(View.isListed(view, underlying, date)))
          const updated = listedSince(view, date, moment)
          return View.fields({ expirations: found.map(CalendarDate.format), updated })
        })
    }
  })

/** The strikes that are listed, expiration by expiration, now or on a past day. */
export const strikes: View.Reader = ({ parameters, profile, segments }) =>
  Result.gen(function*() {
    const underlying = segments["underlyingSymbol"]!
    const date = yield* Parameters.date(parameters)
    const expiration = yield* Parameters.day(parameters, "expiration")
    const query = yield* Refusals.query(Query.optionStrikes(underlying, { date, expiration }))
    yield* Parameters.checkPastDay(query, parameters.now)
    return {
      query,
      answer: (view) =>
        Result.gen(function*() {
          const moment = yield* listedAt(view, date)
          const isListed = View.isListed(view, underlying, date)
          const options = { nonstandard: View.hasNonstandard(profile) }
          const listed = view.market.strikes(underlying, moment, expiration, options)
          const listings = yield* Refusals.notEmpty(listed?.filter(({ expiration }) => isListed(expiration)))
          return View.fields({
            updated: listedSince(view, date, moment),
            ...Object.fromEntries(listings.map(({ expiration, strikes }) => [CalendarDate.format(expiration), strikes]))
          })
        })
    }
  })

/** The moment whose listing is asked for: the newest that is known, or the close of a past day. */
const listedAt = (
  view: View.View,
  date: CalendarDate.CalendarDate | undefined
): Result.Result<number, Refusals.Refusal> => {
  const known = view.known("options")
  if (date === undefined) return Result.succeed(known)
  return Option.match(TradingCalendar.session(TradingCalendar.NYSE, date), {
    onNone: () => Result.fail(Refusals.marketClosed),
    onSome: ({ close }) => close <= known ? Result.succeed(close) : Result.fail(Refusals.noData)
  })
}

/** The field `updated` of a listing: its moment, or midnight of a past day in the public profile. */
const listedSince = (
  { profile }: View.View,
  date: CalendarDate.CalendarDate | undefined,
  moment: number
): number => date !== undefined && Profile.get(profile, "pastListing") === "midnight" ? NewYork.midnight(date) : moment

/** The symbol of a contract that is described in words (contract 4.3). */
export const lookup: View.Reader = ({ segments }) =>
  Result.gen(function*() {
    const text = segments["description"]!
    const description = parse(text)
    if (description === undefined) {
      const form = "Name underlying, expiration, strike and side: AAPL 7/28/2023 200 Call."
      return yield* Result.fail(Refusals.badRequest(`Invalid description. ${form}`))
    }
    const underlying = Expiration.underlyingOf(description.underlying)
    // Core takes the first word as the underlying; here it may be anywhere.
    const query = yield* Refusals.query(Query.optionLookup({ ...description, underlying }))
    return {
      query: { ...query, tickers: [underlying] },
      answer: (view) => {
        const optionSymbol = symbolOf(view, { ...description, underlying })
        return optionSymbol === undefined
          ? Result.fail(Refusals.optionNotFound)
          : Result.succeed(View.fields({ optionSymbol }))
      }
    }
  })

/** The symbol under which a contract is listed, or was when it expired: the first of the underlying's roots that has it. */
const symbolOf = (view: View.View, description: Description): string | undefined => {
  const { expiration, side, strike, underlying } = description
  const known = view.known("options")
  const today = NewYork.dateOf(known)
  const isOver = CalendarDate.toEpochDay(expiration) < CalendarDate.toEpochDay(today)
  const roots = view.market.find(underlying)?.roots ?? []
  for (const { root } of roots) {
    const made = OptionSymbol.make({ root, expiration, side, strike })
    if (Result.isFailure(made)) continue
    const symbol = OptionSymbol.format(made.success)
    const quotes = isOver
      ? view.market.optionQuotesAtClose([symbol], expiration)
      : view.market.optionQuotes([symbol], known)
    if (quotes.length > 0) return symbol
  }
  return undefined
}

/** A contract as it was described. `underlying` may also be a root. */
interface Description {
  readonly underlying: string
  readonly expiration: CalendarDate.CalendarDate
  readonly strike: number
  readonly side: OptionSymbol.Side
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/**
 * Reads a description in words, in whatever order: `AAPL 7/28/2023 200 Call`, `call AAPL $200 Jul 28, 2023`, `SPX 2026-12-18 6500p`, or an
 * option symbol. Undefined where a part is missing, or there twice.
 */
const parse = (text: string): Description | undefined => {
  const symbol = OptionSymbol.parse(text.trim().toUpperCase())
  if (Result.isSuccess(symbol)) return { ...symbol.success, underlying: symbol.success.root }
  const { date, rest } = takeDate(text.replace(/\s+/g, " ").trim())
  const [sides, strikes, underlyings] = [Array<OptionSymbol.Side>(), Array<string>(), Array<string>()]
  for (const word of rest.split(/[ ,]+/)) {
    if (word === "" || fillers.has(word.toLowerCase())) continue
    const [part, digits, side] = /^(?:\$?(\d+(?:\.\d+)?))?(c(?:alls?)?|p(?:uts?)?)?$/i.exec(word) ?? []
    if (part === undefined) underlyings.push(word.toUpperCase())
    if (digits !== undefined) strikes.push(digits)
    if (side !== undefined) sides.push(/^c/i.test(side) ? "call" : "put")
  }
  const isEachOne = [sides, strikes, underlyings].every(({ length }) => length === 1)
  const strike = isEachOne ? Result.getOrUndefined(Strike.parse(strikes[0]!)) : undefined
  return date === undefined || strike === undefined
    ? undefined
    : { underlying: underlyings[0]!, expiration: date, strike, side: sides[0]! }
}

const fillers: ReadonlySet<string> = new Set(["strike", "at", "exp", "expiring", "option", "the"])

/** Takes the expiration out of the words: 2026-12-18, 12/18/2026, 12/18/26, Dec 18 2026, 18 December 2026. */
const takeDate = (text: string) => {
  const numeric = /(?:^| )(\d{4}-\d{2}-\d{2}|\d{1,2}[/-]\d{1,2}[/-]\d{2}(?:\d{2})?)(?= |,|$)/.exec(text)
  if (numeric !== null) return { date: dateOf(numeric[1]!), rest: without(text, numeric) }
  for (const form of [monthFirst, dayFirst]) {
    const match = form.exec(text)
    const { day, month, year } = match?.groups ?? {}
    if (match !== null && monthOf(month!) > 0) {
      return { date: of(year!, monthOf(month!), day!), rest: without(text, match) }
    }
  }
  return { date: undefined, rest: text }
}

const monthFirst = /(?:^| )(?<month>[A-Za-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})(?= |,|$)/
const dayFirst = /(?:^| )(?<day>\d{1,2})(?:st|nd|rd|th)? (?<month>[A-Za-z]{3,9})\.?,? (?<year>\d{4})(?= |,|$)/

const without = (text: string, match: RegExpExecArray): string =>
  `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`

const monthOf = (word: string): number => months.indexOf(word.slice(0, 3).toLowerCase()) + 1

const dateOf = (text: string): CalendarDate.CalendarDate | undefined => {
  const american = /^(\d{1,2})[/-](\d{1,2})[/-](\d{2}|\d{4})$/.exec(text)
  if (american === null) return Parameters.parseTime(text, "plain", 0)?.date
  const [, month, day, year] = american
  return of(year!.length === 2 ? `20${year!}` : year!, Number(month), day!)
}

const of = (year: string, month: number, day: string): CalendarDate.CalendarDate | undefined =>
  Parameters.parseTime(`${month}/${Number(day)}/${year}`, "plain", 0)?.date

/** The page of the account that asks. */
export const account: View.Reader = ({ profile }) =>
  Result.succeed({
    query: Query.account,
    answer: ({ account, balance }) => {
      const { limit, remaining } = balance()
      return Result.succeed(View.page({
        "x-ratelimit-requests-remaining": remaining,
        "x-ratelimit-requests-limit": limit,
        "x-options-data-permissions": Admission.permissionsOf(account, profile)[1]
      }))
    }
  })

/** How often the service checks its parts, in seconds. */
const period = 300

const services = [
  ...new Set(Object.values(Query.endpoints).map(({ listPath, path }) => listPath ?? path.replace(/\{.*$/, "")))
]

/** The status of the parts of the service, which are always online. */
export const serviceStatus: View.Reader = () =>
  Result.succeed({
    query: Query.serviceStatus,
    answer: ({ now }) => {
      const length = services.length
      const ones = new Float64Array(length).fill(1)
      const table = ColumnTable.make<ServiceStatus.Spec, ServiceStatus.Column>(ServiceStatus.spec, {
        length,
        vectors: {
          service: { codes: Uint8Array.from(services.keys()), values: services },
          status: { codes: new Uint8Array(length), values: ["online"] },
          online: new Uint8Array(length).fill(1),
          uptimePct30d: ones,
          uptimePct90d: ones,
          updated: new Float64Array(length).fill(now - now % period)
        },
        nulls: {},
        findings: []
      })
      return Result.succeed(View.table(table))
    }
  })

/** Headers with secrets, whose values are not echoed even to their sender. */
const secret = /^(authorization|proxy-authorization|cookie|x-api-key)$/i

/** The headers of the request as they arrived, without its secrets. */
export const requestHeaders: View.Reader = () =>
  Result.succeed({
    query: Query.requestHeaders,
    answer: ({ request }) => {
      const came = Object.entries(request.headers).filter(([, value]) => value !== undefined)
      const shown = came.map(([name, value]) => [name, secret.test(name) ? "*******" : value])
      return Result.succeed(View.page(Object.fromEntries(shown)))
    }
  })

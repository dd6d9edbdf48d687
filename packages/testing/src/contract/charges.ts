/**
 * What requests cost, by the figures of the service: the meter of a run, and the checks of what each reply cost. Without figures a clause neither holds nor is
 * broken.
 */
import { Freshness, NewYork, Profile } from "@effect-marketdata/core"
import { type Charge, column, type Exchange, isData, isTooLong, type Name } from "./probes.ts"
import { pastDay, rowsOf, type Seen, textsOf } from "./probes.ts"
import { all, any, broken, type Check, check, counted, eachData, eachServed, hasStatus, holds } from "./verdict.ts"
import { judge, judgeData, judgeRows, judgeServed, notShown, otherStatus } from "./verdict.ts"
import { received, unless, type Verdict } from "./verdict.ts"

/**
 * The account of a run. `spent` is what was charged for certain, `uncertain` the most that may have been charged besides. `balance` is what
 * the service last said that is left; `unsettled` are the requests since then whose cost it did not say.
 */
export interface Meter {
  readonly spent: number
  readonly uncertain: number
  readonly balance: number | undefined
  readonly unsettled: ReadonlyArray<{ readonly name: string; readonly most: number }>
  readonly charges: ReadonlyMap<string, Charge>
}

export const empty: Meter = { spent: 0, uncertain: 0, balance: undefined, unsettled: [], charges: new Map() }

/**
 * A request and the figures that came with its reply, where they came. `most` is the most that it can have cost where no figure says it:
 * nothing for a refusal, whose price is not stated and taken to be none.
 */
export interface Metered {
  readonly name: string
  readonly most: number
  readonly consumed: number | undefined
  readonly remaining: number | undefined
}

export const unsaid: Charge = { _tag: "NotShown", why: "the service does not show what a request costs" }

const stated = (credits: number): Charge => ({ _tag: "Shown", credits, by: "as X-Api-Ratelimit-Consumed says" })

const fallen = (from: number, to: number): Charge => ({
  _tag: "Shown",
  credits: from - to,
  by: `the remaining credits went from ${from.toLocaleString("en-US")} to ${to.toLocaleString("en-US")}`
})

const disputed = (consumed: number, fell: number): Charge => {
  const fall = `the remaining credits fell by ${fell.toLocaleString("en-US")}`
  const why = `the service says that it consumed ${counted(consumed, "credit")}, and ${fall}`
  return { _tag: "NotShown", why: `${why}: another program may have used the account` }
}

/** Adds a request. A balance that rose was renewed, and one that fell by less than was consumed is late: neither shows a charge. */
export const add = (self: Meter, request: Metered): Meter => {
  const { consumed = 0, remaining } = request
  if (self.balance === undefined || remaining === undefined) return byStatement(self, request)
  if (self.balance - remaining < consumed) return byStatement(self, request)
  const byFall = self.unsettled.length === 0 ? byOwnFall : byCommonFall
  return byFall(self, request, self.balance, remaining)
}

/** Adds a request by what the reply states that it consumed, if it does. */
const byStatement = (self: Meter, { consumed, most, name, remaining }: Metered): Meter => {
  const balance = remaining ?? (self.balance === undefined ? undefined : self.balance - (consumed ?? 0))
  const isUnsettled = consumed === undefined && most > 0
  return {
    spent: self.spent + (consumed ?? 0),
    uncertain: self.uncertain + (isUnsettled ? most : 0),
    balance,
    // A balance that is first known here says nothing about earlier requests.
    unsettled: remaining !== undefined ? [] : isUnsettled ? [...self.unsettled, { name, most }] : self.unsettled,
    charges: new Map([...self.charges, [name, consumed === undefined ? unsaid : stated(consumed)]])
  }
}

/** The fall is the price of this request alone; if the reply states less, the rest may be another program's. */
const byOwnFall = (self: Meter, { consumed, name }: Metered, from: number, to: number): Meter => {
  const own = consumed ?? from - to
  const rest = from - to - own
  const charge = rest > 0 ? disputed(own, from - to) : consumed === undefined ? fallen(from, to) : stated(consumed)
  return settled(self, to, { spent: own, uncertain: rest }, [[name, charge]])
}

/**
 * The fall is the price of this request and of earlier ones whose prices were not shown. They can be told apart if this one states its price or is a refusal,
 * and there is only one other; or if nothing was charged at all.
 */
const byCommonFall = (self: Meter, { consumed, most, name }: Metered, from: number, to: number): Meter => {
  const own = consumed ?? (most === 0 || from === to ? 0 : undefined)
  const others = own === undefined ? undefined : from - to - own
  const isShown = others === 0 || others !== undefined && self.unsettled.length === 1
  const uncertain = -self.unsettled.reduce((sum, { most }) => sum + most, 0)
  return settled(self, to, { spent: from - to, uncertain }, [
    ...(isShown ? self.unsettled.map(({ name }) => [name, fallen(from, from - others)] as const) : []),
    [name, consumed !== undefined ? stated(consumed) : own === undefined ? unsaid : fallen(to + own, to)]
  ])
}

/** Adds what a balance shows, which leaves no request unsettled. */
const settled = (
  self: Meter,
  balance: number,
  { spent, uncertain }: Pick<Meter, "spent" | "uncertain">,
  charges: ReadonlyArray<readonly [name: string, charge: Charge]>
): Meter => ({
  spent: self.spent + spent,
  uncertain: self.uncertain + uncertain,
  balance,
  unsettled: [],
  charges: new Map([...self.charges, ...charges])
})

/** What a reply may cost; undefined where it does not show what it is billed by. */
type Price = { readonly least: number; readonly most: number } | undefined

const exactly = (credits: number): Price => ({ least: credits, most: credits })

/** One credit for each thousand; the contract does not say how a part of a thousand counts. */
const perThousand = (count: number): Price => ({ least: Math.floor(count / 1000), most: Math.ceil(count / 1000) })

/** Judges a charge. */
const charged = (charge: Charge, price: Price): Verdict => {
  if (charge._tag === "NotShown") return notShown(charge.why)
  if (price === undefined) return notShown("the reply does not show what it is billed by")
  const { least, most } = price
  const expected = least === most ? counted(least, "credit") : `${least} to ${counted(most, "credit")}`
  const { by, credits } = charge
  const isRight = credits >= least && credits <= most
  return isRight
    ? holds
    : broken(`expected a charge of ${expected}, received one of ${credits.toLocaleString("en-US")} (${by})`)
}

/** A check of what the data of some replies cost. */
const costs = (
  question: string,
  clause: string,
  probes: ReadonlyArray<Name>,
  price: (reply: Exchange, seen: Seen<Name>) => Price
) => eachData(question, clause, probes, (reply, seen) => charged(reply.charge, price(reply, seen)))

/** How many contracts of a chain are paid for: on the public service those with a price, and one at least. */
const billedIn = (reply: Exchange, { setting }: Seen<Name>): number => {
  if (Profile.get(setting.profile, "billedContracts") === "all") return rowsOf(reply)
  const prices = ["bid", "ask", "mid", "last"].map((name) => column(reply.json, name))
  const quoted = Array.from({ length: rowsOf(reply) }, (_, row) => row)
    .filter((row) => prices.some((values) => typeof values[row] === "number"))
  return Math.max(quoted.length, Profile.get(setting.profile, "leastCharge"))
}

/**
 * Judges what the contracts of a live or delayed chain cost. Accounts that are served historical data whatever they ask for have no
 * stated price: they may pay by the thousand.
 */
const perContract = (seen: Seen<Name>, name: Name): Verdict =>
  judgeRows(seen, name, (reply) => {
    const verdict = charged(reply.charge, exactly(billedIn(reply, seen)))
    return verdict._tag === "Broken" && isHistorical(reply) &&
        charged(reply.charge, perThousand(rowsOf(reply)))._tag === "Holds"
      ? notShown("the data are of a past session, and their price is not stated where no date is asked for")
      : verdict
  })

const isHistorical = ({ at: now, json }: Exchange): boolean =>
  Freshness.classify({ kind: "options", updated: Number(column(json, "updated")[0]), now }) === "historical"

/** The chain that shows the price of a mode: of one strike, or whole where the service takes no filters. */
const pricedIn = (seen: Seen<Name>, mode: "Live" | "Delayed"): Name =>
  seen.reply(`narrow${mode}`) === undefined ? `whole${mode}` : `narrow${mode}`

/** How many of the tickers that were asked for a reply names; none where its shape does not show it. */
const namedIn = ({ json }: Exchange, { setting }: Seen<Name>): Price => {
  const texts = textsOf(json)
  const named = setting.tickers.filter((ticker) => texts.has(ticker)).length
  return named === 0 ? undefined : exactly(named)
}

/** Judges the price of a 204, where one came. */
const freeMiss = (seen: Seen<Name>): Verdict =>
  judge(
    seen,
    "miss",
    (reply) => reply.status === 204 ? isFree(reply) : notShown(`expected status 204, ${received(reply)}`)
  )

const isFree = ({ charge }: Exchange): Verdict => charged(charge, exactly(0))

const priced: ReadonlyArray<Name> = ["narrowLive", "wholeLive", "narrowDelayed", "wholeDelayed"]

export const checks: ReadonlyArray<Check> = [
  ...([["Live", "live"], ["Delayed", "delayed"]] as const).map(([mode, name]) =>
    check(
      `Does a ${name} chain cost one credit for each contract?`,
      `4.1-cost-${name}`,
      [`narrow${mode}`, `whole${mode}`],
      (seen) => perContract(seen, pricedIn(seen, mode))
    )
  ),
  check("Does a cached chain cost one credit, however large?", "4.1-cost-cached", ["chain", "stale"], (seen) =>
    any(
      ...(["chain", "cache", "stale", "hour", "minutes"] as const).map((name) =>
        judgeRows(seen, name, ({ charge }) => charged(charge, exactly(1)))
      )
    )),
  check(
    "Does a chain of a past day cost one credit for each thousand contracts?",
    "4.1-cost-historical",
    ["past"],
    (seen) => judgeRows(seen, "past", (reply) => charged(reply.charge, perThousand(rowsOf(reply))))
  ),
  check(
    "Does a 203 cost what the mode that was asked for costs?",
    "7.2-203-price",
    priced,
    (seen) =>
      any(...(["Live", "Delayed"] as const).map((mode) => {
        const name = pricedIn(seen, mode)
        const reply = seen.reply(name)
        if (reply?.status !== 203) return judgeData(seen, name, () => notShown("it did not come from a cache"))
        return billedIn(reply, seen) === 1
          ? notShown(`${reply.request}: one contract costs the same in any mode`)
          : perContract(seen, name)
      }))
  ),
  costs(
    "Do quotes cost one credit a symbol, and cached one a request?",
    "8.2-cost-quotes",
    ["quote", "delayedQuote", "cachedQuote", "maxAgeLive", "stockQuote"],
    () => exactly(1)
  ),
  costs("Do candles cost one credit a thousand?", "8.2-cost-candles", ["candles"], () => perThousand(1)),
  costs("Do bulk candles cost one credit a symbol?", "8.2-cost-bulk-candles", ["bulkCandles"], namedIn),
  costs("Does a lookup cost one credit?", "8.2-cost-other", ["lookup"], () => exactly(1)),
  // The last one shows the balance after the page, which shows none.
  check(
    "Do a 204 and the page of the web server cost nothing?",
    "1-credits",
    ["miss", "longLine", "badSymbol"],
    (seen) =>
      all(
        freeMiss(seen),
        judge(seen, "longLine", (reply) =>
          isTooLong(reply)
            ? isFree(reply)
            : notShown(`expected the page for long request lines, ${received(reply)}`))
      )
  ),
  check("Is a 204 free?", "7.1-204", ["miss"], freeMiss),
  eachServed("Do data of fitting age come with 203, for one credit?", "8.3-hit", ["chain", "moment"], (reply, seen) => {
    // A cached chain of a day after that moment is young enough.
    const dayAfter = NewYork.midnight(pastDay(seen)) + 86_400
    const isCached = column(seen.reply("chain")?.json, "updated").some((time) => Number(time) > dayAfter)
    if (!isData(reply) && !(isCached && reply.status === 204)) return notShown(`${received(reply)}, and no data`)
    const cost = charged(reply.charge, exactly(1))
    // The status shows a hit even without a figure.
    return unless(otherStatus(reply, 203) ?? (cost._tag === "Broken" ? cost.evidence : undefined))
  }),
  // The chain is cached if it was served without a bound on its age.
  check(
    "Without data of fitting age, is the answer an empty 204 that is free?",
    "8.3-miss",
    ["chain", "miss"],
    (seen) =>
      judgeServed(seen, "miss", (reply) =>
        reply.status === 204
          ? isFree(reply)
          : reply.status === 400
          ? notShown(`a moment that has not come is refused as maxage, ${received(reply)}`)
          : hasStatus(204)(reply))
  )
]

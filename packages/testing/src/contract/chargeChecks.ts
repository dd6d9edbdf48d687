/** The checks of what replies cost, by the figures that the service shows. Without figures a clause neither holds nor is broken. */
import { Freshness, NewYork, Profile } from "@effect-marketdata/core"
import { type Charge, column, type Exchange, isData, isTooLong, rowsOf, type Seen, textsOf } from "./exchange.ts"
import { type Name, pastDay } from "./probes.ts"
import {
  all,
  any,
  type Check,
  eachBy,
  judge,
  judgeData,
  judgeRows,
  judgeServed,
  notShown,
  unless,
  type Verdict
} from "./verdict.ts"
import * as Words from "./words.ts"

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
  const expected = least === most ? Words.count(least, "credit") : `${least} to ${Words.count(most, "credit")}`
  return unless(
    charge.credits >= least && charge.credits <= most
      ? undefined
      : `expected a charge of ${expected}, received one of ${charge.credits.toLocaleString("en-US")} (${charge.by})`
  )
}

const eachData = eachBy(judgeData)

const eachServed = eachBy(judgeServed)

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

export const checks: ReadonlyArray<Check> = [
  ...(["Live", "Delayed"] as const).map((mode): Check => ({
    clause: `4.1-cost-${mode.toLowerCase()}`,
    question: `Does a ${mode.toLowerCase()} chain cost one credit for each contract?`,
    probes: [`narrow${mode}`, `whole${mode}`],
    check: (seen) => perContract(seen, pricedIn(seen, mode))
  })),
  {
    clause: "4.1-cost-cached",
    question: "Does a cached chain cost one credit, however large?",
    probes: ["chain", "stale"],
    check: (seen) =>
      any(
        ...(["chain", "cache", "stale", "hour", "minutes"] as const).map((name) =>
          judgeRows(seen, name, ({ charge }) => charged(charge, exactly(1)))
        )
      )
  },
  {
    clause: "4.1-cost-historical",
    question: "Does a chain of a past day cost one credit for each thousand contracts?",
    probes: ["past"],
    check: (seen) => judgeRows(seen, "past", (reply) => charged(reply.charge, perThousand(rowsOf(reply))))
  },
  {
    clause: "7.2-203-price",
    question: "Does a 203 cost what the mode that was asked for costs?",
    probes: ["narrowLive", "wholeLive", "narrowDelayed", "wholeDelayed"],
    check: (seen) =>
      any(...(["Live", "Delayed"] as const).map((mode) => {
        const name = pricedIn(seen, mode)
        const reply = seen.reply(name)
        if (reply?.status !== 203) return judgeData(seen, name, () => notShown("it did not come from a cache"))
        return billedIn(reply, seen) === 1
          ? notShown(`${reply.request}: one contract costs the same in any mode`)
          : perContract(seen, name)
      }))
  },
  costs(
    "Do quotes cost one credit a symbol, and cached one a request?",
    "8.2-cost-quotes",
    ["quote", "delayedQuote", "cachedQuote", "maxAgeLive", "stockQuote"],
    () => exactly(1)
  ),
  costs("Do candles cost one credit a thousand?", "8.2-cost-candles", ["candles"], () => perThousand(1)),
  costs("Do bulk candles cost one credit a symbol?", "8.2-cost-bulk-candles", ["bulkCandles"], namedIn),
  costs("Does a lookup cost one credit?", "8.2-cost-other", ["lookup"], () => exactly(1)),
  {
    clause: "1-credits",
    question: "Do a 204 and the page of the web server cost nothing?",
    // The last one shows the balance after the page, which shows none.
    probes: ["miss", "longLine", "badSymbol"],
    check: (seen) =>
      all(
        freeMiss(seen),
        judge(seen, "longLine", (reply) =>
          isTooLong(reply)
            ? charged(reply.charge, exactly(0))
            : notShown(`expected the page for long request lines, ${Words.received(reply)}`))
      )
  },
  { clause: "7.1-204", question: "Is a 204 free?", probes: ["miss"], check: (seen) => freeMiss(seen) },
  eachServed("Do data of fitting age come with 203, for one credit?", "8.3-hit", ["chain", "moment"], (reply, seen) => {
    // A cached chain of a day after that moment is young enough.
    const dayAfter = NewYork.midnight(pastDay(seen)) + 86_400
    const isCached = column(seen.reply("chain")?.json, "updated").some((time) => Number(time) > dayAfter)
    if (!isData(reply) && !(isCached && reply.status === 204)) return notShown(`${Words.received(reply)}, and no data`)
    const cost = charged(reply.charge, exactly(1))
    // The status shows a hit even without a figure.
    return unless(Words.otherStatus(reply, 203) ?? (cost._tag === "Broken" ? cost.evidence : undefined))
  }),
  {
    clause: "8.3-miss",
    question: "Without data of fitting age, is the answer an empty 204 that is free?",
    // The chain is cached if it was served without a bound on its age.
    probes: ["chain", "miss"],
    check: (seen) =>
      judgeServed(seen, "miss", (reply) =>
        reply.status === 204
          ? charged(reply.charge, exactly(0))
          : reply.status === 400
          ? notShown(`a moment that has not come is refused as maxage, ${Words.received(reply)}`)
          : unless(Words.otherStatus(reply, 204)))
  }
]

/** Judges the price of a 204, where one came. */
const freeMiss = (seen: Seen<Name>): Verdict =>
  judge(seen, "miss", (reply) =>
    reply.status === 204
      ? charged(reply.charge, exactly(0))
      : notShown(`expected status 204, ${Words.received(reply)}`))

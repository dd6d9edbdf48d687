/** What replies must cost, by what the service itself says that they consumed. */
import * as Profile from "@effect-marketdata/core/Profile"
import type { Check } from "./check.ts"
import { all, column, type Exchange, isData, judge, judgeData, notShown, type Seen, type Verdict } from "./exchange.ts"
import type { Name } from "./probes.ts"

/** Judges what a reply cost; the service may leave it unsaid. */
const cost = (
  seen: Seen<Name>,
  name: Name,
  expected: (reply: Exchange) => { readonly least: number; readonly most: number }
): Verdict => {
  const reply = seen.reply(name)
  if (reply !== undefined && isData(reply) && reply.credits === undefined) {
    return notShown(`the reply to ${name} does not say what it consumed`)
  }
  return judgeData(seen, name, (reply) => {
    const { least, most } = expected(reply)
    const credits = reply.credits ?? least
    return credits >= least && credits <= most
      ? undefined
      : `${name} consumed ${credits}, and not ${least === most ? least : `${least} to ${most}`}`
  })
}

const exactly = (credits: number) => ({ least: credits, most: credits })

const costs = (
  question: string,
  clause: string,
  probes: ReadonlyArray<Name>,
  expected: (reply: Exchange, seen: Seen<Name>) => { readonly least: number; readonly most: number }
): Check => ({
  clause,
  question,
  probes,
  check: (seen) => all(...probes.map((name) => cost(seen, name, (reply) => expected(reply, seen))))
})

const rowsOf = ({ json }: Exchange): number => column(json, "optionSymbol").length

/** How many contracts of a chain are paid for: on the public service those with a price, and one at least. */
const billedIn = (reply: Exchange, { setting }: Seen<Name>): number => {
  if (Profile.get(setting.profile, "billedContracts") === "all") return rowsOf(reply)
  const prices = ["bid", "ask", "mid", "last"].map((name) => column(reply.json, name))
  const quoted = Array.from({ length: rowsOf(reply) }, (_, row) => row)
    .filter((row) => prices.some((values) => typeof values[row] === "number"))
  return Math.max(quoted.length, Profile.get(setting.profile, "leastCharge"))
}

/** One for each thousand; how a part of a thousand counts is not stated. */
const perThousand = (count: number) => ({ least: Math.floor(count / 1000), most: Math.ceil(count / 1000) })

export const checks: ReadonlyArray<Check> = [
  costs(
    "Does a live chain cost one credit for each contract?",
    "4.1-cost-live",
    ["oneStrikeLive"],
    (reply, seen) => exactly(billedIn(reply, seen))
  ),
  costs(
    "Does a cached chain cost one credit, however large?",
    "4.1-cost-cached",
    ["chain", "oneStrike"],
    () => exactly(1)
  ),
  costs(
    "Does a chain of a past day cost one credit for each thousand contracts?",
    "4.1-cost-historical",
    ["past"],
    (reply) => perThousand(rowsOf(reply))
  ),
  {
    clause: "7.2-203-price",
    question: "Does a 203 cost what the mode that was asked for costs?",
    probes: ["oneStrikeLive"],
    check: (seen) =>
      seen.reply("oneStrikeLive")?.status === 200
        ? notShown("the live chain came with 200")
        : cost(seen, "oneStrikeLive", (reply) => exactly(billedIn(reply, seen)))
  },
  {
    clause: "8.2-cost-quotes",
    question: "Do quotes cost one credit a symbol, and cached one a request?",
    probes: ["quote", "delayedQuote", "cachedQuote", "prices", "cachedPrices"],
    check: (seen) =>
      all(
        ...(["quote", "delayedQuote", "cachedQuote", "cachedPrices"] as const)
          .map((name) => cost(seen, name, () => exactly(1))),
        cost(seen, "prices", ({ json }) => exactly(column(json, "symbol").length))
      )
  },
  costs("Do candles cost one credit a thousand?", "8.2-cost-candles", ["candles"], () => ({ least: 0, most: 1 })),
  costs(
    "Do bulk candles cost one credit a symbol?",
    "8.2-cost-bulk-candles",
    ["bulkCandles"],
    ({ json }) => exactly(column(json, "symbol").length)
  ),
  costs("Does a lookup cost one credit?", "8.2-cost-other", ["lookup"], () => exactly(1)),
  {
    clause: "1-credits",
    question: "Do a 204 and the page of the web server cost nothing?",
    probes: ["miss", "longLine"],
    check: (seen) =>
      all(
        ...(["miss", "longLine"] as const).map((name) =>
          judge(seen, name, (reply) =>
            isData(reply) || reply.credits === undefined || reply.credits === 0
              ? undefined
              : `${name} was answered with ${reply.status} and consumed ${reply.credits}`)
        )
      )
  }
]

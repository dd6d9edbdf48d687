/** The ladder of options, and the payoff of chosen legs at expiration. The page embeds the source of `position`, as it does that of `charting`. */
import type { Chart } from "../chart/Chart.ts"
import type { Charting } from "../chart/charting.ts"
import type { Mark } from "./Ladder.ts"

/** The quote of one option as it is shown. A mark says what is wrong with it, and dims it. */
export interface Quote {
  readonly bid: number | null
  readonly ask: number | null
  readonly iv: number | null
  readonly interest: number | null
  readonly volume: number | null
  readonly mark: Mark
}

/** A call and a put of one strike. */
export interface Rung {
  readonly strike: number
  readonly call: Quote | null
  readonly put: Quote | null
}

/** A number of contracts at a price; negative if they are sold. */
export interface Leg {
  readonly side: "call" | "put"
  readonly strike: number
  readonly count: number
  readonly price: number
}

/** Makes what shows and values options. */
export const position = ({ format }: Charting) => {
  const shares = 100

  const dimmed = (quote: Quote | null, kind = ""): string => {
    const [mark, kinds] = [quote?.mark ?? "", quote?.mark ? `${kind} dim`.trim() : kind]
    return `${kinds === "" ? "" : ` class="${kinds}"`}${mark === "" ? "" : ` title="${mark}"`}`
  }
  /** Bought at the ask, sold at the bid. */
  const priced = (side: Leg["side"], { [side]: quote, strike }: Rung, price: number | null, count: 1 | -1) => {
    const said = format(price, "dollars")
    if (price === null || price <= 0) return `<td${dimmed(quote)}>${said}</td>`
    const does = `${count > 0 ? "buy" : "sell"} the ${format(strike, "strike")} ${side} at ${said}`
    const leg = `${side} ${strike} ${count} ${price}`
    return `<td${dimmed(quote)}><button type="button" data-leg="${leg}" aria-label="${does}">${said}</button></td>`
  }

  const sideOf = (side: Leg["side"], rung: Rung): ReadonlyArray<string> => {
    const quote = rung[side]
    if (quote === null) {
      const cells = [
        "<td>\u2013</td><td>\u2013</td>",
        `<td class="iv">\u2013</td>`,
        `<td class="wide">\u2013</td>`.repeat(2)
      ]
      return side === "call" ? cells.toReversed() : cells
    }
    const { ask, bid, interest, iv, mark, volume } = quote
    const cells = [
      `<td${dimmed(quote, "iv")}>${format(iv, "percent")}${mark === "" ? "" : `<small> ${mark}</small>`}</td>`,
      `<td class="wide">${format(interest, "count")}</td>`,
      `<td class="wide">${format(volume, "count")}</td>`
    ]
    const prices = priced(side, rung, bid, -1) + priced(side, rung, ask, 1)
    return side === "call" ? [...cells.toReversed(), prices] : [prices, ...cells]
  }

  /** The rows of a ladder, with a line where the underlying stands. */
  const ladder = (rungs: ReadonlyArray<Rung>, spot: number | null): string =>
    rungs.map((rung, at) => {
      const crosses = spot !== null && at > 0 && rungs[at - 1]!.strike < spot && spot <= rung.strike
      const inside = spot === null ? "" : rung.strike < spot ? " class=\"calls-in\"" : " class=\"puts-in\""
      const [calls, puts] = [sideOf("call", rung).join(""), sideOf("put", rung).join("")]
      return (crosses ? `<tr class="spot"><td colspan="11">underlying at ${format(spot, "dollars")}</td></tr>` : "") +
        `<tr${inside}>${calls}<th scope="row">${format(rung.strike, "strike")}</th>${puts}</tr>`
    }).join("")

  /** What legs pay at a price of the underlying, less what they cost, in dollars. */
  const paid = (legs: ReadonlyArray<Leg>, at: number): number =>
    legs.reduce(
      (sum, { count, price, side, strike }) =>
        sum + count * shares * (Math.max(0, side === "call" ? at - strike : strike - at) - price),
      0
    )

  /** The payoff between two prices of the underlying, where it turns, and what it comes to. */
  const payoff = (legs: ReadonlyArray<Leg>, [from, to]: readonly [number, number], spot: number | null): Chart => {
    const turns = [...new Set([0, ...legs.map(({ strike }) => strike)])].toSorted((a, b) => a - b)
    const slope = legs.reduce((sum, { count, side }) => sum + (side === "call" ? count * shares : 0), 0)
    const end = turns.at(-1)!
    const even = [...turns, slope === 0 ? end : Math.max(end, end - paid(legs, end) / slope)].flatMap((to, at, all) => {
      const from = all[at - 1] ?? to
      const [before, after] = [paid(legs, from), paid(legs, to)]
      return before * after < 0
        ? [from - before * (to - from) / (after - before)]
        : Math.abs(after) < 1e-6 && to > 0
        ? [to]
        : []
    })
    const values = turns.map((at) => paid(legs, at))
    const money = (value: number) => `$${format(Math.abs(value), "dollars")}`
    const cost = legs.reduce((sum, { count, price }) => sum + count * shares * price, 0)
    const places = [...new Set([from, ...turns, ...even, to])].filter((at) => at >= from && at <= to).toSorted((a, b) =>
      a - b
    )
    return {
      id: "payoff",
      title: "Payoff at expiration",
      x: { label: "price of the underlying", unit: "strike" },
      y: { label: "gain, $", unit: "dollars" },
      series: [{
        name: "gain",
        tone: "one",
        mark: "line",
        points: legs.length === 0 ? [] : places.map((at) => [at, Number(paid(legs, at).toFixed(2)), 0])
      }],
      rules: spot === null ? [] : [[spot, `now ${format(spot, "dollars")}`]],
      notes: legs.length === 0 ? ["No leg is chosen: a bid in the ladder sells, an ask buys."] : [
        `${cost >= 0 ? "Costs" : "Brings"} ${money(cost)}, for ${shares} shares a contract, without fees.`,
        `Gains at most ${slope > 0 ? "without a limit" : money(Math.max(0, ...values))}, loses at most ${
          slope < 0 ? "without a limit" : money(Math.min(0, ...values))
        }.`,
        even.length === 0
          ? "It never breaks even."
          : `Breaks even at ${[...new Set(even)].map((at) => format(at, "dollars")).join(" and ")}.`
      ]
    }
  }

  /** The straddle at the money, which the page begins with: what the market expects the underlying to move. */
  const straddle = (rungs: ReadonlyArray<Rung>, near: number | null): ReadonlyArray<Leg> => {
    const both = rungs.filter(({ call, put }) => (call?.ask ?? 0) > 0 && (put?.ask ?? 0) > 0)
    const at = both.reduce<Rung | undefined>(
      (best, rung) =>
        best === undefined || Math.abs(rung.strike - (near ?? 0)) < Math.abs(best.strike - (near ?? 0)) ? rung : best,
      undefined
    )
    return at === undefined || near === null
      ? []
      : (["call", "put"] as const).map((side) => ({ side, strike: at.strike, count: 1, price: at[side]!.ask! }))
  }

  const legsOf = (legs: ReadonlyArray<Leg>): string =>
    legs.map(({ count, price, side, strike }, at) => {
      const name = `${format(strike, "strike")} ${side}`
      return `<li class="${side}"><span>${count > 0 ? "+" : "\u2212"}${Math.abs(count)} \u00d7 ${name} at ${
        format(price, "dollars")
      }</span>` +
        `<button type="button" data-less="${at}" aria-label="one ${name} less">\u2212</button>` +
        `<button type="button" data-more="${at}" aria-label="one ${name} more">+</button></li>`
    }).join("")

  return { ladder, legsOf, payoff, straddle }
}

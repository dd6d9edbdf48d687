/** Tracks what a run spends, by the figures of the service: what a reply consumed, or the balance of the account. */
import type { Charge } from "./exchange.ts"
import * as Words from "./words.ts"

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

const disputed = (consumed: number, fell: number): Charge => ({
  _tag: "NotShown",
  why: `the service says that it consumed ${Words.count(consumed, "credit")}, and the remaining credits fell by ` +
    `${fell.toLocaleString("en-US")}: another program may have used the account`
})

/** Adds a request. A balance that rose was renewed, and one that fell by less than was consumed is late: neither shows a charge. */
export const add = (self: Meter, request: Metered): Meter => {
  const { consumed = 0, remaining } = request
  if (self.balance === undefined || remaining === undefined) return byStatement(self, request)
  const fall = { from: self.balance, to: remaining }
  if (fall.from - fall.to < consumed) return byStatement(self, request)
  return self.unsettled.length === 0 ? byOwnFall(self, request, fall) : byCommonFall(self, request, fall)
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

/** What the balance was before a request, and after it. */
interface Fall {
  readonly from: number
  readonly to: number
}

/** The fall is the price of this request alone; if the reply states less, the rest may be another program's. */
const byOwnFall = (self: Meter, { consumed, name }: Metered, { from, to }: Fall): Meter => {
  const own = consumed ?? from - to
  const rest = from - to - own
  return {
    spent: self.spent + own,
    uncertain: self.uncertain + rest,
    balance: to,
    unsettled: [],
    charges: new Map([
      ...self.charges,
      [name, rest > 0 ? disputed(own, from - to) : consumed === undefined ? fallen(from, to) : stated(consumed)]
    ])
  }
}

/**
 * The fall is the price of this request and of earlier ones whose prices were not shown. They can be told apart if this one states its price or is a refusal,
 * and there is only one other; or if nothing was charged at all.
 */
const byCommonFall = (self: Meter, { consumed, most, name }: Metered, { from, to }: Fall): Meter => {
  const own = consumed ?? (most === 0 || from === to ? 0 : undefined)
  const others = own === undefined ? undefined : from - to - own
  const isShown = others === 0 || others !== undefined && self.unsettled.length === 1
  return {
    spent: self.spent + from - to,
    uncertain: self.uncertain - sum(self.unsettled),
    balance: to,
    unsettled: [],
    charges: new Map([
      ...self.charges,
      ...(isShown ? self.unsettled.map(({ name }) => [name, fallen(from, from - others)] as const) : []),
      [name, consumed !== undefined ? stated(consumed) : own === undefined ? unsaid : fallen(to + own, to)]
    ])
  }
}

const sum = (requests: Meter["unsettled"]): number => requests.reduce((sum, { most }) => sum + most, 0)

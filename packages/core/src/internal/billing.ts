import type { Assumption, Assumptions, Charge, Outcome } from "../Credits.ts"
import type * as Query from "../Query.ts"
import { grouped } from "./amount.ts"
import * as Tariff from "./tariff.ts"

/** What a request cost, read off the tariff of its question with what its reply held. */
export const charged = (query: Query.Query, outcome: Outcome, assume: Assumptions = {}): Charge => {
  const { assumed, ...price } = computed(query, outcome, { ...query.assume, ...assume })
  return { credits: outcome.reported ?? price.computed ?? assumed ?? 0, reported: outcome.reported, ...price }
}

interface Computed extends Pick<Charge, "computed" | "clause" | "assumptions"> {
  readonly assumed?: number
}

const computed = (query: Query.Query, outcome: Outcome, assume: Assumptions): Computed => {
  const { status } = outcome
  if (status === 204) return { computed: 0, clause: "7.1-204", assumptions: [] }
  if (status !== 200 && status !== 203) {
    const credits = assume.refusal ?? 0
    return {
      computed: credits,
      clause: "7.1-charge-not-stated",
      assumptions: [{ name: `charge for status ${status}`, value: grouped(credits) }]
    }
  }
  const tariff = Tariff.of(query, assume)
  const { assumptions, clause } = tariff
  if (Tariff.isFree(query, assume)) return { computed: 0, clause: "profile demoIsFree", assumptions: [] }
  if (tariff._tag === "Between") {
    const upper = { name: "charge for historical data without a date", value: "1 for each contract" }
    const perContract: Tariff.PerUnit = { ...tariff, _tag: "PerUnit", unit: "contracts", per: 1, fewest: 0 }
    // Every contract counts, with quote data or without: less could be under the price per thousand.
    return ofUnits(perContract, { ...outcome, quoted: undefined }, assume, [upper])
  }
  if (tariff._tag === "PerUnit") return ofUnits(tariff, outcome, assume, [])
  if (tariff._tag === "PerReply") return { computed: tariff.credits, clause, assumptions }
  if (tariff._tag === "Unavailable") {
    return { computed: undefined, clause, assumptions: [{ name: "charge for what is unavailable", value: "0" }] }
  }
  const other = tariff.otherwise
  const assumed = other._tag === "PerReply"
    ? other.credits
    : ofUnits(other, outcome, assume, []).computed ?? other.fewest
  const named: Assumption = { name: tariff.what, value: grouped(assumed) }
  return { computed: undefined, assumed, clause, assumptions: [named, ...assumptions] }
}

const ofUnits = (
  tariff: Tariff.PerUnit,
  outcome: Outcome,
  assume: Assumptions,
  named: ReadonlyArray<Assumption>
): Computed => {
  const { assumptions, clause, unit } = tariff
  const rows = outcome[unit]
  const count = Tariff.billsQuotedOnly(tariff, assume) ? outcome.quoted ?? rows : rows
  return count === undefined
    ? {
      computed: undefined,
      clause,
      assumptions: [{ name: `charge without a count of ${unit}`, value: "0" }, ...assumptions]
    }
    : {
      computed: Math.max(tariff.least, Tariff.creditsFor(tariff, count, assume)),
      clause,
      assumptions: [...named, ...assumptions]
    }
}

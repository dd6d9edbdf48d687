/** What the body of a chain must be: one cached chain shows it all. */
import * as Finding from "@effect-marketdata/core/Finding"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Profile from "@effect-marketdata/core/Profile"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { Check } from "./check.ts"
import { column, excerpt, field, isData, judgeData, notShown, type Seen, unless, type Verdict } from "./exchange.ts"
import type { Name } from "./probes.ts"

const names: ReadonlyArray<string> = Object.keys(OptionChain.spec)

const texts: ReadonlyArray<string> = ["optionSymbol", "underlying", "side"]

const typeOf = (name: string): string => texts.includes(name) ? "string" : name === "inTheMoney" ? "boolean" : "number"

/** The first element of a column that is not what it should be, as evidence. */
const firstIn = (
  body: unknown,
  name: string,
  isWrong: (value: unknown, row: number) => boolean
): string | undefined => {
  const values = column(body, name)
  const row = values.findIndex(isWrong)
  return row === -1 ? undefined : `${name} is ${JSON.stringify(values[row])} in row ${row}`
}

const body = (
  question: string,
  clause: string,
  problem: (body: unknown, seen: Seen<Name>) => string | undefined
): Check => ({
  clause,
  question,
  probes: ["chain"],
  check: (seen) => judgeData(seen, "chain", ({ json }) => problem(json, seen))
})

/** A clause that core finds the deviations from when it reads a chain. */
const findings = (question: string, clause: string, ...codes: ReadonlyArray<Finding.Code>): Check => ({
  clause,
  question,
  probes: ["chain"],
  check: (seen): Verdict => {
    const reply = seen.reply("chain")
    if (reply === undefined || !isData(reply)) return judgeData(seen, "chain", () => undefined)
    return Result.match(OptionChain.decode(reply.text), {
      onFailure: ({ message }) => notShown(`the chain cannot be read: ${message}`),
      onSuccess: ({ findings }) => {
        const found = findings.find(({ code }) => codes.includes(code))
        return unless(found && Finding.format(found))
      }
    })
  }
})

export const checks: ReadonlyArray<Check> = [
  body("Is a chain one object, with a status and otherwise nothing but arrays?", "2.1-shape", (body) => {
    if (!Predicate.isReadonlyObject(body)) return "the body is no object"
    const other = Object.entries(body).find(([name, value]) => name === "s" ? value !== "ok" : !Array.isArray(value))
    return other && `${other[0]} is ${excerpt(JSON.stringify(other[1]))}`
  }),
  body("Are all arrays of a chain equally long?", "2.1-lengths", (body) => {
    const rows = column(body, "optionSymbol").length
    const other = names.find((name) => Array.isArray(field(body, name)) && column(body, name).length !== rows)
    return other && `${other} has ${column(body, other).length} elements, optionSymbol has ${rows}`
  }),
  body("Does a chain have every column, of its type?", "2.1-fields", (body) => {
    const missing = names.find((name) => !Array.isArray(field(body, name)))
    if (missing !== undefined) return `there is no array ${missing}`
    return names.map((name) => firstIn(body, name, (value) => value !== null && typeof value !== typeOf(name)))
      .find((wrong) => wrong !== undefined)
  }),
  body("Does a chain have no other field?", "2.1-closed", (body) => {
    const other = Predicate.isReadonlyObject(body)
      ? Object.keys(body).find((name) => name !== "s" && !names.includes(name))
      : undefined
    return other && `there is a field ${other}`
  }),
  body(
    "Is every side call or put?",
    "2.1-side",
    (body) => firstIn(body, "side", (side) => side !== "call" && side !== "put")
  ),
  body("Is null nowhere but where there may be no value?", "2.1-only-last-null", (body, { setting }) => {
    const nullable: ReadonlyArray<string> = Profile.get(setting.profile, "nullableColumns")
    return names.filter((name) => !nullable.includes(name))
      .map((name) => firstIn(body, name, (value) => value === null))
      .find((wrong) => wrong !== undefined)
  }),
  findings("Is mid halfway between bid and ask?", "2.1-mid", "MidMismatch"),
  findings("Does dte count the days from the quote to the expiration?", "2.1-dte", "DteMismatch"),
  findings("Do moneyness and values follow from side, strike and price?", "2.1-moneyness", "MoneynessMismatch"),
  findings(
    "Does every contract expire on the day of its symbol, at 16:00 or 16:15 in New York?",
    "2.1-expiration",
    "ExpirationMismatch",
    "ExpirationTime"
  ),
  body(
    "Is firstTraded a time in epoch seconds, before the quote?",
    "2.1-first-traded",
    (body) => {
      const updated = column(body, "updated")
      return firstIn(
        body,
        "firstTraded",
        (first, row) => !isEpochSeconds(first) || Number(first) > Number(updated[row])
      )
    }
  ),
  body(
    "Is updated a time in epoch seconds that has come?",
    "2.1-updated",
    (body, { now }) => firstIn(body, "updated", (time) => !isEpochSeconds(time) || Number(time) > now + clocksMayDiffer)
  ),
  {
    clause: "2.3-format",
    question: "Is every option symbol well formed, and does it say what its row says?",
    probes: ["chain"],
    check: (seen) =>
      judgeData(seen, "chain", ({ json }) =>
        firstIn(json, "optionSymbol", (symbol, row) => {
          const parsed = typeof symbol === "string" ? OptionSymbol.parse(symbol) : undefined
          return parsed === undefined || Result.isFailure(parsed) ||
            parsed.success.strike !== column(json, "strike")[row] || parsed.success.side !== column(json, "side")[row]
        }))
  }
]

const isEpochSeconds = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value < 100_000_000_000

/** By how many seconds another machine's clock may be ahead of ours. */
const clocksMayDiffer = 300

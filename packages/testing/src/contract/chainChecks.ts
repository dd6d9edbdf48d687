/** The checks of the body of a chain, all by one cached chain. */
import { type Finding, ForeignText, OptionChain, OptionQuote, OptionSymbol, Profile } from "@effect-marketdata/core"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { column, field, type Name, rootOf, type Seen } from "./probes.ts"
import { broken, type Check, check, counted, either, holds, judgeData, judgeRows } from "./verdict.ts"
import { type Look, notShown, received, shown, unless, type Verdict } from "./verdict.ts"

const names: ReadonlyArray<string> = Object.keys(OptionChain.spec)

const texts: ReadonlyArray<string> = ["optionSymbol", "underlying", "side"]

const typeOf = (name: string): string => texts.includes(name) ? "string" : name === "inTheMoney" ? "boolean" : "number"

const chains = ["chain", "past", "narrowLive", "narrowDelayed", "wholeLive", "wholeDelayed"] as const

/** Judges the cached chain, and those of a past day and of other modes, which are asked for in any case: the first broken one decides, else the cached one. */
const each = (judged: typeof judgeData, seen: Seen<Name>, look: Look): Verdict => {
  const verdicts = chains.map((name) => judged(seen, name, look))
  return verdicts.find(({ _tag }) => _tag === "Broken") ?? verdicts[0]!
}

/** A check of the whole body of a chain. */
const body = (question: string, clause: string, problem: (body: object) => string | undefined) =>
  check(question, clause, ["chain"], (seen) =>
    each(judgeData, seen, (reply) =>
      Predicate.isReadonlyObject(reply.json)
        ? unless(problem(reply.json))
        : broken(`expected a JSON object, ${received(reply)}`)))

/** A check of each row of a chain; not shown if one of these columns is missing or empty. */
const rows = (
  question: string,
  clause: string,
  columns: ReadonlyArray<string>,
  look: (body: unknown, seen: Seen<Name>, text: string) => Verdict
) =>
  check(question, clause, ["chain"], (seen) =>
    each(judgeRows, seen, ({ json, text }) => {
      const missing = columns.find((name) => column(json, name).length === 0)
      return missing === undefined ? look(json, seen, text) : notShown(`the chain has no values of ${missing}`)
    }))

/** Finds the first element of a column that is not as expected. */
const everywhere = (
  name: string,
  expected: string,
  isRight: (value: unknown, row: number, body: unknown, seen: Seen<Name>) => boolean
) =>
(body: unknown, seen: Seen<Name>): Verdict => {
  const values = column(body, name)
  const row = values.findIndex((value, row) => !isRight(value, row, body, seen))
  return row === -1 ? holds : broken(`expected ${name} to be ${expected}, received ${shown(values[row])} in row ${row}`)
}

/** A check by core's findings; not shown if the columns have no values. */
const findings = (
  question: string,
  clause: string,
  columns: ReadonlyArray<string>,
  ...codes: ReadonlyArray<Finding.Code>
): Check =>
  rows(question, clause, columns, (body, _seen, text) => {
    const isThere = (row: number) => columns.every((name) => column(body, name)[row] !== null)
    if (!column(body, "optionSymbol").some((_, row) => isThere(row))) {
      return notShown(`no row of the chain has all of ${columns.join(", ")}`)
    }
    return Result.match(OptionChain.decode(text), {
      onFailure: ({ message }) => notShown(`the chain cannot be read: ${message}`),
      onSuccess: ({ findings }) => {
        const found = findings.find(({ code }) => codes.includes(code))
        return found === undefined ? holds : unless(deviation(found))
      }
    })
  })

const deviation = ({ column = "it", count, examples: [example] }: Finding.Finding): string => {
  const rows = `${counted(count, "row")} ${count === 1 ? "is" : "are"} different`
  if (example === undefined) return rows
  const expected = `expected ${column} to be ${ForeignText.line(example.expected)}`
  return `${rows}, first row ${example.index ?? "unknown"}: ${expected}, received ${ForeignText.line(example.received)}`
}

/** The quotes of one option have the columns of a chain, with null where the public service has it. */
const nullable = ({ setting }: Seen<Name>): ReadonlyArray<string> => {
  const spec = Profile.get(setting.profile, "nullableColumns") === "stated" ? OptionChain.spec : OptionQuote.spec
  return Object.entries(spec).flatMap(([name, column]) => column.null === "nullable" ? [name] : [])
}

/** By how many seconds another machine's clock may be ahead of ours. */
const clocksMayDiffer = 300

/** No option was listed before 1973: a smaller number is a day as digits, or the days since 1970. */
const firstListed = 100_000_000

const come = "a time in epoch seconds that has come"

const hasCome = (value: unknown, _row: number, _body: unknown, { now }: Seen<Name>): boolean =>
  typeof value === "number" && Number.isInteger(value) && value > firstListed && value <= now + clocksMayDiffer

/** Whether a symbol begins with the ticker that its row names: it may be that of a company that was merged into it, but not all of a chain are. */
const isOfRow = (body: unknown) => (symbol: unknown, row: number): boolean => {
  const underlying = column(body, "underlying")[row]
  return typeof underlying !== "string" || String(symbol).startsWith(rootOf(underlying))
}

const isSide = (value: unknown): boolean => value === "call" || value === "put"

export const checks: ReadonlyArray<Check> = [
  body("Is a chain one object, with a status and otherwise nothing but arrays?", "2.1-shape", (body) => {
    const other = Object.entries(body).find(([name, value]) => name === "s" ? value !== "ok" : !Array.isArray(value))
    return other &&
      `expected ${other[0]} to be ${other[0] === "s" ? `"ok"` : "an array"}, received ${shown(other[1])}`
  }),
  rows("Are all arrays of a chain equally long?", "2.1-lengths", [], (body) => {
    const rows = column(body, "optionSymbol").length
    const other = names.find((name) => Array.isArray(field(body, name)) && column(body, name).length !== rows)
    if (other === undefined) return holds
    const { length } = column(body, other)
    return broken(`expected ${counted(rows, "element")} of ${other}, as of optionSymbol, received ${length}`)
  }),
  body("Does a chain have every column, of its type?", "2.1-fields", (body) => {
    const status = field(body, "s")
    if (status !== "ok") return `expected s to be "ok", received ${shown(status)}`
    const missing = names.find((name) => !Array.isArray(field(body, name)))
    if (missing !== undefined) {
      return `expected an array ${missing}, received ${missing in body ? shown(field(body, missing)) : "no such field"}`
    }
    for (const name of names) {
      const type = typeOf(name)
      const row = column(body, name).findIndex((value) => value !== null && typeof value !== type)
      if (row !== -1) {
        return `expected ${name} to be a ${type}, received ${shown(column(body, name)[row])} in row ${row}`
      }
    }
    // Single quotes may be crossed for a moment, and one that is null shows nothing.
    const bids = column(body, "bid")
    const spreads = column(body, "ask").map((ask, row) => Number(ask ?? NaN) - Number(bids[row] ?? NaN))
    const isSwapped = spreads.filter((spread) => spread < 0).length > 4 && !spreads.some((spread) => spread > 0)
    return isSwapped ? "expected bid to be at most ask, received the two the other way round in every row" : undefined
  }),
  body("Does a chain have no other field?", "2.1-closed", (body) => {
    const other = Object.keys(body).find((name) => name !== "s" && !names.includes(name))
    return other && `expected no other fields than those of the contract, received ${shown(other)}`
  }),
  rows("Is every side call or put?", "2.1-side", ["side"], everywhere("side", "call or put", isSide)),
  rows("Is null nowhere but where there may be no value?", "2.1-only-last-null", names, (body, seen) => {
    const allowed = nullable(seen)
    const other = names.find((name) => !allowed.includes(name) && column(body, name).includes(null))
    if (other === undefined) return holds
    const row = column(body, other).indexOf(null)
    return broken(`expected null in ${either(allowed)} only, received null in row ${row} of ${other}`)
  }),
  findings("Is mid halfway between bid and ask?", "2.1-mid", ["mid", "bid", "ask"], "MidMismatch"),
  findings(
    "Does dte count the days from the quote to the expiration?",
    "2.1-dte",
    ["dte", "expiration", "updated"],
    "DteMismatch"
  ),
  findings(
    "Do moneyness and values follow from side, strike and price?",
    "2.1-moneyness",
    ["inTheMoney", "intrinsicValue", "extrinsicValue", "underlyingPrice", "strike", "side", "mid"],
    "MoneynessMismatch"
  ),
  findings(
    "Does every contract expire on the day of its symbol, at 16:00 or 16:15 in New York?",
    "2.1-expiration",
    ["expiration"],
    "ExpirationMismatch",
    "ExpirationTime"
  ),
  ...([["2.1-first-traded", "firstTraded"], ["2.1-updated", "updated"]] as const).map(([clause, name]) =>
    rows(`Is ${name} ${come}?`, clause, [name], everywhere(name, come, hasCome))
  ),
  rows(
    "Is every option symbol well formed, and does it say what its row says?",
    "2.3-format",
    ["optionSymbol", "underlying", "strike", "side"],
    everywhere("optionSymbol", "one of its row's underlying, strike and side", (symbol, row, body) => {
      const parsed = typeof symbol === "string" ? OptionSymbol.parse(symbol) : undefined
      if (parsed === undefined || Result.isFailure(parsed)) return false
      const { side, strike } = parsed.success
      return column(body, "optionSymbol").some(isOfRow(body)) &&
        strike === column(body, "strike")[row] && side === column(body, "side")[row]
    })
  )
]

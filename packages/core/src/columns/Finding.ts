/**
 * What was unusual in a reply that could be read. Nothing is dropped or corrected silently: each deviation from the contract is a finding
 * that names the column, the rows, the expected value and the received one.
 *
 * @example
 * ```ts
 * import * as Finding from "@effect-marketdata/core/Finding"
 *
 * Finding.format({
 *   code: "StrikeMismatch",
 *   column: "strike",
 *   count: 83,
 *   examples: [{ index: 7, expected: "155", received: "0" }]
 * }) // => "StrikeMismatch in strike: 83 rows, first row 7: expected 155, received 0"
 * ```
 *
 * @see {@link DecodeError} for what cannot be read
 * @see `Policies.Findings` of the client, which makes findings errors
 * @since 0.1.0
 */
import * as ForeignText from "../text/ForeignText.ts"
import * as Problem from "../text/Problem.ts"

/**
 * The kinds of deviation.
 *
 * - `MissingStatus`: no field `s` in the reply to a query that did not name its columns
 * - `UnknownField`: a field that the contract does not list (clause 2.1-closed)
 * - `MissingColumn`: a column that was asked for is absent; every row of it reads as null
 * - `LengthMismatch`: a column of the service's status is shorter than the others; its last rows read as null, and its other elements may
 *   stand in wrong rows
 * - `NullNotAllowed`: null in a column other than `last` (clause 2.1-only-last-null)
 * - `StrikeMismatch`, `SideMismatch`, `ExpirationMismatch`: a column contradicts the option symbol of its row
 * - `ExpirationTime`: the right day, but neither 16:00 for equity options nor 16:15 for index options in New York (clause 2.1-expiration)
 * - `MidMismatch`: `mid` is more than half a cent from the midpoint of bid and ask (clause 2.1-mid)
 * - `DteMismatch`: `dte` is not the number of calendar days from the New York day of the quote to the expiration (clause 2.1-dte)
 * - `MoneynessMismatch`: `inTheMoney`, `intrinsicValue` or `extrinsicValue` differs by more than a cent from what follows from side,
 *   strike, `underlyingPrice` and `mid` (clause 2.1-moneyness); a strike equal to the price is not in the money
 * - `UnexpectedRow`: a row about something that was not asked for, or a second row about the same ticker
 * - `MissingRow`: a ticker of a list has no row, because the service does not know it or has nothing cached. If the column of tickers was
 *   not asked for, only the number of rows shows it. It never fails a query: the other rows are what was asked for
 * - `CachedAnsweredFresh`: status 200 to a request for cached data (clause 7.2-cached-200)
 * - `SpentElsewhere`: by the service's figures, more credits are gone than the program's own requests can have cost. Another program uses
 *   the account, or the HTTP client repeats requests by itself. It is about the account and not the data, and never fails a query
 * - `DamagedReply`: a reply that had been kept could not be read any more. It was removed, and the service was asked instead
 * - `Overrun`: the query was charged more than the upper bound of its estimate. It never fails a query
 * - `SizeReached`: the chain is larger than the size that bounded its price, and the client had it cut: at one contract more than was seen or, where the
 *   size was assumed, at the ceiling of the consent to live data. There may be more. It never fails a query
 * - `UnexplainedCharge`: the figure that the service reports for the request follows from no price, neither the contract's nor the public
 *   service's. `Credits.RecordedFigures` says whether it is recorded
 *
 * @category models
 * @since 0.1.0
 */
export type Code = typeof codes[number]

/**
 * All kinds of deviation.
 *
 * @category constants
 * @since 0.1.0
 */
export const codes = [
  "MissingStatus",
  "UnknownField",
  "MissingColumn",
  "LengthMismatch",
  "NullNotAllowed",
  "StrikeMismatch",
  "SideMismatch",
  "ExpirationMismatch",
  "ExpirationTime",
  "MidMismatch",
  "DteMismatch",
  "MoneynessMismatch",
  "UnexpectedRow",
  "MissingRow",
  "CachedAnsweredFresh",
  "SpentElsewhere",
  "DamagedReply",
  "Overrun",
  "SizeReached",
  "UnexplainedCharge"
] as const

/**
 * A row that shows a deviation. `index` counts rows from 0, and is undefined if the deviation is not about a row.
 *
 * @category models
 * @since 0.1.0
 */
export interface Example {
  readonly index: number | undefined
  readonly expected: string
  readonly received: string
}

/**
 * One kind of deviation in one column (or in the whole reply, where `column` is undefined): how many rows show it, and the
 * first few of them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Finding {
  readonly code: Code
  readonly column: string | undefined
  readonly count: number
  readonly examples: ReadonlyArray<Example>
}

/**
 * Creates a finding about the whole reply, not a column or a row: `count` says how often it was found, once by default.
 *
 * @example
 * ```ts
 * import * as Finding from "@effect-marketdata/core/Finding"
 *
 * Finding.format(Finding.ofWhole("Overrun", "at most 5 credits", "7 credits"))
 * // => "Overrun: expected at most 5 credits, received 7 credits"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofWhole = (code: Code, expected: string, received: string, count = 1): Finding => ({
  code,
  column: undefined,
  count,
  examples: [{ index: undefined, expected, received }]
})

/**
 * The number of example rows that a finding keeps.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxExamples = 5

const known = /* @__PURE__ */ Problem.guard("finding", "one of answer.findings", { code: "", count: 0, examples: [] })

/**
 * Prints a finding in one line.
 *
 * @example
 * ```ts
 * import * as Finding from "@effect-marketdata/core/Finding"
 * import * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as Result from "effect/Result"
 *
 * const chain = Result.getOrThrow(OptionChain.decode(`{"s":"ok","strike":[100],"surprise":[1]}`, { columns: ["strike"] }))
 * chain.findings.map(Finding.format) // => [ "UnknownField in surprise" ]
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (self: Finding): string => {
  known(self)
  const place = self.column === undefined ? self.code : `${self.code} in ${ForeignText.line(self.column, 80)}`
  const first = self.examples[0]
  if (first === undefined) return place
  const values = `expected ${ForeignText.line(first.expected)}, received ${ForeignText.line(first.received)}`
  if (first.index === undefined) return `${place}: ${self.count === 1 ? "" : `${self.count} times, first: `}${values}`
  const rows = self.count === 1 ? `row ${first.index}` : `${self.count} rows, first row ${first.index}`
  return `${place}: ${rows}: ${values}`
}

/**
 * Applies a function to each text of a finding that came from outside: names of unknown columns, and values of rows. If nothing changes,
 * it returns the same object.
 *
 * @category combinators
 * @since 0.1.0
 */
export const mapText = (self: Finding, f: (text: string) => string): Finding => {
  known(self)
  const column = self.column === undefined ? undefined : f(self.column)
  const examples = self.examples.map((example) => {
    const [expected, received] = [f(example.expected), f(example.received)]
    return expected === example.expected && received === example.received ? example : { ...example, expected, received }
  })
  const isSame = column === self.column && examples.every((example, index) => example === self.examples[index])
  return isSame ? self : { ...self, column, examples }
}

/**
 * Counts findings of several tables together, kind by kind and column by column; the rows of their examples are those of the whole.
 *
 * @internal
 */
export const merge = (
  tables: ReadonlyArray<{ readonly length: number; readonly findings: ReadonlyArray<Finding> }>
): ReadonlyArray<Finding> => {
  const merged = new Map<string, Finding>()
  let offset = 0
  for (const { findings, length } of tables) {
    for (const finding of findings) {
      const key = `${finding.code} ${finding.column}`
      const before = merged.get(key)
      const examples = finding.examples.map((example) =>
        example.index === undefined ? example : { ...example, index: example.index + offset }
      )
      merged.set(key, {
        ...finding,
        count: (before?.count ?? 0) + finding.count,
        examples: [...(before?.examples ?? []), ...examples].slice(0, maxExamples)
      })
    }
    offset += length
  }
  return [...merged.values()]
}

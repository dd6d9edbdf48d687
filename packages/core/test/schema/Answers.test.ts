import type { Finding, Provenance } from "@effect-marketdata/core"
import { Answer, Credits, OptionChain, Query, Reason, Schemas } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import * as fc from "fast-check"
import { delivered } from "../support/delivered.ts"
import * as Depth from "../support/depth.ts"
import { made } from "../support/everyQuery.ts"
import { refusalOf, wires } from "../support/wires.ts"

const runs = (seed: number) => ({ numRuns: Depth.runs(150, 25), seed })

/** Many of every reason, with any of their fields left out. Half of a surrogate pair is not a text: JSON carries it, and UTF-8 does not. */
const reasons: ReadonlyArray<Reason.Reason> = Effect.runSync(
  Arbitrary.sampleEffect(Arbitrary.schema(Reason.Reason), { count: 1000, seed: 17_530 })
).filter((reason) => !/\\ud[89a-f]/.test(JSON.stringify(reason)))

/** A reason is an error: what it says, and what it holds besides the stack of where it was made. */
const plainReason = (reason: Reason.Reason | undefined): unknown =>
  reason && [reason.constructor, reason.message, reason.isRetryable, reason.cost, printed(reason)]

const optional = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> => fc.option(value, { nil: undefined })
const text = fc.string({ unit: "grapheme", maxLength: 12 })
const credits = fc.nat({ max: 1_000_000 })
const amount = fc.oneof(credits, fc.constant(Infinity))
const seconds = fc.double({ min: 0, max: 2e9, noNaN: true }).map((value) => value + 0)

const finding: fc.Arbitrary<Finding.Finding> = fc.record({
  code: fc.constantFrom("UnknownField", "StrikeMismatch", "SpentElsewhere", "DamagedReply", "UnexplainedCharge"),
  column: optional(text),
  count: credits,
  examples: fc.array(fc.record({ index: optional(credits), expected: text, received: text }), { maxLength: 5 })
})

const provenance: fc.Arbitrary<Provenance.Provenance> = fc.record({
  status: fc.constantFrom(200, 203),
  source: fc.constantFrom("provider", "cache", "local"),
  age: optional(seconds),
  requestedMode: fc.constantFrom(undefined, "Live", "Delayed", "Cached", "CachedOrLive", "Eod", "Historical"),
  sentMode: fc.constantFrom(undefined, "live", "delayed", "cached", "eod", "historical"),
  updated: optional(fc.record({ oldest: seconds, newest: seconds })),
  receivedAt: seconds,
  requestId: optional(text)
}).map(({ age, ...provenance }) => age === undefined ? provenance : { ...provenance, age })

const attempt: fc.Arbitrary<Answer.Attempt> = fc.record({
  target: text,
  status: optional(fc.integer({ min: 100, max: 599 })),
  charge: optional(fc.record({
    credits,
    uncertain: amount,
    reported: optional(credits),
    computed: optional(credits),
    finding: optional(finding),
    clause: text,
    assumptions: fc.array(fc.record({ name: text, value: text }), { maxLength: 2 })
  })),
  uncertain: amount,
  repeats: fc.nat({ max: 9 }),
  elsewhere: credits,
  reason: fc.constantFrom(undefined, ...reasons)
}).map(Answer.makeAttempt)

const answer = fc.tuple(
  fc.constantFrom(...delivered),
  fc.record({ findings: fc.array(finding, { maxLength: 3 }), provenance, trace: fc.array(attempt, { maxLength: 3 }) })
).map(([{ data, query }, rest]) => ({
  query,
  answer: Answer.make({ data, ...rest, credits: { estimate: Credits.estimate(query), ...Answer.spent(rest.trace) } })
}))

/** Printed by `JSON.stringify`, which shows all of it: its errors as their fields. */
const printed = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

it("has every reason to draw from", () =>
  assert.deepStrictEqual(new Set(reasons.map(({ _tag }) => _tag as string)), new Set(Reason.tags)))

for (const [wire, travel] of Object.entries(wires)) {
  it(`loses nothing of any reason: ${wire}`, () => {
    for (const reason of reasons) {
      const travelled = travel(Reason.Reason, reason)
      assert.deepStrictEqual(plainReason(travelled), plainReason(reason))
    }
  })

  it(`loses nothing of a finding, an origin or a request: ${wire}`, () => {
    Depth.forAll(runs(17_531), finding, provenance, attempt, (finding, provenance, attempt) => {
      assert.deepStrictEqual(travel(Schemas.Finding, finding), finding)
      assert.deepStrictEqual(travel(Schemas.Provenance, provenance), provenance)
      const { reason, ...rest } = travel(Schemas.Attempt, attempt)
      const plain = { ...rest, reason: plainReason(reason) }
      assert.deepStrictEqual(plain, { ...attempt, reason: plainReason(attempt.reason) })
      assert.strictEqual(Answer.formatAttempt({ ...rest, reason }), Answer.formatAttempt(attempt))
    })
  })

  it(`loses nothing of an answer to any endpoint, in JSON or in CSV: ${wire}`, () => {
    Depth.forAll(runs(17_532), answer, ({ answer, query }) => {
      const travelled = travel(Schemas.AnswerTo(query), answer)
      assert.deepStrictEqual(printed(travelled), printed(answer))
      assert.strictEqual(travelled.credits.uncertain, answer.credits.uncertain)
      assert.deepStrictEqual(travelled.provenance, answer.provenance)
      assert.strictEqual(Object.prototype.toString.call(travelled.data), Object.prototype.toString.call(answer.data))
    })
  })
}

it("reads an answer to a query that was cloned, as a message to a worker is", () => {
  for (const { data, query } of delivered) {
    const encoded = Schema.encodeSync(Schemas.DataOf(query))(data)
    const read = Schema.decodeSync(Schemas.DataOf(structuredClone(query)))(encoded)
    assert.deepStrictEqual(printed(read), printed(data), query.endpoint.name)
  }
})

it("says Infinity where it would say null", () => {
  const unknown = { status: undefined, charge: undefined, reason: undefined }
  const lost = Answer.makeAttempt({ ...unknown, target: "/v1/", uncertain: Infinity, repeats: 0, elsewhere: 0 })
  assert.strictEqual(JSON.stringify(lost), `{"target":"/v1/","uncertain":"Infinity","repeats":0,"elsewhere":0}`)
  Depth.forAll(runs(17_533), answer, ({ answer }) => {
    const { credits, trace } = JSON.parse(JSON.stringify(answer))
    assert.strictEqual(credits.uncertain, answer.credits.uncertain === Infinity ? "Infinity" : answer.credits.uncertain)
    // An option that advice leaves out is null.
    const numbers = JSON.stringify(trace, (key, value) => key === "advice" ? undefined : value)
    assert.notInclude(numbers.replaceAll(/"(?:[^"\\]|\\.)*"/g, ""), "null")
  })
})

it("prints an answer as its schema encodes it", () => {
  Depth.forAll(runs(17_534), answer, ({ answer, query }) => {
    // Reasons print whether they can be retried as well, which follows from the rest.
    const unreasoned = Answer.make({ ...answer, trace: [] })
    assert.deepStrictEqual(printed(Schema.encodeSync(Schemas.AnswerTo(query))(unreasoned)), printed(unreasoned))
  })
})

it("reads no answer to another query", () => {
  const chain = made(Query.optionChain("AAPL", { columns: ["strike"] }))
  const other = fc.sample(answer, { numRuns: 100, seed: 17_535 }).find(({ query }) =>
    query.endpoint.name === "optionExpirations" && query.format === undefined
  )
  const stored = JSON.parse(JSON.stringify(other!.answer))
  assert.match(refusalOf(Schemas.AnswerTo(chain), stored) ?? "", /at \["data"\]/)
  const table = Result.getOrThrow(OptionChain.decode(`{"strike":[1]}`, { columns: ["strike"], statusOptional: true }))
  const ok = { ...stored, data: table.toJSON() }
  assert.isUndefined(refusalOf(Schemas.AnswerTo(chain), ok))
  const why = refusalOf(Schemas.AnswerTo(chain), { ...ok, data: { ...ok.data, columns: { strike: [1, 2] } } }) ?? ""
  assert.match(why, /at \["data"\]\["columns"\]\["strike"\]$/)
  const cases = [["charged", -1], ["charged", "Infinity"], ["uncertain", null], ["uncertain", -1]] as const
  for (const [field, value] of cases) {
    const refused = refusalOf(Schemas.AnswerTo(chain), { ...ok, credits: { ...ok.credits, [field]: value } })
    assert.include(refused ?? "not refused", `at ["credits"]["${field}"]`)
  }
})

it("reads values that are not tables only where they are what they say", () => {
  const day = { year: 2026, month: 12, day: 18 }
  const contract = { root: "AAPL", expiration: day, side: "call", strike: 150 }
  const lookup = { optionSymbol: "AAPL261218C00150000", contract }
  assert.isUndefined(refusalOf(Schemas.OptionLookup, lookup))
  const refusal = refusalOf(Schemas.OptionLookup, { ...lookup, optionSymbol: "AAPL261218P00150000" }) ?? ""
  assert.include(refusal, `["optionSymbol"]`)
  assert.isDefined(refusalOf(Schemas.OptionLookup, { ...lookup, contract: { ...contract, strike: 0.0001 } }))
  assert.isDefined(
    refusalOf(Schemas.OptionLookup, { ...lookup, contract: { ...contract, expiration: { ...day, day: 32 } } })
  )
  assert.isDefined(refusalOf(Schemas.OptionExpirations, { expirations: [{ ...day, month: 13 }], updated: 1 }))
  assert.isDefined(refusalOf(Schemas.OptionStrikes, { expirations: [{ expiration: day, strikes: [-1] }], updated: 1 }))
  assert.isDefined(refusalOf(Schemas.AccountStatus, { creditsLimit: null, creditsRemaining: 1, optionsData: "" }))
  assert.isDefined(refusalOf(Schemas.RequestHeaders, { accept: "*/*" }))
})

import { Answer, Credits, Reason, Schemas } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import * as fc from "fast-check"
import { delivered } from "../../core/test/support/delivered.ts"
import { forAll, runs } from "../../core/test/support/depth.ts"
import * as Answers from "../src/wire/answers.ts"

const Head = Schemas.Answer(Schema.Null)
const schemaOf = Schema.decodeUnknownResult(Schema.fromJsonString(Head))
/** Answers of any kind; in half of them nothing is rare. */
const answers = Effect.runSync(
  Arbitrary.sampleEffect(Arbitrary.schema(Head), { count: runs(2000, 400), seed: 17_506 })
).map((answer, at) =>
  at % 2 === 0 ? answer : Answer.make({
    ...answer,
    findings: [],
    trace: answer.trace.map(({ charge, ...attempt }) =>
      Answer.makeAttempt({ ...attempt, reason: undefined, charge: charge && { ...charge, finding: undefined } })
    )
  })
)

/** A field of a head, or of what is in it, with another value. */
const changed = (value: unknown, at: number, other: unknown): unknown => {
  let left = at
  const visit = (value: unknown): unknown => {
    if (left-- === 0) return other
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, visit(field)]))
  }
  return visit(value)
}

it("a head that is read by hand that is usual is read as its schema reads it, and any other is left to that", () => {
  const usual = answers.map((answer) => JSON.stringify(answer)).filter((text) => Answers.readHead(text) !== undefined)
  for (const text of usual) {
    const [read, known] = [Answers.readHead(text), Result.getOrThrow(schemaOf(text))]
    assert.deepStrictEqual(read, known)
    assert.strictEqual(JSON.stringify(read), JSON.stringify(known))
  }
  assert.isAbove(usual.length, answers.length / 10)
})

it("a head that is read by hand in which anything was changed is never read as what its schema refuses", () => {
  const others = [null, -1, 0.5, "", "Infinity", [], {}, [null], -0, true]
  forAll(
    { numRuns: runs(5000, 600), seed: 17_507 },
    fc.constantFrom(...answers),
    fc.nat({ max: 40 }),
    fc.constantFrom(...others),
    (answer, at, other) => {
      const text = JSON.stringify(changed(JSON.parse(JSON.stringify(answer)), at, other))
      const read = Answers.readHead(text)
      if (read !== undefined) assert.deepStrictEqual(read, Result.getOrThrow(schemaOf(text)))
    }
  )
  for (const text of ["", "null", "[]", "{}", "{"]) assert.isUndefined(Answers.readHead(text))
})

it("answers on the wire keep credits without a bound and the reasons of requests, for any endpoint", () => {
  const reason = new Reason.ServerFault({ status: 503, temporary: true, body: "" })
  const lost = { target: "/v1/", status: undefined, charge: undefined, repeats: 0, elsewhere: 0 }
  const unknown = { requestedMode: undefined, sentMode: undefined, updated: undefined, requestId: undefined }
  const trace = [Answer.makeAttempt({ ...lost, uncertain: Infinity, reason })]
  for (const { data, query } of delivered) {
    const answer = Answer.make({
      data,
      findings: [{ code: "UnknownField", column: undefined, count: 1, examples: [] }],
      provenance: { status: 203, source: "cache", receivedAt: 1_795_194_000.5, ...unknown },
      credits: { estimate: Credits.estimate(query), ...Answer.spent(trace) },
      trace
    })
    const read = Effect.runSync(Effect.flatMap(Answers.encode(query, answer), (reply) => Answers.decode(query, reply)))
    assert.strictEqual(read.credits.uncertain, Infinity, query.endpoint.name)
    assert.instanceOf(read.trace[0]!.reason, Reason.ServerFault)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(answer)))
  }
})

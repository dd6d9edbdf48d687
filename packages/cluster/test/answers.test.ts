import { Answer, Credits, Reason } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { delivered } from "../../core/test/support/delivered.ts"
import * as Answers from "../src/wire/answers.ts"

it("answers on the wire keep credits without a bound and the reasons of requests, for any endpoint", () => {
  const reason = new Reason.ServerFault({ status: 503, temporary: true, body: "" })
  const lost = { target: "/v1/", status: undefined, charge: undefined, repeats: 0, elsewhere: 0 }
  const trace = [Answer.makeAttempt({ ...lost, uncertain: Infinity, reason })]
  for (const { data, query } of delivered) {
    const answer = Answer.make({
      data,
      findings: [{ code: "UnknownField", column: undefined, count: 1, examples: [] }],
      provenance: {
        status: 203,
        source: "cache",
        requestedMode: undefined,
        sentMode: undefined,
        updated: undefined,
        receivedAt: 1_795_194_000.5,
        requestId: undefined
      },
      credits: { estimate: Credits.estimate(query), ...Answer.spent(trace) },
      trace
    })
    const read = Effect.runSync(Effect.flatMap(Answers.encode(query, answer), (reply) => Answers.decode(query, reply)))
    assert.strictEqual(read.credits.uncertain, Infinity, query.endpoint.name)
    assert.instanceOf(read.trace[0]!.reason, Reason.ServerFault)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(answer)))
  }
})

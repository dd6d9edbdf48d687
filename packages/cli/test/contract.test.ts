import * as Faults from "@effect-marketdata/sandbox/Faults"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { marketdata } from "./support/printed.ts"

/** Runs the command, with these variables set and no others. */
const contract = (flags: string, variables: Record<string, string> = {}) =>
  marketdata(`contract ${flags}`, { variables })

/** Another service on this machine, with an unknown field in each reply. */
const elsewhere = SandboxServer.layer().pipe(
  Layer.provide(Faults.layer({ faults: [{ kind: { _tag: "ExtraField" } }] })),
  Layer.provideMerge(Sandbox.layer())
)

describe("marketdata contract", () => {
  it.effect("tells the price first, and sends nothing without a budget", () =>
    Effect.gen(function*() {
      const { code, errors, out } = yield* contract("")
      assert.strictEqual(code, 0)
      assert.strictEqual(out, "65 clauses, by 37 requests, for 47 credits at most")
      assert.strictEqual(errors, "nothing was sent: to ask, add --budget 47")
      const asJson: unknown = JSON.parse((yield* contract("--json")).out)
      assert.deepNestedInclude(asJson, { version: 1, "price.requests": 37, "price.credits": 47 })
    }))

  it.effect("finds the embedded sandbox to keep the public service's reading", () =>
    Effect.gen(function*() {
      const { code, errors, out } = yield* contract("--budget 47 --profile public")
      assert.strictEqual(code, 0, out + errors)
      assert.match(out, /http:\/\/127\.0\.0\.1:\d+: \d+ requests sent, \d+ of 47 credits spent/)
      assert.include(out, "Passed: nothing is broken")
    }))

  it.effect("fails where the service that is named breaks a clause, and names it", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const { code, errors, out } = yield* contract(`--base-url ${baseUrl} --budget 2 --clause 2.1-closed`, {
        MARKETDATA_TOKEN: "sandbox-paid"
      })
      assert.strictEqual(code, 1)
      assert.include(out, "1 broken")
      assert.strictEqual(
        errors,
        "1 clause, by 1 request, for 1 credit at most\nerror: the service breaks the clause 2.1-closed"
      )
      assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 1)
    }).pipe(Effect.provide(elsewhere)))

  it.effect("prints the report as JSON, and nothing else on standard output", () =>
    Effect.gen(function*() {
      const { errors, out } = yield* contract("--budget 1 --clause 2.1-mid --json")
      const report: unknown = JSON.parse(out)
      assert.deepNestedInclude(report, {
        version: 1,
        "report.outcome": "Passed",
        "report.budget": 1,
        "report.spent": 1,
        "report.uncertain": 0,
        "report.lines[0].verdict._tag": "Holds"
      })
      assert.strictEqual(errors, "")
    }))

  it.effect("prints the verdicts as rows, too", () =>
    Effect.gen(function*() {
      const asLines = yield* contract("--budget 1 --clause 2.1-mid --format jsonl")
      assert.deepInclude(JSON.parse(asLines.out), { clause: "2.1-mid", verdict: "Holds", detail: "" })
      const asCsv = yield* contract("--budget 1 --clause 2.1-mid --format csv")
      assert.match(asCsv.out, /^clause,verdict,question,detail\n2\.1-mid,Holds,[^\n]+,$/)
    }))

  it.effect("exits with 9 where there is no verdict, and says why, for nothing", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const free = yield* contract(`--base-url ${baseUrl} --budget 60`, { MARKETDATA_TOKEN: "sandbox-free" })
      assert.strictEqual(free.code, 9)
      assert.include(free.out, `${baseUrl}: 1 request sent, 0 of 60 credits spent\nNo verdict: `)
      assert.include(free.errors, "there is no verdict: the plan of this token may not ask for cached data")
      assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 0)
    }).pipe(Effect.provide(Layer.provideMerge(SandboxServer.layer(), Sandbox.layer()))))

  it.effect("asks about the tickers and the demo that are named", () =>
    Effect.gen(function*() {
      const asked = yield* contract("--budget 5 --clause 4.5-prices --clause 5.5-demo --tickers SPY,AAPL --demo AAPL")
      assert.strictEqual(asked.code, 0, asked.out)
      assert.match(asked.out, /2 hold\n {2}4\.5-prices .*\n {2}5\.5-demo/)
    }))
})

import * as Main from "@effect-marketdata/cli/Main"
import * as Faults from "@effect-marketdata/sandbox/Faults"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as TestConsole from "effect/testing/TestConsole"

const noon = 1795194000

/** Runs the command line on Friday at noon, with these variables set and no others; gives what it printed and whether it failed. */
const contract = (flags: string, variables: Record<string, string> = {}) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(noon * 1000)
    const { _tag } = yield* Effect.result(Main.run(`contract ${flags}`.trim().split(" ")))
    return {
      failed: _tag === "Failure",
      out: (yield* TestConsole.logLines).join("\n"),
      errors: (yield* TestConsole.errorLines).join("\n")
    }
  }).pipe(
    Effect.provide(Layer.merge(NodeServices.layer, ConfigProvider.layer(ConfigProvider.fromEnvRecord(variables))))
  )

/** Another service on this machine, with an unknown field in each reply. */
const elsewhere = SandboxServer.layer().pipe(
  Layer.provide(Faults.layer({ faults: [{ kind: { _tag: "ExtraField" } }] })),
  Layer.provideMerge(Sandbox.layer())
)

describe("marketdata contract", () => {
  it.effect("tells the price first, and sends nothing without a budget", () =>
    Effect.gen(function*() {
      const { failed, out } = yield* contract("")
      assert.isFalse(failed)
      assert.strictEqual(
        out,
        "64 clauses, by 36 requests, for 48 credits at most\nnothing was sent: to ask, add --budget 48"
      )
    }))

  for (const profile of ["contract", "public"]) {
    it.effect(`finds the embedded sandbox to keep the ${profile}'s reading`, () =>
      Effect.gen(function*() {
        const { errors, failed, out } = yield* contract(`--budget 48 --profile ${profile}`)
        assert.isFalse(failed, out + errors)
        assert.match(out, /http:\/\/127\.0\.0\.1:\d+: \d+ requests sent, \d+ of 48 credits spent/)
        assert.notInclude(out, " broken")
      }))
  }

  it.effect("fails where the service that is named breaks a clause, and names it", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const { errors, failed, out } = yield* contract(`--base-url ${baseUrl} --budget 2 --clause 2.1-closed`, {
        MARKETDATA_TOKEN: "sandbox-paid"
      })
      assert.isTrue(failed)
      assert.include(out, "1 broken")
      assert.strictEqual(errors, "error: the service breaks the clause 2.1-closed")
      assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 1)
    }).pipe(Effect.provide(elsewhere)))

  it.effect("prints the report as JSON, and nothing else on standard output", () =>
    Effect.gen(function*() {
      const { errors, out } = yield* contract("--budget 1 --clause 2.1-mid --json")
      const report: unknown = JSON.parse(out)
      assert.deepNestedInclude(report, { budget: 1, spent: 1, "lines[0].verdict._tag": "Holds" })
      assert.strictEqual(errors, "1 clause, by 1 request, for 1 credit at most")
    }))

  it.effect("asks for a token, and refuses clauses and lines that cannot be", () =>
    Effect.gen(function*() {
      assert.include((yield* contract("--base-url https://proxy.test --budget 1")).errors, "set MARKETDATA_TOKEN")
      const token = { MARKETDATA_TOKEN: "a-token" }
      assert.include((yield* contract("--base-url http://proxy.test --budget 1", token)).errors, "plain http")
      assert.include((yield* contract("--budget 1 --clause 0-none", token)).errors, "no clause 0-none")
    }))
})

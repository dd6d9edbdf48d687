import { Faults, Sandbox, SandboxServer } from "@effect-marketdata/sandbox"
import { Effect, Fiber, Layer } from "effect"
import { TestConsole } from "effect/testing"
import { assert, it } from "../../core/test/support/it.ts"
import { marketdata, turn } from "./support/printed.ts"
import { folder } from "./support/service.ts"

/** Runs the command, with these variables set and no others. */
const contract = (flags: string, variables: Record<string, string> = {}) =>
  marketdata(`contract ${flags}`, { variables })

const paid = { MARKETDATA_TOKEN: "sandbox-paid" }

/** Another service on this machine, with an unknown field in each reply. */
const faults = Layer.provide(Faults.layer({ faults: [{ kind: { _tag: "ExtraField" } }] }))
const elsewhere = SandboxServer.layer().pipe(faults, Layer.provideMerge(Sandbox.layer()))

it.effect("fails where the service that is named breaks a clause, and names it", function*() {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const { code, errors, out } = yield* contract(`--base-url ${baseUrl} --budget 2 --clause 2.1-closed`, paid)
  assert.include(out, "1 broken")
  const said = "1 clause, by 1 request, for 1 credit at most\nerror: the service breaks the clause 2.1-closed"
  assert.deepStrictEqual([code, errors], [1, said])
  assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 1)
}, elsewhere)

it.effect("exits with 9 where there is no verdict, and says why, for nothing", function*() {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const free = yield* contract(`--base-url ${baseUrl} --budget 60`, { MARKETDATA_TOKEN: "sandbox-free" })
  assert.strictEqual(free.code, 9)
  assert.include(free.out, `${baseUrl}: 1 request sent, 0 of 60 credits spent\nNo verdict: `)
  assert.include(free.errors, "there is no verdict: the plan of this token may not ask for cached data")
  assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 0)
}, SandboxServer.layer().pipe(Layer.provideMerge(Sandbox.layer())))

it.effect("keeps to the allowance of all commands, and is recorded with them", function*() {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const of = { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid", MARKETDATA_HOME: folder() }
  const asked = "--budget 3 --clause 2.1-mid --clause 7.1-404"
  const refused = yield* contract(asked, { ...of, MARKETDATA_ALLOWANCE: "1" })
  assert.strictEqual(refused.code, 3)
  assert.include(refused.errors, "error: contract: the query may cost 2 credits, and the allowance has 1 credit left")
  assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 0)
  const kept = { ...of, MARKETDATA_ALLOWANCE: "5" }
  assert.strictEqual((yield* contract(asked, kept)).code, 0)
  const { ledger } = JSON.parse((yield* marketdata("account --json", { variables: kept })).out)
  assert.deepInclude(ledger, { charged: yield* (yield* Sandbox.Sandbox).billed, uncertain: 0 })
}, SandboxServer.layer().pipe(Layer.provideMerge(Sandbox.layer())))

it.effect("says what may have been charged if it is stopped", function*() {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const { billed } = yield* Sandbox.Sandbox
  const fiber = yield* Effect.forkChild(contract(`--base-url ${baseUrl} --budget 60`, paid))
  while ((yield* billed) === 0) yield* turn
  yield* Fiber.interrupt(fiber)
  const said = (yield* TestConsole.errorLines).join()
  assert.include(said, "stopped: 0 credits spent, and perhaps up to 52 credits more")
}, SandboxServer.layer().pipe(Layer.provideMerge(Sandbox.layer())))

import { Faults, Sandbox, SandboxServer } from "@effect-marketdata/sandbox"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { Layer } from "effect"
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
  it.effect("fails where the service that is named breaks a clause, and names it", function*() {
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
  }, elsewhere)

  it.effect("exits with 9 where there is no verdict, and says why, for nothing", function*() {
    const { baseUrl } = yield* SandboxServer.SandboxServer
    const free = yield* contract(`--base-url ${baseUrl} --budget 60`, { MARKETDATA_TOKEN: "sandbox-free" })
    assert.strictEqual(free.code, 9)
    assert.include(free.out, `${baseUrl}: 1 request sent, 0 of 60 credits spent\nNo verdict: `)
    assert.include(free.errors, "there is no verdict: the plan of this token may not ask for cached data")
    assert.strictEqual(yield* (yield* Sandbox.Sandbox).billed, 0)
  }, SandboxServer.layer().pipe(Layer.provideMerge(Sandbox.layer())))
})

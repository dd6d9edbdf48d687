/** The ledger of all commands: what they spend together, and what is left. */
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { printed } from "./support/printed.ts"

const folder = mkdtempSync(join(tmpdir(), "marketdata-ledger-"))
const file = join(folder, "ledger.db")
const runtime = ManagedRuntime.make(Layer.provide(SandboxServer.layer(), Sandbox.layer({ seed: 1 })))
let baseUrl: string

beforeAll(async () => {
  baseUrl = (await runtime.runPromise(SandboxServer.SandboxServer)).baseUrl
})

beforeEach(() => rmSync(folder, { recursive: true, force: true }))

afterAll(async () => {
  await runtime.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const run = (line: string, variables: Readonly<Record<string, string>> = {}) =>
  printed(line.split(" "), {
    variables: { MARKETDATA_HOME: folder, MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid", ...variables }
  })

/** One credit. */
const cached = "chain AAPL --mode cached --format csv"

const ledgerOf = async (variables: Readonly<Record<string, string>>) =>
  JSON.parse((await run("account --json", variables)).out).ledger

describe("the ledger of all commands", () => {
  it("remembers what commands spent, and refuses what the allowance does not cover", async () => {
    const variables = { MARKETDATA_ALLOWANCE: "2" }
    assert.strictEqual((await run(cached, variables)).code, 0)
    assert.deepInclude(await ledgerOf(variables), { file, charged: 1, uncertain: 0, available: 1 })
    assert.strictEqual((await run(cached, variables)).code, 0)
    const { code, errors, out } = await run(cached, variables)
    assert.strictEqual(code, 3)
    assert.strictEqual(out, "")
    assert.match(errors, /the budget has 0 left.*Nothing was sent/)
    assert.deepInclude(await ledgerOf(variables), { charged: 2, available: 0 })
    assert.strictEqual((await run(cached, { MARKETDATA_ALLOWANCE: "3" })).code, 0)
  })

  it("only counts where there is no allowance, in the file that is named", async () => {
    const variables = { MARKETDATA_LEDGER: join(folder, "deep", "spent.db") }
    await run(cached, variables)
    assert.deepInclude(await ledgerOf(variables), { file: variables.MARKETDATA_LEDGER, charged: 1, available: null })
    const { out } = await run("doctor", variables)
    assert.match(out, /^ok +ledger +.*spent\.db: 1 credit spent until /m)
  })

  it("does not record what a command's own budget refuses", async () => {
    const variables = { MARKETDATA_ALLOWANCE: "100" }
    const { code } = await run("chain AAPL --mode live --contracts 50 --budget 10", variables)
    assert.strictEqual(code, 3)
    assert.deepInclude(await ledgerOf(variables), { charged: 0, uncertain: 0, available: 100 })
  })

  it("is not there where none is configured, and synthetic credits are not recorded", async () => {
    assert.strictEqual((await run(cached)).code, 0)
    assert.isNull(await ledgerOf({}))
    const embedded = { MARKETDATA_BASE_URL: "", MARKETDATA_TOKEN: "", MARKETDATA_ALLOWANCE: "0" }
    assert.strictEqual((await run(cached, embedded)).code, 0)
    assert.isFalse(existsSync(file))
  })

  it("that cannot be opened fails the command before anything is sent", async () => {
    const { code, errors } = await run(cached, { MARKETDATA_LEDGER: "/proc/nowhere/ledger.db" })
    assert.strictEqual(code, 2)
    assert.match(
      errors,
      /error: the ledger \/proc\/nowhere\/ledger\.db cannot be used: .* Nothing was sent\.\n +name another file/
    )
  })
})

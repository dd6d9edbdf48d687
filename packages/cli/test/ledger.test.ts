/** The ledger of all commands: what they spend together, and what is left. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import { Sqlite, SqlLedger } from "@effect-marketdata/sql"
import { assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Loopback from "../../core/test/support/loopback.ts"
import { atNoon, from, noon } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const folder = Started.folder()
const file = join(folder, "ledger.db")
const baseUrl = await Started.sandbox(noon)

beforeEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (line: string | ReadonlyArray<string>, variables: Readonly<Record<string, string>> = {}) =>
  atNoon(typeof line === "string" ? line.split(" ") : line, {
    variables: { MARKETDATA_HOME: folder, MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid", ...variables }
  })

/** One credit. */
const cached = "chain AAPL --limit 20 --mode cached --format csv"

const ledgerOf = async (variables: Readonly<Record<string, string>>) =>
  JSON.parse((await run("account --json", variables)).out).ledger

describe("the ledger of all commands", () => {
  it("remembers what commands spent, and refuses what the allowance does not cover", async () => {
    const variables = { MARKETDATA_ALLOWANCE: "2" }
    assert.strictEqual((await run(cached, variables)).code, 0)
    assert.deepInclude(await ledgerOf(variables), { file, charged: 1, uncertain: 0, available: 1 })
    assert.strictEqual((await run(cached, variables)).code, 0)
    const { code, errors, out } = await run(cached, variables)
    assert.deepStrictEqual([code, out], [3, ""])
    assert.match(errors, /the allowance is used up until 20\d\d-\d\d-\d\d 09:30.*Nothing was sent[^]*wait until the/)
    assert.deepInclude(await ledgerOf(variables), { charged: 2, available: 0 })
    assert.strictEqual((await run(cached, { MARKETDATA_ALLOWANCE: "3" })).code, 0)
  })

  it("fails a command before it sends where it is off and there is an allowance, which it alone can keep", async () => {
    const variables = { MARKETDATA_ALLOWANCE: "0", MARKETDATA_LEDGER: "off" }
    const { code, errors, out } = await run(cached, variables)
    assert.deepStrictEqual([code, out], [2, ""])
    assert.match(errors, /an allowance needs the ledger, .* and the setting ledger is off\. Nothing was sent\./)
    assert.match((await run("doctor", variables)).out, /^problem +ledger +an allowance/m)
  })

  it("sets nothing aside for what the allowance does not cover", async () => {
    const [own, ledger] = [CreditLedger.makeMemory({ allowance: 10 }), CreditLedger.makeMemory({ allowance: 1 })]
    const { balance, refused } = await Effect.runPromise(Effect.gen(function*() {
      const command = yield* own
      const both = CreditLedger.both(command, yield* ledger)
      return { refused: yield* Effect.flip(both.reserve(5)), balance: yield* command.balance }
    }))
    assert.deepInclude(refused, { _tag: "CreditBudgetExceeded", available: 1 })
    assert.deepInclude(balance, { reserved: 0, available: 10 })
  })

  it("says at the end that a charge could not be recorded, and what that means", async () => {
    const service = await Loopback.serve(async ({ url }, response) => {
      if (url!.includes("options")) new DatabaseSync(file).exec("DROP TABLE marketdata_ledger")
      const reply = await fetch(`${baseUrl}${url}`, { headers: { authorization: "Bearer sandbox-paid" } })
      response.setHeader("content-type", "application/json").end(await reply.text())
    })
    const variables = { MARKETDATA_ALLOWANCE: "9", MARKETDATA_BASE_URL: service.baseUrl }
    const { code, errors } = await run(cached, variables)
    await service.close()
    const said = `${code} ${errors}`
    assert.match(said, /^0 [^]*\nwarning: what was spent is not recorded: .*no such table.* There it counts/)
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
})

describe("the history of what was spent", () => {
  const on = { MARKETDATA_LEDGER: "on" }
  const historyOf = async (flags: string, variables: Readonly<Record<string, string>> = on) =>
    JSON.parse((await run(`account --history --json ${flags}`.trim(), variables)).out)

  it("is empty where nothing was recorded or nothing is, says why, and makes no file", async () => {
    assert.deepInclude(await historyOf("", {}), { ledger: file, since: null, by: "request", history: [] })
    const off = `what is spent at ${baseUrl} is not recorded:`
    const reasons = [
      [on, `nothing was spent at ${baseUrl}, by the ledger ${file}`],
      [{}, `${off} of a service on this machine nothing is kept without \`marketdata config set ledger on\``],
      [{ MARKETDATA_LEDGER: "off" }, `${off} the setting ledger is off`]
    ] as const
    for (const [variables, said] of reasons) assert.strictEqual((await run("account --history", variables)).out, said)
    assert.isFalse(existsSync(file))
  })

  it("lists each request that was charged, and sums them by query, by who asked and by day", async () => {
    await run(cached, on)
    await run(cached, on)
    await run("stock prices AAPL MSFT --mode cached", on)
    const { history, service, total } = await historyOf("")
    assert.deepStrictEqual(service, { baseUrl, embedded: false })
    assert.deepStrictEqual(total, { requests: 3, credits: 3, uncertain: 0 })
    const rows = history.map(({ credits, query }: Record<"credits" | "query", string>) => `${query}: ${credits}`)
    const chain = "chain AAPL limit=20 mode=cached"
    assert.deepStrictEqual(rows, [`${chain}: 1`, `${chain}: 1`, "stock prices AAPL,MSFT mode=cached: 1"])
    for (const { program, time, uncertain } of history) {
      assert.match(program, / on .*: marketdata$/)
      assert.deepStrictEqual([Date.parse(time), uncertain], [noon * 1000, 0])
    }
    const byQuery = await historyOf("--by query")
    assert.deepInclude(byQuery.history[0], { query: "chain AAPL limit=20 mode=cached", requests: 2, credits: 2 })
    assert.lengthOf((await historyOf("--by program")).history, 1)
    assert.deepInclude((await historyOf("--by day")).history[0], { requests: 3, credits: 3 })
    const { out } = await run("account --history", on)
    assert.match(out, /^New York +credits +query +asked by$/m)
    assert.match(out, /^\d{4}-\d\d-\d\d .* +1 +chain AAPL limit=20 mode=cached +.* on .*: marketdata$/m)
    assert.match(out, /^3 credits for 3 requests at http/m)
    assert.match((await run("account --history --by query", on)).out, /^chain AAPL limit=20 mode=cached +2 +2 +\d{4}-/m)
    const csv = (await run("account --history --by query --format csv", on)).out.split("\n")
    assert.strictEqual(csv[0], "query,requests,credits,uncertain,first,last")
    assert.match(csv[1]!, new RegExp(`^${chain},2,2,0,\\d{4}-.*Z,\\d{4}-.*Z$`))
    const jsonl = (await run("account --history --format jsonl", on)).out.split("\n")
    assert.deepInclude(JSON.parse(jsonl[0]!), { query: "chain AAPL limit=20 mode=cached", credits: 1 })
  })

  it("begins and ends with a day in New York, both of which count", async () => {
    await run(cached, on)
    const requests = async (...flags: ReadonlyArray<string>) =>
      JSON.parse((await run(["account", "--history", "--json", ...flags], on)).out).total.requests
    assert.strictEqual(await requests("--since", "today"), 1)
    assert.strictEqual(await requests("--since", "5 days ago", "--until", "today"), 1)
    assert.deepStrictEqual([await requests("--until", "yesterday"), await requests("--since", "2999-01-01")], [0, 0])
    assert.strictEqual(await requests("--since", "today", "--until", "today"), 1)
    const { code, errors } = await run("account --history --since today --until yesterday", on)
    assert.strictEqual(code, 2)
    assert.include(errors, "--until \"yesterday\" must not be before --since today, e.g. today.")
  })

  it("is of the service that is asked alone, and needs neither a token nor the service", async () => {
    await run(cached, on)
    assert.lengthOf((await historyOf("", { ...on, MARKETDATA_BASE_URL: "http://127.0.0.1:9" })).history, 0)
    assert.lengthOf((await historyOf("", { ...on, MARKETDATA_TOKEN: "" })).history, 1)
    assert.lengthOf((await historyOf("", { MARKETDATA_LEDGER: "off" })).history, 1)
  })

  it("has what was sent and is not answered: a killed program leaves it so", async () => {
    mkdirSync(folder, { recursive: true })
    const asking = Effect.gen(function*() {
      const ledger = yield* SqlLedger.make({ account: baseUrl, budget: "marketdata day", allowance: 9, window: "day" })
      yield* (yield* ledger.reserve(4)).send(4, 0)
      const { out } = yield* Effect.promise(() => run("account", on))
      assert.match(out, /^ledger: +0 credits spent; 4 credits reserved now until/m)
      return yield* Effect.promise(() => historyOf(""))
    }).pipe(Effect.provide(Sqlite.layer({ filename: file })), Effect.scoped)
    assert.deepStrictEqual((await from(noon, Effect.orDie(asking))).total, { requests: 1, credits: 0, uncertain: 4 })
  })

  it("says what is wrong with the file", async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, "no database".repeat(100))
    const { code, errors } = await run("account --history", on)
    assert.strictEqual(code, 2)
    assert.match(errors, /^error: the ledger .*ledger\.db cannot be read: .*not a database/)
  })

  it("neither begins an empty file anew nor waits for a pipe, and sends nothing where the file is to be kept to", async () => {
    mkdirSync(folder, { recursive: true })
    const empty = join(folder, "empty.db")
    const pipe = join(folder, "pipe.db")
    writeFileSync(empty, "")
    const beside = join(folder, "beside.db")
    writeFileSync(beside, "a database, until its journal is looked at")
    for (const path of [pipe, `${beside}-wal`]) spawnSync("mkfifo", [path])
    const cases = [
      [empty, "it is empty, so what was recorded in it, if anything was, is lost"],
      [pipe, "it is not a file"],
      [beside, "its journal, whose name ends with -wal, is not a file"]
    ]
    for (const [MARKETDATA_LEDGER, why] of cases) {
      const history = await run("account --history", { MARKETDATA_LEDGER: MARKETDATA_LEDGER! })
      assert.include(history.errors, `cannot be read: ${why}`)
      assert.strictEqual(history.code, 2)
      const spending = await run(cached, { MARKETDATA_LEDGER: MARKETDATA_LEDGER!, MARKETDATA_ALLOWANCE: "10" })
      assert.include(spending.errors, `cannot be used: ${why}`)
      assert.strictEqual(spending.code, 2)
    }
    assert.strictEqual(statSync(empty).size, 0)
    chmodSync(folder, 0o777)
    const open = await run(cached, { MARKETDATA_ALLOWANCE: "10" })
    assert.include(open.errors, "cannot be used: everybody may change its folder")
  })
})

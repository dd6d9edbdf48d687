/** Plans of past days that are run into a folder: each query once, whatever happens in between. */
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect, Fiber, type FileSystem, PlatformError } from "effect"
import { TestClock, TestConsole } from "effect/testing"
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parquet } from "../../export/test/support/readers.ts"
import type { Entry } from "../src/runs/folder.ts"
import { atNoon, from, noon, type Place, run as runAt, turn } from "./support/printed.ts"
import * as Started from "./support/service.ts"
import * as Watched from "./support/watched.ts"

const service = await Watched.start(await Started.sandbox(noon))
const home = Started.folder()
const folder = join(home, "out")
const planned = join(home, "plan.yaml")
const manifest = join(folder, "manifest.jsonl")

const chains = "[{ chain: AAPL, date: 2026-11-16..2026-11-19, contracts: 3000 }]"
const fileOf = (day: number) => `chain/underlying=AAPL/date=2026-11-${day}/part.parquet`
const pathOf = (day: number) => `/v1/options/chain/AAPL/?date=2026-11-${day}`

beforeEach(() => {
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  writeFileSync(planned, chains)
  service.asked.length = 0
  service.credits = 0
  service.before = () => undefined
})

const variables = { MARKETDATA_HOME: home, MARKETDATA_BASE_URL: service.baseUrl, MARKETDATA_TOKEN: "sandbox-paid" }
const line = (flags: string) => ["run", planned, "-o", folder, ...flags.split(" ").filter((word) => word !== "")]

const at = (place: Place): Place => ({ ...place, variables: { ...variables, ...place.variables } })

const run = (flags = "", place: Place = {}) => atNoon(line(flags), at(place))

const documentOf = async (flags = "", place: Place = {}) => JSON.parse((await run(`${flags} --json`, place)).out)

/** It is refused, with these words, and nothing is sent. */
const refused = async (flags: string, said: string | RegExp, place: Place = {}, expected = 2) => {
  const asked = service.asked.length
  const { code, errors } = await run(flags, place)
  assert.strictEqual(code, expected, errors)
  if (typeof said === "string") assert.include(errors, said)
  else assert.match(errors, said)
  assert.strictEqual(service.asked.length, asked)
}

const states = (document: { readonly entries: ReadonlyArray<{ readonly state: string }> }) =>
  document.entries.map(({ state }) => state).toSorted().join(" ")

/** Stops it when it is time, and gives what it has said; meanwhile its clock goes on. */
const stopped = (isTime: (said: string) => boolean, millis: number, place: Place = {}) =>
  from(
    noon,
    Effect.gen(function*() {
      const running = yield* Effect.forkChild(runAt(line(""), at(place)))
      const said = Effect.map(TestConsole.errorLines, (lines) => lines.join("\n"))
      const goesOn = Effect.andThen(TestClock.adjust(millis), turn)
      while (!isTime(yield* said)) yield* goesOn
      const stopping = yield* Effect.forkChild(Fiber.interrupt(running))
      while (stopping.pollUnsafe() === undefined) yield* goesOn
      return yield* said
    })
  )

/** A failure of the disk. */
const broken = (method: string) => {
  const description = "ENOSPC: no space left on device"
  return Effect.fail(PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method, description }))
}

describe("marketdata run", () => {
  it("asks each query once, at the price that `plan` tells, and keeps whole files with their digests", async () => {
    const { cost } = JSON.parse((await atNoon(["plan", planned, "--json"], { variables })).out)
    const dry = await documentOf("--dry-run", { variables: { MARKETDATA_BASE_URL: "", MARKETDATA_TOKEN: "" } })
    assert.deepStrictEqual(dry.service, { baseUrl: null, embedded: true })
    assert.deepInclude(dry.open, { queries: 4, max: cost.max })
    assert.isFalse(existsSync(folder))
    const first = await run()
    assert.strictEqual(first.code, 0, first.errors)
    assert.match(first.errors, /^estimate: +12 credits for 4 queries, if as many rows come back as the plan expects$/m)
    assert.match(first.out, /^kept: +4 of 4 queries$[^]*^charge: +8 credits; 8 credits by this run$/m)
    assert.match(first.out, /^digest: +sha256 [\da-f]{64}$/m)
    assert.deepStrictEqual(service.asked.toSorted(), [16, 17, 18, 19].map(pathOf))
    const again = await documentOf()
    assert.strictEqual(service.asked.length, 4)
    assert.include(first.out, again.digest)
    assert.deepStrictEqual([states(again), again.charged], ["kept kept kept kept", 8])
    assert.notProperty(again, "run")
    for (const entry of again.entries) {
      const rows = await parquet(new Uint8Array(readFileSync(join(folder, entry.file))))
      assert.strictEqual(rows.length, entry.rows)
      assert.deepInclude(entry, { charged: 2, price: 3, uncertain: 0 })
    }
  })

  it("asks only for the day that has been added, and says of others what they are", async () => {
    await run()
    const bids = chains.replace("2026-11-19", "2026-11-19, columns: [bid]").replace("AAPL,", "AAPL, name: bids,")
    writeFileSync(planned, bids)
    const { code, out } = await run("--format csv")
    assert.deepStrictEqual([code, service.asked.length], [0, 8])
    assert.match(out, /^file,state,rows,charged,uncertain,sha256\nbids\/underlying=AAPL\/date=2026-11-1\d\/.*,kept,/)
    writeFileSync(planned, chains.replace("16..", "13.."))
    assert.deepStrictEqual([(await documentOf()).entries.length, service.asked.length], [5, 9])
  })

  it("keeps candles of a range, and other formats", async () => {
    writeFileSync(planned, "[{ stock candles: [AAPL, MSFT], from: 2026-11-02, to: 2026-11-13 }]")
    const { entries } = await documentOf("--files csv")
    const files = ["AAPL", "MSFT"].map((symbol) =>
      `stock-candles/resolution=1-day/symbol=${symbol}/2026-11-02_2026-11-13.csv`
    )
    assert.deepStrictEqual(entries.map(({ file }: { file: string }) => file).toSorted(), files)
    await refused("", "files csv, and this run would have parquet")
  })

  it("writes down that there are no data, and asks again only where that is wanted", async () => {
    // What an empty day costs is not stated: the service may charge it.
    const headers = () => ({ "x-api-ratelimit-consumed": service.asked.length > 4 ? "0" : "1" })
    service.before = (path) =>
      path === pathOf(19) ? { status: 404, body: `{"s":"no_data"}`, headers: headers() } : undefined
    const early = await from(noon - 3 * 3600, runAt(line("--json"), at({})))
    assert.strictEqual(states(JSON.parse(early.out)), "empty kept kept kept")
    // Some accounts do not see a day before it is historical.
    for (const flags of ["", "", "--again lost"]) {
      assert.deepStrictEqual([states(await documentOf(flags)), service.asked.length], ["empty kept kept kept", 5])
    }
    service.before = () => undefined
    assert.strictEqual(states(await documentOf("--again empty")), "kept kept kept kept")
    assert.strictEqual(service.asked.length, 6)
  })
})

describe("a run that dies", () => {
  /** Where the last file was written before it was put in its place. */
  let unfinished = ""

  /** Runs it on a disk that fails where it is told. */
  const dies = async (isTheEnd: (method: string, path: string) => boolean, flags = "") => {
    const at = (method: string, path: string, from = "") =>
      Effect.suspend(() => {
        if (!isTheEnd(method, path)) return Effect.void
        unfinished = from
        return broken(method)
      })
    const died = await run(flags, {
      files: (files): Partial<FileSystem.FileSystem> => ({
        rename: (from, to) => Effect.andThen(at("rename", to, from), files.rename(from, to)),
        open: (path, options) =>
          Effect.map(files.open(path, options), (file) =>
            Object.create(file, {
              writeAll: { value: (bytes: Uint8Array) => Effect.andThen(at("write", path), file.writeAll(bytes)) }
            }))
      })
    })
    assert.strictEqual(died.code, 1, died.errors)
    return died
  }

  const isEntry = (path: string) => path === manifest && readFileSync(manifest, "utf8").includes("\n")

  it("before an answer is in its file, has lost it: it is named, and not paid again without a word", async () => {
    const died = await dies((method, path) => method === "rename" && path.endsWith(fileOf(18)))
    assert.match(died.errors, /ENOSPC.*The answer was charged 2 credits, and is not in a file/)
    writeFileSync(unfinished, "what a killed run leaves")
    const after = await run("--json")
    assert.strictEqual(after.code, 3)
    assert.match(JSON.parse(after.errors).error.message, / of 4 answers (is|are) lost/)
    const { charged, entries, run: { charged: byThis } } = JSON.parse(after.out)
    const lost = entries.filter(({ state }: Entry) => state === "lost")
    assert.include(lost.map(({ file }: Entry) => file), fileOf(18))
    assert.deepStrictEqual([charged, service.credits], [8, 8], "what was lost was charged all the same")
    assert.isFalse(existsSync(unfinished))
    assert.isBelow(byThis, 8)
    assert.isAtMost(service.asked.length, 4)
    assert.deepStrictEqual([new Set(service.asked).size, (await run()).code], [service.asked.length, 3])
    const again = await documentOf("--again lost")
    assert.deepStrictEqual([states(again), again.charged], ["kept kept kept kept", service.credits])
    assert.strictEqual(service.asked.length, 4 + lost.length)
  })

  it("after its files and before the manifest says so, has kept them", async () => {
    await dies((method, path) => method === "write" && isEntry(path))
    const { code, errors } = await run()
    assert.strictEqual(code, 0, errors)
    assert.strictEqual(states(await documentOf()), "kept kept kept kept")
    assert.deepStrictEqual([service.asked.length, service.credits], [4, 8])
  })

  it("after it has asked again for what was lost, counts what both cost", async () => {
    writeFileSync(planned, chains.replace("2026-11-16..", ""))
    await dies((method) => method === "rename")
    // However long ago it was sent.
    assert.strictEqual((await from(noon + 86_400_000, runAt(line(""), at({})))).code, 3)
    await dies((method) => method === "rename", "--again lost")
    const lost = await documentOf()
    assert.deepStrictEqual([lost.entries[0].state, lost.charged, service.credits], ["lost", 4, 4])
    await dies((method, path) => method === "write" && isEntry(path), "--again lost")
    const { charged, entries } = await documentOf()
    assert.deepStrictEqual([entries[0].state, charged, service.credits], ["kept", 6, 6])
  })

  it("after it has asked again where there were no data, has lost the answer", async () => {
    writeFileSync(planned, chains.replace("2026-11-16..", ""))
    service.before = () => ({ status: 404, body: `{"s":"no_data"}`, headers: { "x-api-ratelimit-consumed": "1" } })
    await from(noon - 3600, runAt(line(""), at({})))
    service.before = () => undefined
    await dies((method) => method === "rename", "--again empty")
    assert.deepStrictEqual([states(await documentOf("--again empty")), service.asked.length], ["lost", 2])
  })

  it("within a line of the manifest, has not written it", async () => {
    await run()
    truncateSync(manifest, readFileSync(manifest).length - 30)
    service.before = (path) => assert.fail(`${path} was asked`)
    for (let times = 0; times < 2; times++) {
      assert.strictEqual(states(await documentOf()), "kept kept kept kept")
      assert.strictEqual(readFileSync(manifest, "utf8").split("\n").length, 6)
    }
  })

  it("at Ctrl-C waits for what is under way, begins nothing else, and says what was spent", async () => {
    writeFileSync(planned, chains.replace("2026-11-16", "2026-11-02"))
    const said = await stopped(() => service.asked.length > 0, 0)
    const { entries, open } = await documentOf("--dry-run")
    assert.strictEqual(entries.length, service.asked.length)
    assert.isBelow(entries.length, 14)
    assert.strictEqual(open.queries, 14 - entries.length)
    assert.include(said, `stopped: ${service.credits} credits spent`)
  })

  it("at Ctrl-C names what did not come back", async () => {
    service.before = () => new Promise(() => {})
    const told = await stopped(() => service.asked.length > 0, 1000)
    assert.match(told, /stopped: 0 credits spent, and perhaps up to (?:3|6|9|12) credits more/)
    service.before = () => undefined
    const sent = service.asked.length
    const { entries } = JSON.parse((await run("--json")).out)
    assert.lengthOf(entries.filter((entry: Entry) => entry.state === "lost" && entry.uncertain === 3), sent)
    assert.strictEqual(service.asked.length, 4)
  })

  it("at Ctrl-C waits for no allowance", async () => {
    const allowance = { MARKETDATA_ALLOWANCE: "3", MARKETDATA_ALLOWANCE_WINDOW: "day" }
    await run("--no-wait", { variables: allowance })
    const said = await stopped((said) => said.includes("waiting:"), 0, { variables: allowance })
    assert.match(said, /stopped: 0 credits spent$/)
  })
})

describe("a folder that is not as it should be", () => {
  it("holds a file that no run has written, which is left as it is", async () => {
    mkdirSync(join(folder, fileOf(17), ".."), { recursive: true })
    writeFileSync(join(folder, fileOf(17)), "mine")
    const { code, errors } = await run()
    assert.strictEqual(code, 2)
    assert.include(errors, `${fileOf(17)} is there, and no run has written it`)
    assert.strictEqual(readFileSync(join(folder, fileOf(17)), "utf8"), "mine")
  })

  it("was asked of another service, or for another query of the same file", async () => {
    await run()
    await refused("", "this run would have https://api.marketdata.app", {
      variables: { MARKETDATA_BASE_URL: "https://api.marketdata.app" }
    })
    await refused("", "this run would have the embedded sandbox (seed 1, paid plan)", {
      variables: { MARKETDATA_BASE_URL: "", MARKETDATA_TOKEN: "" }
    })
    writeFileSync(planned, chains.replace("contracts", "side: call, contracts"))
    await refused("", /part\.parquet is of another query, .*date=2026-11-16: give the task a name/)
  })

  it("has a manifest that was damaged, which says what can be done", async () => {
    await run()
    const [head, first, ...rest] = readFileSync(manifest, "utf8").split("\n")
    writeFileSync(manifest, [head, first!.replace("charged", "chargd"), ...rest].join("\n"))
    await refused("", "manifest.jsonl, line 2: this is not a line of a manifest")
    writeFileSync(manifest, [head, ...rest].join("\n"))
    assert.deepStrictEqual([states(await documentOf()), service.asked.length], ["kept kept kept kept", 4])
    writeFileSync(manifest, ["", first, ...rest].join("\n"))
    await refused("", "manifest.jsonl, line 1:")
    rmSync(manifest)
    await refused("", "is there, and no run has written it")
  })

  it("has a file that was changed or removed, which is not paid for again without a word", async () => {
    await run()
    writeFileSync(join(folder, fileOf(16)), "x", { flag: "a" })
    rmSync(join(folder, fileOf(17)))
    assert.deepStrictEqual([(await run()).code, (await run()).code], [3, 3])
    assert.deepStrictEqual([states(await documentOf()), service.asked.length], ["kept kept lost lost", 4])
    assert.deepStrictEqual([states(await documentOf("--again lost")), service.asked.length], ["kept kept kept kept", 6])
  })

  it("leads elsewhere, is not a folder, or is not there to be written to", async () => {
    mkdirSync(join(folder, "chain"), { recursive: true })
    symlinkSync(home, join(folder, "chain/underlying=AAPL"))
    await refused("", /underlying=AAPL is a link, which leads to /)
    rmSync(folder, { recursive: true })
    writeFileSync(folder, "")
    await refused("", "cannot be used")
    rmSync(folder)
    symlinkSync("/proc/nowhere", folder)
    await refused("", "cannot be used")
    rmSync(folder)
    mkdirSync(join(folder, fileOf(16)), { recursive: true })
    await refused("", "cannot be used")
    rmSync(folder, { recursive: true })
    mkdirSync(join(home, "elsewhere"))
    symlinkSync(join(home, "elsewhere"), folder)
    assert.strictEqual(states(await documentOf()), "kept kept kept kept")
  })

  it("is another run's at the same time", async () => {
    const second = new Promise<Awaited<ReturnType<typeof run>>>((resolve) => {
      service.before = async () => {
        service.before = () => undefined
        resolve(await run())
        return undefined
      }
    })
    assert.strictEqual((await run()).code, 0)
    const { code, errors } = await second
    assert.strictEqual(code, 2)
    assert.match(errors, /another run is at work in it/)
    assert.strictEqual(service.asked.length, 4)
  })

  it("was another run's since the price was told", async () => {
    let isFirst = true
    const { code, errors } = await run("", {
      files: (files) => ({
        exists: (path) => {
          if (!isFirst || !path.endsWith(".marketdata")) return files.exists(path)
          isFirst = false
          return Effect.andThen(Effect.promise(() => run()), files.exists(path))
        }
      })
    })
    assert.strictEqual(code, 2)
    assert.match(errors, /another run was at work in it meanwhile; try again/)
    assert.strictEqual(service.asked.length, 4)
  })

  it("has the claims of a run that died while it made them", async () => {
    mkdirSync(join(folder, ".marketdata"), { recursive: true })
    writeFileSync(join(folder, ".marketdata/claims.db"), "")
    assert.strictEqual((await run()).code, 0)
    truncateSync(join(folder, ".marketdata/claims.db"))
    writeFileSync(planned, chains.replace("16..", "13.."))
    await refused("", "it is empty, so what was recorded in it, if anything was, is lost")
  })

  it("came without its claims, as where hidden files are not copied, and is not paid for again without a word", async () => {
    await run()
    rmSync(join(folder, ".marketdata"), { recursive: true })
    assert.strictEqual((await run()).code, 0)
    rmSync(join(folder, fileOf(17)))
    await refused("", "claims.db is gone: what is in no file may have been sent")
    assert.deepStrictEqual([states(await documentOf("--again lost")), service.asked.length], ["kept kept kept kept", 5])
  })
})

describe("the price of a run", () => {
  it("needs consent, each time for what is open, and makes no folder without it", async () => {
    const said =
      "the plan (4 queries) may cost up to 12 credits, and 11 credits are allowed by --budget. Nothing was sent"
    await refused("--budget 11", said, {}, 3)
    assert.isFalse(existsSync(folder))
    assert.strictEqual((await run("--budget 12")).code, 0)
    // The price grows with the plan: what was paid is not part of it.
    writeFileSync(planned, chains.replace("16..", "12..").replace("3000", "30000"))
    await refused("--budget 12", "the plan (2 queries) may cost up to 60 credits", {}, 3)
    writeFileSync(planned, chains.replace(", contracts: 3000", "").replace("16..", "12.."))
    await refused("", "may cost any number of credits", {}, 3)
    assert.deepStrictEqual([service.asked.length, (await run("--yes")).code, service.asked.length], [4, 0, 6])
  })

  /** Runs it to its end. The clock goes on once all that was sent is answered, and what is left waits. */
  const patiently = (place: Place) =>
    from(
      noon,
      Effect.gen(function*() {
        const running = yield* Effect.forkChild(runAt(line(""), at(place)))
        const settled = () => readFileSync(manifest, "utf8").split("\n").length - 2
        for (let windows = 0; running.pollUnsafe() === undefined;) {
          const told = (yield* TestConsole.errorLines).filter((line) => String(line).startsWith("waiting:"))
          if (told.length > windows && settled() === answered()) {
            windows++
            yield* TestClock.adjust("1 minute")
          }
          yield* turn
        }
        return yield* Fiber.join(running)
      })
    )

  let refusals = 0
  const answered = () => service.asked.length - refusals

  it("is spread over the windows of an allowance: it waits, or ends and goes on", async () => {
    refusals = 0
    const allowance = { MARKETDATA_ALLOWANCE: "4", MARKETDATA_ALLOWANCE_WINDOW: "minute" }
    const ended = await run("--no-wait", { variables: allowance })
    assert.strictEqual(ended.code, 3)
    assert.match(ended.errors, /until 2026-11-20 12:01:00 EST[^]* with `marketdata config set allowance CREDITS`/)
    assert.strictEqual(states(JSON.parse((await run("--dry-run --json")).out)), "kept")
    const { code, errors } = await patiently({ variables: allowance })
    assert.strictEqual(code, 0, errors)
    assert.match(errors, /^waiting: +until 2026-11-20 12:01:00 EST; the same command goes on after Ctrl-C/m)
    assert.strictEqual(service.asked.length, 4)
  })

  it("waits for the credits of the account, whatever the service's clock says", async () => {
    refusals = 0
    const errmsg = "API credit limit reached for current window."
    service.before = (path) => {
      if (path !== pathOf(17) || ++refusals > 2) return undefined
      const headers = { "x-api-ratelimit-reset": String(noon - 3600), "x-api-ratelimit-remaining": "0" }
      return { status: 429, body: JSON.stringify({ s: "error", errmsg }), headers }
    }
    const { code, errors } = await patiently({})
    assert.strictEqual(code, 0, errors)
    assert.match(errors, /^waiting: +until 2026-11-20 11:00:00 EST/m)
    assert.deepStrictEqual([service.asked.length, service.credits], [6, 8])
    assert.include(readFileSync(manifest, "utf8"), "\"at\":\"2026-11-20T17:02:00.000Z\"")
  })

  it("is told on a terminal in one line, with how far it has come", async () => {
    const status: Array<string> = []
    service.before = () => new Promise(() => {})
    await stopped(() => status.some((line) => line.includes("answered")), 1000, { status, isTerminal: true })
    assert.match(status.find((line) => line.includes("answered"))!, /░{20}.* 0 of 4 answered, 0 credits, 1 s/)
  })

  it("may never fit an allowance, also one of the plan", async () => {
    writeFileSync(planned, `{ allowance: 2 per day, tasks: ${chains} }`)
    await refused("", "the query may cost 3 credits, and the allowance has 2 credits left", {}, 3)
    // The setting that the plan stands in place of raises nothing.
    const raised = { variables: { MARKETDATA_ALLOWANCE: "1000" } }
    await refused("", "wait until the allowance renews, or raise `allowance` in the plan", raised, 3)
    writeFileSync(planned, `{ allowance: 7, tasks: ${chains} }`)
    assert.strictEqual((await run()).code, 3)
    assert.isAtMost(service.credits, 7)
  })

  it("goes by clocks that were set back", async () => {
    await run("", {
      files: (files) => ({ rename: (from, to) => to.endsWith(fileOf(18)) ? broken("rename") : files.rename(from, to) })
    })
    const { code, errors } = await from(noon - 7200, runAt(line("--again lost"), { variables }))
    assert.strictEqual(code, 0, errors)
    assert.strictEqual(states(await documentOf()), "kept kept kept kept")
  })
})

describe("docs/guide/cli/run.md", () => {
  const page = readFileSync(new URL("../../../docs/guide/cli/run.md", import.meta.url), "utf8")
  const file = new URL("../../../docs/guide/cli/backfill.yaml", import.meta.url)
  const sessions = [...page.matchAll(/```sh\nmarketdata (.*)\n```\n\n```\n([\s\S]*?)\n```/g)]

  it("shows the plan that is in the file, and what its commands print", async () => {
    assert.strictEqual(/```yaml\n([\s\S]*?)```/.exec(page)?.[1], readFileSync(file, "utf8"))
    assert.isAtLeast(sessions.length, 2)
    for (const [, typed = "", shown = ""] of sessions) {
      const words = typed.split(" ").map((word) =>
        word.startsWith("docs/") ? file.pathname : word === "history" ? join(home, "history") : word
      )
      const { code, errors, out } = await atNoon(words)
      assert.strictEqual(code, 0, errors)
      const plain = (text: string) => text.replace(/[\da-f]{64}/, "DIGEST").replace(join(home, "history"), "history")
      assert.strictEqual(plain(out), plain(shown))
    }
  })
})

describe("what a run does not take", () => {
  it.each([
    ["chain: AAPL, date: 2026-11-19, contracts: 9, when: 3 times", /chain AAPL is asked more than once/],
    ["chain: AAPL, mode: cached", /chain AAPL is not about days that are over/],
    ["stock candles: AAPL, from: 2026-11-02", /stock candles AAPL is not about days that are over/],
    ["stock candles: AAPL, countback: 5", /stock candles AAPL is not about days that are over/],
    ["stock candles: AAPL, resolution: W, from: 2026-11-02, to: 2026-11-13", /a candle that goes on today is not over/],
    ["stock news: AAPL, from: 2026-11-02, to: 2026-11-13", /stock news AAPL may be answered otherwise tomorrow/],
    ["stock news: AAPL, countback: 5, to: 2026-11-13", /stock news AAPL may be answered otherwise tomorrow/],
    ["stock quote: AAPL", /stock quote AAPL may be answered otherwise tomorrow/],
    ["stock candles: AAPL, limit: 5, to: 2026-11-13", /`limit` is not an option of stock candles/],
    ["expirations: AAPL, date: 2026-11-19", /expirations AAPL is not a table/],
    ["chain: AAPL, date: 2026-11-20..2026-12-31", /line 1, column 23: `date` names no trading day that is over/],
    ["chain: AAPL, date: trading days of 2026-11-21..2026-11-22", /`date`: .* has no trading day/],
    ["chain: AAPL, date: trading days of 2026-13", /line 1, column 39: `date`: "2026-13" must be days/],
    ["chain: [AAPL, \"A B\"], date: 2026-11-19", /"A B"/]
  ])("%s", async (task, said) => {
    writeFileSync(planned, `[{ ${task} }]`)
    await refused("", said)
  })

  it("but a count of rows it takes, and sends it; the same file without it is another query", async () => {
    const plans = "[{chain: AAPL, date: 2026-11-19, limit: 10}, {stock candles: AAPL, countback: 5, to: 2026-11-13}]"
    writeFileSync(planned, plans)
    const { charged, entries } = await documentOf()
    const told = entries.map(({ file, rows }: { readonly file: string; readonly rows: number }) => [file, rows])
    assert.deepStrictEqual(told.toSorted(), [
      [fileOf(19), 10],
      ["stock-candles/resolution=1-day/symbol=AAPL/5_2026-11-13.parquet", 5]
    ])
    assert.strictEqual(charged, 2)
    assert.include(service.asked, `${pathOf(19)}&limit=10`)
    writeFileSync(planned, "[{ chain: AAPL, date: 2026-11-19, contracts: 3000 }]")
    await refused("", /date=2026-11-19\/part.parquet is of another query, .*limit=10: give the task a name/)
  })

  it("two tasks with one file, until one of them has a name", async () => {
    const task = "{ chain: AAPL, date: 2026-11-19, contracts: 3000 }"
    writeFileSync(planned, `[${task}, ${task.replace("date", "side: call, date")}]`)
    await refused("", "has the file chain/underlying=AAPL/date=2026-11-19/part.parquet, as another task has")
    writeFileSync(planned, `[${task}, ${task.replace("date", "name: The calls!, side: call, date")}]`)
    assert.strictEqual(states(await documentOf()), "kept kept")
    assert.isTrue(existsSync(join(folder, "The-calls/underlying=AAPL/date=2026-11-19/part.parquet")))
  })
})

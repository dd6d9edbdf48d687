/** What commands keep on this machine: of which service, for how long, and what happens where they cannot. */
import { Context, Effect, Fiber } from "effect"
import { TestClock, TestConsole } from "effect/testing"
import * as DiagnosticsChannel from "node:diagnostics_channel"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import type { ClientRequest } from "node:http"
import * as Https from "node:https"
import * as Net from "node:net"
import { join } from "node:path"
import { vi } from "vitest"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "../../core/test/support/it.ts"
import { Platform } from "../src/settings/place.ts"
import { marketdata, noon, type Place, turn } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const home = Started.folder()
const baseUrl = await Started.sandbox(noon)

beforeEach(() => rmSync(home, { recursive: true, force: true }))

/** The public service is the sandbox here, so that what holds for a service elsewhere can be tried: its connections lead there, without TLS. */
const agent = Https.globalAgent
beforeAll(() => {
  agent.createConnection = () => Net.connect(Number(new URL(baseUrl).port), "127.0.0.1")
})
afterAll(() => {
  Reflect.deleteProperty(agent, "createConnection")
  agent.destroy()
})

/** What was sent to it in a test. */
const sent: Array<string> = []
DiagnosticsChannel.subscribe("http.client.request.created", (message) => {
  const { request } = message as { readonly request: ClientRequest }
  if (request.host !== "api.marketdata.app") return
  sent.push(request.path)
  // The sandbox answers to its own name alone.
  request.setHeader("host", new URL(baseUrl).host)
})
beforeEach(() => {
  sent.length = 0
})

/** A user of the public service, with a home of his own and no settings. */
const user = (variables: Readonly<Record<string, string>> = {}): Place => ({
  variables: { MARKETDATA_HOME: "", HOME: home, MARKETDATA_TOKEN: "sandbox-paid", ...variables }
})

/** The same without a ledger. */
const keeper = (variables: Readonly<Record<string, string>> = {}): Place =>
  user({ MARKETDATA_LEDGER: "off", ...variables })

const cached = "chain AAPL --limit 20 --mode cached --json"

/** Clears the cache, and answers its question with a key; the question waits a moment for keys that were pressed before. */
const answering = (key: string, place: Place) =>
  Effect.gen(function*() {
    const clearing = yield* Effect.forkChild(marketdata("cache clear", { ...place, isTerminal: true, keys: [key] }))
    while (clearing.pollUnsafe() === undefined) yield* TestClock.adjust("100 millis")
    return yield* Fiber.join(clearing)
  })

/** What an answer says of where it came from, and what it was charged. */
const originOf = (out: string) => {
  const { answer: { credits, provenance }, notes } = JSON.parse(out)
  return { source: provenance.source, age: provenance.age, charged: credits.charged, notes }
}

const replies = (directory: string): ReadonlyArray<string> => readdirSync(join(directory, "replies-2"))

describe("a reply that was kept", () => {
  it.effect("answers the same command again at no cost, and says so", function*() {
    const place = keeper()
    assert.deepInclude(originOf((yield* marketdata(cached, place)).out), { source: "cache", charged: 1 })
    assert.lengthOf(sent, 1)
    const again = originOf((yield* marketdata(cached, place)).out)
    assert.deepInclude(again, { source: "local", age: 0, charged: 0 })
    assert.include(again.notes.join("\n"), "--no-cache")
    const { errors } = yield* marketdata("chain AAPL --limit 20 --mode cached", place)
    assert.match(errors, /^provenance: local, kept on this machine 0 s ago, from the service's cache \(status 203\)/m)
    assert.match(errors, /^charge: +0 credits, nothing was sent$/m)
    assert.lengthOf(sent, 1)
    const origin = originOf((yield* marketdata(`${cached} --no-cache`, place)).out)
    assert.deepInclude(origin, { source: "cache", charged: 1 })
    assert.lengthOf(sent, 2)
    assert.deepInclude(originOf((yield* marketdata(cached, place)).out), { source: "local" })
  })

  it.effect("is in the user's own folders, for nobody else to read, without a token or the name of the service", function*() {
    yield* marketdata(cached, user())
    const directory = join(home, ".cache", "marketdata")
    const [file, ...others] = replies(directory)
    assert.deepStrictEqual(others, [])
    for (const path of [directory, join(home, ".local", "share", "marketdata")]) {
      assert.strictEqual(statSync(path).mode & 0o777, 0o700)
    }
    for (const name of [join("replies-2", file!), "account.key"]) {
      assert.strictEqual(statSync(join(directory, name)).mode & 0o777, 0o600)
      assert.notInclude(readFileSync(join(directory, name), "latin1"), "sandbox-paid")
    }
    assert.isTrue(existsSync(join(home, ".local", "share", "marketdata", "ledger.db")))
  })

  const places = [
    ["linux", { XDG_CACHE_HOME: "x/cache", XDG_DATA_HOME: "x/data" }, ".cache/marketdata", ".local/share/marketdata"],
    ["linux", { XDG_CACHE_HOME: "$/x", XDG_DATA_HOME: "$/y" }, "x/marketdata", "y/marketdata"],
    ["darwin", {}, "Library/Caches/marketdata", "Library/Application Support/marketdata"],
    ["win32", { LOCALAPPDATA: "$/Local" }, "Local/marketdata/cache", "Local/marketdata"],
    ["linux", { MARKETDATA_HOME: "$/all" }, "all/cache", "all"],
    ["linux", { MARKETDATA_HOME: "~/all" }, "all/cache", "all"],
    ["linux", { MARKETDATA_CACHE: "~/mine", MARKETDATA_LEDGER: "$/there/spent.db" }, "mine", "there"]
  ] as const

  for (const [platform, variables, cache, data] of places) {
    it.effect(`is where ${platform} has such files with ${JSON.stringify(variables)}`, function*() {
      const own = Object.entries(variables).map(([name, value]) => [name, value.replace("$", home)])
      const place = user(Object.fromEntries(own))
      const { code, errors } = yield* marketdata(cached, { ...place, services: Context.make(Platform, platform) })
      assert.strictEqual(code, 0, errors)
      assert.lengthOf(replies(join(home, cache)), 1)
      assert.isTrue(readdirSync(join(home, data)).some((name) => name.endsWith(".db")))
    })
  }

  it.effect("is of its account alone", function*() {
    yield* marketdata(cached, keeper())
    // A trial may see no cached data: its own answer is a refusal, and what another one may see is not an answer to it.
    const other = yield* marketdata(cached, keeper({ MARKETDATA_TOKEN: "sandbox-trial" }))
    assert.deepStrictEqual([other.code, other.out], [6, ""])
    assert.lengthOf(sent, 2)
  })

  it.effect("is none of the embedded sandbox, of a service on this machine, and where the setting is off", function*() {
    const variableses = [
      { MARKETDATA_TOKEN: "" },
      { MARKETDATA_TOKEN: "", MARKETDATA_CACHE: "on", MARKETDATA_LEDGER: "on" },
      { MARKETDATA_BASE_URL: baseUrl },
      { MARKETDATA_CACHE: "off", MARKETDATA_LEDGER: "off" }
    ]
    for (const variables of variableses) {
      for (const _ of [1, 2]) {
        const { code, errors, out } = yield* marketdata(cached, user(variables))
        assert.strictEqual(code, 0, errors)
        assert.strictEqual(originOf(out).source, "cache")
      }
      assert.isFalse(existsSync(home))
    }
    const asked = user({ MARKETDATA_BASE_URL: baseUrl, MARKETDATA_CACHE: "on" })
    yield* marketdata(cached, asked)
    assert.deepInclude(originOf((yield* marketdata(cached, asked)).out), { source: "local" })
  })

  it.effect("is never one of live data", function*() {
    const live = "chain AAPL --mode live --dte 30 --strike-limit 1 --json"
    for (const _ of [1, 2]) assert.strictEqual(originOf((yield* marketdata(live, keeper())).out).source, "provider")
  })

  it.effect("answers no round of --watch, which keeps what comes", function*() {
    const place = keeper()
    yield* marketdata(cached, place)
    yield* TestClock.setTime(noon * 1000)
    const fiber = yield* Effect.forkChild(marketdata(`${cached} --watch 30s`, place))
    const lines = Effect.map(TestConsole.logLines, (lines) => lines.length)
    const before = yield* lines
    for (const round of [1, 2, 3]) {
      while ((yield* lines) < before + round) yield* turn
      yield* TestClock.adjust("30 seconds")
    }
    yield* Fiber.interrupt(fiber)
    assert.isAtLeast(sent.length, 4)
    for (const line of (yield* TestConsole.logLines).slice(before)) {
      assert.strictEqual(originOf(String(line)).source, "cache")
    }
  })

  it.effect("that is damaged is asked for again", function*() {
    yield* marketdata(cached, keeper())
    const directory = join(home, ".cache", "marketdata", "replies-2")
    writeFileSync(join(directory, readdirSync(directory)[0]!), "torn")
    assert.match((yield* marketdata("cache status", keeper())).out, /^damaged: +1: each is asked for again/m)
    const { out } = yield* marketdata(cached, keeper())
    assert.deepInclude(originOf(out), { source: "cache", charged: 1 })
    assert.strictEqual(JSON.parse(out).answer.findings[0].code, "DamagedReply")
  })
})

describe("where nothing can be kept", () => {
  const inTheWay = () => {
    mkdirSync(home, { recursive: true })
    for (const name of [".cache", ".local"]) writeFileSync(join(home, name), "in the way")
  }

  it.effect("a command answers all the same, and says why with --verbose alone", function*() {
    inTheWay()
    const { code, errors } = yield* marketdata("chain AAPL --limit 20 --mode cached", user())
    assert.strictEqual(code, 0)
    assert.notMatch(errors, /cannot be/)
    const told = yield* marketdata("chain AAPL --limit 20 --mode cached --verbose", user())
    assert.strictEqual(told.code, 0)
    assert.match(told.errors, /^note: +replies cannot be kept in .*\.cache/m)
    const unusable = /^note: +what commands spend cannot be recorded in .*ledger\.db: the database cannot be used/m
    assert.match(told.errors, unusable)
  })

  it.effect("`doctor` says so, also without a request, and that nothing has to be mended for a command", function*() {
    const well = yield* marketdata("doctor --offline", user())
    assert.match(well.out, /^ok +cache +.*\.cache.marketdata: at most 268\.4 MB$/m)
    assert.match(well.out, /^ok +ledger +.*ledger\.db: 0 credits spent until /m)
    rmSync(home, { recursive: true, force: true })
    inTheWay()
    const { code, out } = yield* marketdata("doctor --offline", user())
    assert.strictEqual(code, 0)
    assert.match(out, /^warning +cache +replies cannot be kept in/m)
    assert.match(out, /^warning +ledger +what commands spend cannot be recorded in/m)
    const here = yield* marketdata("doctor --offline", user({ MARKETDATA_BASE_URL: baseUrl }))
    assert.match(
      here.out,
      /^skipped +cache +of a service on this machine nothing is kept without `marketdata config set cache on`$/m
    )
    const embedded = yield* marketdata("doctor --offline", user({ MARKETDATA_TOKEN: "" }))
    assert.match(embedded.out, /^skipped +ledger +of the embedded sandbox nothing is kept$/m)
  })

  it.effect("a Node without SQLite keeps replies and records nothing, and `doctor` says so", function*() {
    const mocked = Effect.sync(() => vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined))
    yield* Effect.acquireRelease(mocked, (spy) => Effect.sync(() => spy.mockRestore()))
    assert.strictEqual((yield* marketdata(cached, user())).code, 0)
    assert.deepInclude(originOf((yield* marketdata(cached, user())).out), { source: "local" })
    const { code, out } = yield* marketdata("doctor --offline", user())
    assert.strictEqual(code, 0)
    const tooOld = /^warning +ledger +what commands spend cannot be recorded in .* SQLite needs Node 22\.13 or newer/m
    assert.match(out, tooOld)
  })

  const broken = [
    ["of a newer schema", "INSERT INTO marketdata_schema (version) VALUES (1000)", "schema version 1000"],
    [
      "with a trigger of others",
      "CREATE TRIGGER full BEFORE INSERT ON marketdata_event BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
      "is a trigger that this package has not made"
    ]
  ] as const

  it.effect.each(broken)(
    "a database %s fails a command only where a setting asked for the ledger",
    function*([, sql, says]) {
      yield* marketdata(cached, user())
      const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
      const database = new DatabaseSync(join(home, ".local", "share", "marketdata", "ledger.db"))
      database.exec(sql)
      database.close()
      const line = "chain AAPL --limit 20 --mode cached --no-cache --verbose"
      const lenient = yield* marketdata(line, user())
      assert.strictEqual(lenient.code, 0)
      assert.match(lenient.errors, new RegExp(`^note: +what commands spend cannot be recorded.*${says}`, "m"))
      for (const asked of [{ MARKETDATA_LEDGER: "on" }, { MARKETDATA_ALLOWANCE: "10" }]) {
        const strict = yield* marketdata(line, user(asked))
        assert.deepInclude(strict, { code: 2, out: "" })
        assert.match(strict.errors, new RegExp(`${says}.*Nothing was sent`, "s"))
      }
    }
  )

  it.effect("without a home there is no place, and no trouble", function*() {
    const { code, errors } = yield* marketdata("chain AAPL --limit 20 --mode cached --verbose", user({ HOME: "" }))
    assert.strictEqual(code, 0, errors)
    assert.notMatch(errors, /cannot be/)
    const asked = yield* marketdata(cached, user({ HOME: "", MARKETDATA_LEDGER: "on" }))
    assert.strictEqual(asked.code, 2)
    assert.match(asked.errors, /MARKETDATA_HOME/)
  })

  it.effect("without a home there is no ~/ either: no folder of that name is made", function*() {
    const of = (variables: Readonly<Record<string, string>>, line = cached) =>
      Effect.map(marketdata(line, user({ HOME: "", ...variables })), ({ code, errors }) => [code, errors] as const)
    const plan = join(home, "plan.json")
    mkdirSync(home, { recursive: true })
    writeFileSync(plan, `[{"chain":"AAPL","date":"2026-11-18","contracts":30}]`)
    const cases = [
      ["spent.db", yield* of({ MARKETDATA_LEDGER: "~/spent.db" })],
      ["mine", yield* of({ MARKETDATA_CACHE: "~/mine" })],
      ["mine", yield* of({ MARKETDATA_CACHE: "~/mine" }, "cache status")],
      ["days", yield* of({}, `run ${plan} --output=~/days`)]
    ] as const
    for (const [name, [code, errors]] of cases) {
      assert.strictEqual(code, 2, errors)
      assert.match(errors, new RegExp(`~/${name}.* is in the user's folder, and neither HOME nor USERPROFILE says`))
    }
    assert.strictEqual((yield* of({ MARKETDATA_HOME: "~/all" }))[0], 0)
    const missing = (yield* of({ MARKETDATA_CONFIG: "~/c.yaml" }))[1]
    assert.include(missing, "there is no such file, and MARKETDATA_CONFIG names it")
    assert.isFalse(existsSync("~"))
  })
})

describe("marketdata cache", () => {
  const status = Effect.fnUntraced(function*() {
    return JSON.parse((yield* marketdata("cache status --json", keeper())).out)
  })

  it.effect("shows what is kept, also where nothing is", function*() {
    const directory = join(home, ".cache", "marketdata")
    const nothing = { entries: 0, bytes: 0, damaged: 0, oldest: null, newest: null, commands: [] }
    assert.deepStrictEqual(yield* status(), { version: 1, directory, on: true, maxBytes: 268435456, ...nothing })
    yield* marketdata(cached, keeper())
    yield* marketdata("stock prices AAPL --mode cached", keeper())
    const found = yield* status()
    assert.deepInclude(found, { entries: 2, damaged: 0, oldest: noon, newest: noon })
    const kept = found.commands.map(({ command, entries }: { command: string; entries: number }) => [command, entries])
    assert.deepStrictEqual(kept, [["chain", 1], ["stock prices", 1]])
    const { out } = yield* marketdata("cache status", keeper())
    assert.match(out, /^holds: +2 replies, [\d.]+ kB of at most 268\.4 MB$/m)
    assert.match(out, /^newest: +2026-11-20 12:00:00 EST, 0 s ago$/m)
    assert.match(out, /^chain +1 +[\d.]+ kB$/m)
    const csv = yield* marketdata("cache status --format csv", keeper())
    assert.match(csv.out, /^command,entries,bytes\nchain,1,\d+\nstock prices,1,\d+$/)
  })

  it.effect("is cleared with --yes, and not without a person who agrees", function*() {
    yield* marketdata(cached, keeper())
    const refused = yield* marketdata("cache clear", keeper())
    assert.strictEqual(refused.code, 2)
    assert.match(refused.errors, /Nothing was removed\.\n +in a script type `marketdata cache clear --yes`/)
    const declined = yield* answering("n", keeper())
    assert.deepInclude(declined, { code: 0, out: "nothing was removed" })
    assert.deepInclude(yield* status(), { entries: 1 })
    const agreed = yield* answering("y", keeper())
    assert.match(agreed.out, /^1 reply removed, [\d.]+ kB, from /)
    assert.deepInclude(yield* status(), { entries: 0 })
    yield* marketdata(cached, keeper())
    const { removed } = JSON.parse((yield* marketdata("cache clear --yes --json", keeper())).out)
    assert.strictEqual(removed.entries, 1)
    assert.deepStrictEqual(readdirSync(join(home, ".cache", "marketdata")), ["replies-2"])
  })

  it.effect("still shows and clears what was kept before it was turned off", function*() {
    yield* marketdata(cached, keeper())
    const off = keeper({ MARKETDATA_CACHE: "off" })
    assert.deepInclude(JSON.parse((yield* marketdata("cache status --json", off)).out), { on: false, entries: 1 })
    assert.match((yield* marketdata("cache status", off)).out, /^cache: .* \(off\)$/m)
    yield* marketdata("cache clear --yes", off)
    assert.deepInclude(yield* status(), { entries: 0 })
  })

  it.effect("says what is wrong with the folder", function*() {
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, ".cache"), "in the way")
    for (const line of ["cache status", "cache clear --yes"]) {
      const { code, errors } = yield* marketdata(line, keeper())
      assert.strictEqual(code, 1)
      assert.match(errors, /^error: the cache .* cannot be used: /)
    }
    const nowhere = yield* marketdata("cache status", keeper({ HOME: "" }))
    assert.deepInclude(nowhere, { code: 2 })
  })

  it.effect("mends a secret that was torn, and keeps nothing behind a link", function*() {
    const errors = Effect.map(marketdata(cached.replace("json", "verbose"), keeper()), ({ errors }) => errors)
    mkdirSync(join(home, ".cache"), { recursive: true })
    symlinkSync(home, join(home, ".cache", "marketdata"))
    assert.match(yield* errors, /^note: +replies cannot be kept in .* not a symbolic link, e\.g\. \/var\/cache\/desk$/m)
    rmSync(join(home, ".cache", "marketdata"))
    yield* marketdata(cached, keeper())
    writeFileSync(join(home, ".cache", "marketdata", "account.key"), "torn")
    assert.match(yield* errors, /^note: .*account\.key.*: it has not 32 bytes; clear the cache to make another$/m)
    yield* marketdata("cache clear --yes", keeper())
    yield* marketdata(cached, keeper())
    assert.deepInclude(originOf((yield* marketdata(cached, keeper())).out), { source: "local" })
  })
})

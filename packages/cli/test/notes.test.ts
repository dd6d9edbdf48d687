/** What a person is told of an answer that is not a deviation of the reply. */
import * as NewYork from "@effect-marketdata/core/NewYork"
import { Sandbox, SandboxServer } from "@effect-marketdata/sandbox"
import { Effect, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, it } from "../../core/test/support/it.ts"
import { noon, run } from "./support/printed.ts"

/** Saturday, when nothing is open and Friday's options have expired. */
const saturday = NewYork.at({ year: 2026, month: 11, day: 21 }, 12, 0)

/** The notes of a document, and what is told of the same on standard error. */
const told = Effect.fnUntraced(function*(line: string, at = noon, token = "sandbox-paid") {
  yield* TestClock.setTime(at * 1000)
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const variables = { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: token }
  const words = [...line.split(" "), "--yes"]
  const document = yield* run([...words, "--json"], { variables })
  const people = yield* run(words, { variables })
  assert.deepEqual([document.code, people.code], [0, 0], document.errors)
  const notes: ReadonlyArray<string> = JSON.parse(document.out).notes
  for (const note of notes) assert.include(people.errors, `note:       ${note}`)
  assert.strictEqual(people.errors.match(/^note: /gm)?.length ?? 0, notes.length)
  return notes
})

const service = Layer.provide(SandboxServer.layer(), Sandbox.layer())

it.effect("say that as many rows came back as --limit allows, and which flag brings the next ones", function*() {
  const line = "chain AAPL --expiration 2026-12-18 --no-nonstandard --limit"
  const notes = yield* told(`${line} 20`)
  assert.deepEqual(notes, ["20 contracts came back, as many as --limit allows. There may be more: --offset 20"])
  assert.include((yield* told(`${line} 20 --offset 20`)).join(), "--offset 40")
  assert.deepEqual(yield* told(`${line} 40000`), [])
  const live = yield* told("chain AAPL --expiration 2026-12-18 --no-nonstandard --mode live --contracts 10")
  assert.deepEqual(live, ["10 contracts came back, as many as --contracts allows. There may be more: --offset 10"])
}, service)

it.effect("count the contracts of adjusted roots that were not asked for, and say that they were charged", function*() {
  const line = "chain AAPL --expiration 2026-12-18 --strike-limit 10"
  const [note = "", ...others] = yield* told(line)
  assert.match(note, /^\d+ contracts of \d+ have the adjusted root AAPL1: .*charged.*--no-nonstandard$/)
  assert.deepEqual(others, [])
  assert.notInclude((yield* told(`${line} --mode cached`)).join(), "charged")
  assert.deepEqual(yield* told(`${line} --nonstandard`), [])
  assert.deepEqual(yield* told(`${line} --no-nonstandard`), [])
}, service)

it.effect("say which contracts have expired by the time of asking, but not of a past day", function*() {
  const line = "chain AAPL --expiration 2026-11-20 --strike-limit 3 --no-nonstandard"
  assert.deepEqual(yield* told(line), [])
  const [note = ""] = yield* told(line, saturday)
  assert.match(note, /^(\d+) contracts of \1 expired on 2026-11-20\. .*--expiration DAY.*marketdata expirations AAPL/)
  assert.deepEqual(yield* told(`${line} --date 2026-11-19`, saturday), [])
}, service)

it.effect(
  "[8.2-timeliness] say that data asked for live are delayed, while the market is open and not after",
  function*() {
    const line = "chain AAPL --mode live --expiration 2026-12-18 --strike-limit 1 --no-nonstandard"
    assert.deepEqual(yield* told(line), [])
    const [note = "", ...others] = yield* told(line, noon, "sandbox-free")
    assert.match(note, /^live data were asked for, but the newest quote is 15 min old .*marketdata account/)
    assert.deepEqual(others, [])
    assert.deepEqual(yield* told(line, saturday, "sandbox-free"), [])
  },
  service
)

it.effect("[8.3-age] say that quotes are older than --max-age, the age of the entry in the cache", function*() {
  const line = "chain AAPL --expiration 2026-12-18 --no-nonstandard --mode cached --max-age"
  assert.deepEqual(yield* told(`${line} 30min`), [])
  const [note = ""] = yield* told(`${line} 5min`, saturday)
  assert.match(note, /^the newest quote is \d+ h old, and --max-age is 5min: .*--mode live$/)
}, service)

/** `--watch`: what is asked again and again, what it costs, and what a terminal shows meanwhile. */
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as NewYork from "@effect-marketdata/core/NewYork"
import { Sandbox, SandboxServer } from "@effect-marketdata/sandbox"
import * as HostileTexts from "@effect-marketdata/testing/HostileTexts"
import { vi } from "@effect/vitest"
import { Clock, Context, Effect, Fiber, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import * as Frames from "./support/frames.ts"
import * as Hostile from "./support/hostileServer.ts"
import { marketdata, noon, type Place, run, turn } from "./support/printed.ts"

const put = "AAPL261218P00350000"

const brief = "--mode cached --limit 4 --columns optionSymbol,strike,bid,ask,last,volume,openInterest,delta"

const server = await Hostile.start()

/**
 * Runs a command that asks again and again, while time passes by itself in steps of a second. Its replies are short: what is compressed is compressed
 * in a thread, and time does not wait for that. Where it `waits`, no time passes until the first request, however long the command takes to load;
 * then the clock of the machine is `put` so many milliseconds on. Returns how many seconds passed, too.
 */
const watched = (line: string, place: Place = {}, { at = noon, put = 0, waits = false } = {}) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(at * 1000)
    const { baseUrl } = yield* SandboxServer.SandboxServer
    const { requests } = yield* Sandbox.Sandbox
    const variables = { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid", ...place.variables }
    let seconds = 0
    const clock = yield* Clock.Clock
    const currentTimeMillis = Effect.map(clock.currentTimeMillis, (now) => seconds === 0 ? now : now + put)
    const services = Context.make(Clock.Clock, { ...clock, currentTimeMillis })
    const fiber = yield* Effect.forkChild(run(line.split(" "), { ...place, variables, services }))
    while (fiber.pollUnsafe() === undefined) {
      if (!waits || (yield* requests).length > 0) yield* Effect.as(TestClock.adjust("1 second"), seconds++)
      // Requests travel in real time, not in that of the test.
      yield* turn
    }
    return { ...yield* Fiber.join(fiber), seconds }
  }).pipe(Effect.provide(Layer.provideMerge(SandboxServer.layer(), Sandbox.layer())))

describe("--watch", () => {
  it.effect("asks again until the budget for all rounds is used up, and says so with exit code 3", function*() {
    const { code, errors, out } = yield* watched(`quote ${put} --mode live --watch 10s --budget 3 --format json`)
    assert.strictEqual(code, 3)
    const documents = out.split("\n").map((line) => JSON.parse(line))
    assert.lengthOf(documents, 3)
    for (const { answers } of documents) assert.strictEqual(answers[0].answer.credits.charged, 1)
    // The interval is that between the beginnings of two rounds.
    const times: ReadonlyArray<number> = documents.map(({ answers }) => answers[0].answer.provenance.receivedAt)
    for (const [round, time] of times.slice(1).entries()) assert.isAtLeast(time - times[round]!, 9)
    const { error } = JSON.parse(errors)
    assert.deepInclude(error, { class: "budget", reason: "BudgetUsedUp", credits: { charged: 3, uncertain: 0 } })
    assert.include(error.message, "3 rounds")
  })

  it.effect("says before it begins that quotes of options stand still, and until when", function*() {
    const at = (hour: number, minute: number) => NewYork.at({ year: 2026, month: 11, day: 20 }, hour, minute)
    const line = `quote ${put} --mode live --watch 10s --budget 1`
    const told = Effect.fnUntraced(function*(line: string, now: number) {
      const { errors } = yield* watched(line, {}, { at: now, waits: true })
      return /^note: +options are not traded until (.*): their quotes/m.exec(errors)?.[1]
    })
    assert.strictEqual(yield* told(line, at(6, 0)), "2026-11-20 09:30:00 EST")
    assert.isUndefined(yield* told(line, noon))
    assert.isUndefined(yield* told(line, at(16, 0)))
    assert.strictEqual(yield* told(line, at(17, 0)), "2026-11-23 09:30:00 EST")
    assert.strictEqual(yield* told(line, at(40, 0)), "2026-11-23 09:30:00 EST")
    // Stocks are traded before and after their session.
    assert.isUndefined(yield* told("stock quote AAPL --mode live --watch 10s --budget 1", at(18, 0)))
  })

  it.effect("keeps to its interval where the clock of the machine is put back", function*() {
    const line = `quote ${put} --mode live --watch 10s --budget 2 --format jsonl --columns bid`
    const { out, seconds } = yield* watched(line, {}, { waits: true, put: -3_600_000 })
    assert.lengthOf(out.split("\n"), 2)
    assert.isAtMost(seconds, 100)
  })

  it.effect("prints CSV under one head", function*() {
    const { out } = yield* watched(
      `quote ${put} --mode live --watch 10s --budget 2 --format csv --columns optionSymbol,side`
    )
    assert.strictEqual(out, `optionSymbol,side\n${put},put\n${put},put`)
  })

  it.effect("prints each table under its time where nothing can be drawn over", function*() {
    const { errors, out } = yield* watched(`quote ${put} --mode live --watch 10s --budget 2`, {}, { waits: true })
    assert.lengthOf(out.match(/^2026-11-20 12:\d\d:\d\d EST$/gm) ?? [], 2)
    assert.lengthOf(out.match(/^freshness: {2}real-time/gm) ?? [], 2)
    assert.include(errors, "each round 0 to 1 credit; all rounds together at most 2 credits")
  })

  it.effect("has the threshold for a budget where none is given", function*() {
    const variables = { MARKETDATA_CONFIRM_ABOVE: "2" }
    const { code, errors, out } = yield* watched(`quote ${put} --mode live --watch 10s --format jsonl`, { variables })
    assert.strictEqual(code, 3)
    assert.lengthOf(out.split("\n"), 2)
    assert.include(errors, "BudgetUsedUp")
  })

  it.effect("asks nothing where one round is above the threshold, and tells the price of a round", function*() {
    const { code, errors, out } = yield* watched("chain AAPL --mode live --limit 150 --watch 10s")
    assert.deepStrictEqual([code, out], [3, ""])
    assert.include(errors, "each round of chain AAPL may cost up to 150 credits")
    assert.match(errors, /--budget 150 +or more, for all rounds together$/)
  })

  it.effect("draws in place on a terminal, with ages that go on, and leaves the last answer behind", function*() {
    const drawn: Array<string> = []
    const { code, errors, out } = yield* watched(`quote ${put} --mode live --watch 30s --budget 2`, {
      isTerminal: true,
      columns: Effect.succeed(60),
      rows: Effect.succeed(12),
      drawn,
      status: []
    }, { waits: true })
    assert.deepStrictEqual([code, drawn[0], drawn.at(-1)], [3, Frames.opened, Frames.closed])
    const frames = drawn.slice(1, -1).map(Frames.linesOf)
    for (const lines of frames) {
      assert.isAtMost(lines.length, 12)
      for (const line of lines) assert.isAtMost(line.length, 60)
    }
    const inOrder = [/again in 29 s/, /again in 10 s/, /2 credits spent/].map((what) =>
      frames.findIndex((lines) => what.test(lines.join("\n")))
    )
    assert.deepEqual(inOrder, inOrder.toSorted((a, b) => a - b))
    assert.notInclude(inOrder, -1)
    const ages = new Set(frames.flatMap((lines) => /real-time, (\d+ \w+) ago/.exec(lines.join("\n"))?.[1] ?? []))
    assert.isAtLeast(ages.size, 10)
    assert.match(out, /contract.*AAPL261218P00350000/)
    assert.match(errors.replaceAll(/\s+/g, " "), /BudgetUsedUp|do not cover another one/)
  })

  it.effect("fits a terminal whose size changes", function*() {
    const drawn: Array<string> = []
    let columns = 120
    yield* watched(`chain AAPL ${brief} --watch 10s --budget 3`, {
      isTerminal: true,
      columns: Effect.sync(() => columns > 40 ? columns-- : columns),
      rows: Effect.succeed(20),
      drawn,
      status: []
    })
    const widths = drawn.slice(1, -1).map((frame) => Math.max(...Frames.linesOf(frame).map(({ length }) => length)))
    assert.isAbove(Math.max(...widths), 60)
    assert.isAtMost(widths.at(-1)!, 100)
  })

  it.effect("restores the terminal and says what was spent when it is stopped", function*() {
    yield* TestClock.setTime(noon * 1000)
    const { baseUrl } = yield* SandboxServer.SandboxServer
    const drawn: Array<string> = []
    const fiber = yield* Effect.forkChild(run(`quote ${put} --mode live --watch 1h --budget 5`.split(" "), {
      variables: { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid" },
      isTerminal: true,
      drawn,
      status: []
    }))
    while (!drawn.some((frame) => frame.includes("1 round"))) {
      yield* TestClock.adjust("1 second")
      yield* turn
    }
    // The shell has its screen from Ctrl-Z until it lets the program go on.
    const kill = vi.spyOn(process, "kill").mockReturnValue(true)
    process.emit("SIGTSTP")
    assert.deepStrictEqual([drawn.at(-1), kill.mock.calls], [Frames.closed, [[process.pid, "SIGSTOP"]]])
    kill.mockRestore()
    process.emit("SIGCONT")
    assert.strictEqual(drawn.at(-1), Frames.opened)
    yield* Fiber.interrupt(fiber)
    assert.strictEqual(drawn.at(-1), Frames.closed)
  }, Layer.provide(SandboxServer.layer(), Sandbox.layer()))
})

describe("--watch of a service that fails now and then", () => {
  const contract = { optionSymbol: [put], underlying: ["AAPL"], side: ["put"], strike: [350], bid: [1], ask: [2] }
  const answer = JSON.stringify({ s: "ok", ...contract })

  /** Answers one after the other; the last for all that follow. */
  const answering = (...replies: ReadonlyArray<Hostile.Reply>) => {
    const [first, ...others] = replies
    server.answer(first!, ...others)
    return { variables: { MARKETDATA_BASE_URL: server.baseUrl } }
  }

  it.effect("tells a failure that may pass, and asks again", function*() {
    const place = answering({ status: 200, body: answer }, { status: 500, body: "{}" }, { status: 200, body: answer })
    const { code, errors, out } = yield* watched(`quote ${put} --watch 10s --budget 3 --format json`, place)
    assert.strictEqual(code, 3)
    assert.isAtLeast(out.split("\n").length, 2)
    const [first, last] = errors.split("\n").map((line) => JSON.parse(line).error)
    assert.deepStrictEqual([first.class, last.reason], ["service", "BudgetUsedUp"])
  })

  it.effect("ends with a failure that will not pass", function*() {
    const place = answering({ status: 200, body: answer }, { status: 401, body: `{"s":"error","errmsg":"no"}` })
    const { code, out } = yield* watched(`quote ${put} --watch 10s --budget 50 --format json`, place)
    assert.strictEqual(code, 6)
    assert.lengthOf(out.split("\n"), 1)
  })

  it.effect("draws no order of a reply", function*() {
    const drawn: Array<string> = []
    const order = "\u001b[2J\u009b31m\u202e"
    const one = { status: 200, body: answer.replace("AAPL", JSON.stringify(order).slice(1, -1)) }
    const { variables } = answering(one, { status: 400, body: JSON.stringify({ s: "error", errmsg: order }) })
    yield* watched(`quote ${put} --watch 10s --budget 5`, {
      isTerminal: true,
      drawn,
      status: [],
      variables: { ...variables, NO_COLOR: "1" }
    })
    assert.isAtLeast(drawn.length, 3)
    for (const frame of drawn) assert.notMatch(Frames.withoutOwn(frame), HostileTexts.obeyed)
  })

  it.effect("fails at once where the first round fails", function*() {
    const { code, out } = yield* watched(`quote ${put} --watch 10s --format json`, answering({ status: 503, body: "" }))
    assert.deepStrictEqual([code, out], [8, ""])
  })
})

describe("progress", () => {
  it.effect("is shown on standard error while an answer takes long, and gone with it", function*() {
    const status: Array<string> = []
    const { code, out } = yield* watched(`chain AAPL ${brief}`, { isTerminal: true, drawn: [], status })
    assert.strictEqual(code, 0)
    assert.include(out, "contracts")
    assert.isNotEmpty(status)
    assert.match(status[0]!, /asking chain AAPL.*: \d requests?, \d credits?, \d+ s/)
    assert.strictEqual(status.at(-1), "\r\u001b[K")
  })

  it.effect("is not there where standard error is not a terminal", function*() {
    const status: Array<string> = []
    yield* watched(`chain AAPL ${brief}`, { status })
    assert.isEmpty(status)
  })

  it.effect("says why requests are sent again", function*() {
    const broken = { status: 502, body: `{"s":"error","errmsg":"bad gateway"}` }
    server.answer(broken, { status: 404, body: `{"s":"no_data"}` })
    const status: Array<string> = []
    const asking = yield* Effect.forkChild(marketdata("expirations AAPL", {
      variables: { MARKETDATA_BASE_URL: server.baseUrl, MARKETDATA_TOKEN: "a-token-for-tests" },
      isTerminal: true,
      status,
      columns: Effect.succeed(80),
      retries: RetryPolicy.make({ attempts: 2, base: 60_000, cap: 60_000 })
    }))
    while (asking.pollUnsafe() === undefined) yield* TestClock.adjust("100 millis")
    assert.strictEqual((yield* Fiber.join(asking)).code, 4)
    const again = status.filter((line) => line.includes("again:"))
    assert.isNotEmpty(again)
    for (const line of again) assert.match(line, /: \d requests?, again: .* 502/)
  })
})

/** What a chain looks like: the data of the page, the page itself, and its drawings. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Chains from "@effect-marketdata/testing/Chains"
import * as HostileTexts from "@effect-marketdata/testing/HostileTexts"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { runInThisContext } from "node:vm"
import { runs } from "../../core/test/support/depth.ts"
import { type Chart, charting } from "../src/look/charting.ts"
import { OpenPage } from "../src/asking/openPage.ts"
import { page, picture } from "../src/look/page.ts"
import { type Leg, position } from "../src/look/position.ts"
import { lines } from "../src/look/terminal.ts"
import { chartOf as named, viewOf } from "../src/look/view.ts"
import { spansOf, textOf } from "../src/text/span.ts"
import { problemsOf } from "./support/html.ts"
import { marketdata, noon, type Place } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const decode = (rows: Chains.Rows) => Result.getOrThrow(OptionChain.decode(Chains.body(rows)))

const about = { symbol: "AAPL", time: "2026-11-20 12:00:00 EST", source: "asked as cached" }

/** What makes quotes worse than a market does, or takes values away. */
const spoilt: Readonly<Record<string, (row: OptionChain.Row) => OptionChain.Row>> = {
  "as it is": (row) => row,
  "without any volatility": (row) => ({ ...row, iv: null, delta: null, gamma: null, theta: null, vega: null }),
  "without prices": (row) => ({ ...row, bid: null, ask: null, mid: null, underlyingPrice: null, iv: null }),
  "without bids": (row) => ({ ...row, bid: 0 }),
  crossed: (row) => ({ ...row, bid: (row.ask ?? 0) + 1 }),
  "without interest": (row) => ({ ...row, openInterest: null, volume: 0 }),
  stale: (row) => ({ ...row, updated: row.strike % 2 === 0 ? row.updated : (row.updated ?? noon) - 3600 })
}

/** Three expirations of calls and puts around 100, as a market quotes them. */
const quoted = (
  volatility: (strike: number) => number | null = (strike) => 0.2 + Math.abs(strike - 100) / 500
): Chains.Rows =>
  ["261127", "261218", "270115"].flatMap((day, expiration) =>
    [80, 90, 95, 100, 105, 110, 120].flatMap((strike, at) =>
      (["call", "put"] as const).map((side): OptionChain.Row => {
        const intrinsic = Math.max(0, side === "call" ? 100 - strike : strike - 100)
        const mid = intrinsic + 6 * Math.exp(-Math.abs(strike - 100) / 20) * Math.sqrt(expiration + 1)
        return {
          ...Object.fromEntries(Chains.names.map((name) => [name, null])) as unknown as OptionChain.Row,
          optionSymbol: `XYZ${day}${side === "call" ? "C" : "P"}${String(strike * 1000).padStart(8, "0")}`,
          underlying: "XYZ",
          side,
          strike,
          expiration: noon + 4 * 3600 + [7, 28, 56][expiration]! * 86_400,
          dte: [7, 28, 56][expiration]!,
          firstTraded: noon - 86_400,
          bid: mid - 0.1,
          ask: mid + 0.1,
          mid,
          openInterest: 100 * at + (side === "put" ? 7 : 0),
          volume: 10 * at,
          underlyingPrice: 100,
          updated: noon,
          iv: volatility(strike)
        }
      })
    )
  )

const chartOf = (charts: ReadonlyArray<Chart>, id: string): Chart => charts.find((chart) => chart.id === id)!

describe("a page of any chain", () => {
  const any = fc.tuple(Chains.chain, fc.constantFrom(...Object.keys(spoilt)), HostileTexts.terminal)

  it("is HTML without a number that is none, whatever is missing, and no text ends its element", () => {
    fc.assert(
      fc.property(any, ([rows, how, text]) => {
        const view = viewOf(decode(rows.map(spoilt[how]!)), noon)
        const said = { ...about, symbol: `</script><img src=x onerror="alert(1)">${text}`, source: "'\"&<b>" }
        const html = page({ ...view, notes: [...view.notes, said.symbol] }, said)
        assert.deepStrictEqual(problemsOf(html), [])
        const charts = [...view.expirations.flatMap(({ charts }) => charts), ...view.charts]
        const drawn = charts.map((chart) => picture(chart, said)).join("")
        const shown = html.replaceAll(/<script>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, "") + drawn +
          charts.flatMap((chart) => lines(chart, { columns: 40, rows: 24 }, false)).map((line) =>
            spansOf(line).map(textOf).join("")
          )
            .join("")
        assert.notMatch(shown.replaceAll(text, ""), /NaN|Infinity|undefined/)
        assert.notMatch(html, /<img|<b>/)
      }),
      { numRuns: runs(100, 30) }
    )
  })

  it("asks nothing of anybody, and runs no script but its own", () => {
    const html = page(viewOf(decode(quoted()), noon), about)
    const policy = /content="(default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; [^"]+)"/.exec(
      html
    )
    assert.isNotNull(policy)
    assert.notMatch(html.replaceAll("http://www.w3.org/2000/svg", ""), /https?:|\ssrc=|@import|url\(|\sstyle=|\son\w+=/)
    assert.lengthOf(html.match(/<script[ >]/g)!, 2)
  })
})

describe("the data of a page", () => {
  const chain = decode(quoted())
  const view = viewOf(chain, noon)

  it("are those of the chain, at their strikes", () => {
    assert.deepStrictEqual(view.expirations.map(({ name }) => name), [
      "2026-11-27 XYZ",
      "2026-12-18 XYZ",
      "2027-01-15 XYZ"
    ])
    for (const [at, { charts, forward, rungs }] of view.expirations.entries()) {
      const rows = [...chain].slice(at * 14, at * 14 + 14)
      const find = (side: string, strike: number) => rows.find((row) => row.side === side && row.strike === strike)!
      let count = 0
      for (const { name, points, tone } of chartOf(charts, "smile").series) {
        for (const [strike, iv, , low, high] of points) {
          count++
          assert.strictEqual(iv, find(tone, strike).iv, name)
          assert.strictEqual(strike >= forward!, tone === "call")
          assert.isTrue(low == null || high == null || low < high)
        }
      }
      assert.isAbove(count, 2)
      for (const { points, tone } of chartOf(charts, "interest").series) {
        for (const [strike, interest] of points) assert.strictEqual(interest, find(tone, strike).openInterest)
      }
      assert.deepStrictEqual(rungs.map(({ strike }) => strike), [80, 90, 95, 100, 105, 110, 120])
      assert.strictEqual(rungs[0]!.put!.ask, find("put", 80).ask)
    }
    const puts = [...chain].filter(({ side }) => side === "put").reduce(
      (sum, { openInterest }) => sum + openInterest!,
      0
    )
    assert.approximately(view.figures[2]![1]!, puts / (puts - 3 * 7 * 7), 1e-12)
    assert.deepStrictEqual(chartOf(view.charts, "term").series[0]!.points.map(([days]) => days), [7, 28, 56])
  })

  it("name what is computed where the service tells no volatility, and leave gaps where nothing is known", () => {
    const past = viewOf(decode(quoted(() => null)), noon)
    const { notes, series } = chartOf(past.expirations[1]!.charts, "smile")
    assert.include(notes.join(" "), "Computed, because the service tells none")
    assert.include(past.notes.join(" "), "computed from prices")
    assert.isTrue(series.every(({ points }) => points.some(([, iv]) => iv !== null)))
    const none = viewOf(decode(quoted().map(spoilt["without prices"]!)), noon)
    const { points } = chartOf(none.expirations[0]!.charts, "interest").series[0]!
    assert.isAbove(points.length, 0)
    assert.strictEqual(none.spot, null)
  })

  it("name a bid above the ask, and dim what has no bid or is old", () => {
    const rows = quoted().map((row, at) => ({
      ...row,
      ...at === 4 ? { bid: row.ask! + 1 } : at === 7 ? { bid: 0 } : at === 8 ? { updated: noon - 1000 } : {}
    }))
    const { charts, rungs } = viewOf(decode(rows), noon).expirations[0]!
    assert.deepStrictEqual([rungs[2]!.call!.mark, rungs[3]!.put!.mark, rungs[4]!.call!.mark], [
      "crossed",
      "no bid",
      "stale"
    ])
    const { notes, series } = chartOf(charts, "smile")
    assert.match(notes.join(" "), /The bid is above the ask of 95 call\./)
    assert.match(notes.join(" "), /Dimmed: 1 quote without a bid\. Dimmed: 1 quote older/)
    assert.deepStrictEqual(series[1]!.points.find(([strike]) => strike === 105)?.[2], 1)
  })
})

describe("what draws", () => {
  const tools = charting()

  it("is whole in its text, which the page runs", () => {
    const again = runInThisContext(`(${charting.toString()})()`) as typeof tools
    for (const chart of viewOf(decode(quoted()), noon).charts) {
      assert.strictEqual(again.draw(chart, 500).svg, tools.draw(chart, 500).svg)
      assert.strictEqual(again.table(chart), tools.table(chart))
    }
    const made = runInThisContext(`(${position.toString()})`) as typeof position
    assert.deepStrictEqual(made(again).straddle([], 1), [])
  })

  it("breaks a line where a value is missing, and hangs bars below zero", () => {
    const chart = (mark: "line" | "bar"): Chart => ({
      id: "one",
      title: "one",
      x: { label: "x", unit: "strike" },
      y: { label: "y", unit: "count" },
      series: [{
        name: "a",
        tone: "put",
        mark,
        down: true,
        points: [[1, 1, 0], [2, 4, 0], [3, null, 0], [4, 2, 0], [5, 3, 1]]
      }],
      rules: [],
      notes: []
    })
    assert.lengthOf(tools.draw(chart("line"), 400).svg.match(/class="line/g)!, 2)
    const bars = [
      ...tools.draw(chart("bar"), 400).svg.matchAll(/class="bar put.*?" .*? y="([\d.]+)" .*?height="([\d.]+)"/g)
    ]
    assert.lengthOf(bars, 4)
    assert.lengthOf(new Set(bars.map(([, y]) => y)), 1)
    assert.approximately(Number(bars[1]![2]) / Number(bars[0]![2]), 4, 0.1)
  })

  it("says that there are no values where nothing expires", () => {
    const chart = named(viewOf(decode([]), noon), "smile")
    assert.include(tools.draw(chart, 400).svg, ">no values<")
    const [title, said] = lines(chart, { columns: 60, rows: 24 }, false).map((line) =>
      spansOf(line).map(textOf).join("")
    )
    assert.deepStrictEqual([title, said], ["smile", "no values"])
  })

  it("draws in a terminal with letters where it knows no others", () => {
    const chart = chartOf(viewOf(decode(quoted()), noon).expirations[1]!.charts, "smile")
    const drawn = (isAscii: boolean) =>
      lines(chart, { columns: 60, rows: 24 }, isAscii).map((line) => spansOf(line).map(textOf).join("")).join("\n")
    assert.match(drawn(false), /[\u2801-\u28ff]{3}/)
    assert.match(drawn(true), /^[ -~\n]+$/)
    assert.match(drawn(true), /p[\s\S]*c/)
  })
})

describe("a payoff", () => {
  const { payoff } = position(charting())
  const leg: fc.Arbitrary<Leg> = fc.record({
    side: fc.constantFrom("call", "put"),
    strike: fc.integer({ min: 1, max: 300 }),
    count: fc.constantFrom(-2, -1, 1, 2),
    price: fc.integer({ min: 0, max: 5000 }).map((cents) => cents / 100)
  })
  const worth = (legs: ReadonlyArray<Leg>, at: number) =>
    legs.reduce(
      (sum, { count, price, side, strike }) =>
        sum + 100 * count * ((side === "call" ? Math.max(at - strike, 0) : Math.max(strike - at, 0)) - price),
      0
    )

  it("is what its legs are worth less what they cost, and nothing where it breaks even", () => {
    fc.assert(
      fc.property(fc.array(leg, { minLength: 1, maxLength: 4 }), (legs) => {
        const { notes, series } = payoff(legs, [0, 400], 100)
        for (const [at, gain] of series[0]!.points) assert.approximately(gain!, worth(legs, at), 0.01)
        const even = [.../Breaks even at (.*)\.$/.exec(notes.at(-1)!)?.[1]!.matchAll(/[\d,]+\.\d\d/g) ?? []]
        for (const [text] of even) assert.approximately(worth(legs, Number(text.replaceAll(",", ""))), 0, 5)
        const most = Math.max(...Array.from({ length: 1000 }, (_, at) => worth(legs, at)))
        const told = /Gains at most (?:\$([\d,.]+)|without a limit), /.exec(notes[1]!)?.[1]
        if (told !== undefined) assert.isAtLeast(Number(told.replaceAll(",", "")) + 0.01, most)
      }),
      { numRuns: runs(300) }
    )
  })
})

describe("marketdata look", () => {
  const folder = Started.folder()
  const opened: Array<string> = []
  const run = (line: string, variables: Readonly<Record<string, string>> = {}, place: Place = {}) =>
    marketdata(`look F --mode cached ${line}`, {
      ...place,
      variables: { MARKETDATA_HOME: join(folder, "home"), ...variables },
      services: Context.make(OpenPage, (address) => Effect.sync(() => (opened.push(fileURLToPath(address)), true)))
    })

  it.effect("writes a page for its user alone, says where it is, and what it cost", () =>
    Effect.gen(function*() {
      const { code, errors, out } = yield* run("")
      const file = join(folder, "home", "cache", "look", "F.html")
      assert.deepStrictEqual([code, out, opened], [0, file, []], errors)
      assert.match(errors, /charge: {5}1 credit/)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const html = readFileSync(file, "utf8")
      assert.deepStrictEqual(problemsOf(html), [])
      for (
        const words of [
          /\d\d:\d\d:\d\d EST/,
          /asked as cached/,
          /quotes [a-z-]+, \d+ (?:s|min) ago/,
          /1 credit \u00b7 synthetic data of the embedded sandbox/
        ]
      ) {
        assert.match(html, words)
      }
    }))

  it.effect("opens it where somebody looks at a display, unless told not to", () =>
    Effect.gen(function*() {
      const [terminal, display] = [{ isTerminal: "output" }, { DISPLAY: ":0" }] as const
      yield* run("", display)
      yield* run("--no-open", display, terminal)
      assert.deepStrictEqual(opened, [])
      yield* run("", display, terminal)
      assert.lengthOf(opened, 1)
    }))

  it.effect("draws a picture, and a smile in the terminal, with letters where it knows no others", () =>
    Effect.gen(function*() {
      const svg = yield* run("--format svg --chart term")
      assert.match(svg.out, /^<svg xmlns=[^]*Volatility at the money[^]*<\/svg>$/)
      const file = join(folder, "smile.svg")
      yield* run(`-o ${file}`)
      assert.deepStrictEqual(problemsOf(readFileSync(file, "utf8")), [])
      assert.match((yield* run("--terminal")).out, /^Smile, [^]*[\u2801-\u28ff]{3}/)
      for (const variables of [{ TERM: "dumb" }, { LC_ALL: "C" }, { LANG: "POSIX" }]) {
        assert.match((yield* run("--terminal", variables)).out, /^[ -~\n]+$/)
      }
      assert.notMatch((yield* run("--terminal", { LC_ALL: "C.UTF-8", LANG: "C" })).out, /^[ -~\n]+$/)
    }))
})

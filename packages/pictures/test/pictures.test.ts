/** What a chain looks like: its ladders, the data of the page, the page itself, and its drawings. */
import { ForeignText, NewYork, OptionChain } from "@effect-marketdata/core"
import { ChainView, Ladder, Page, Picture, TextChart } from "@effect-marketdata/pictures"
import type { About, Chart, Point } from "@effect-marketdata/pictures/Chart"
import { Chains, HostileTexts } from "@effect-marketdata/testing"
import type { InvalidInput } from "@effect-marketdata/volatility/InvalidInput"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { createHash } from "node:crypto"
import { runInNewContext, runInThisContext } from "node:vm"
import { bundleText } from "../../../scripts/shared/bundle.ts"
import { forAll, forAllAsync, runs } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { type Leg, position } from "../src/chain/position.ts"
import { charting } from "../src/chart/charting.ts"
import { problemsOf } from "./support/html.ts"

/** Noon of 20 November 2026 in New York. */
const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

const decode = (rows: Chains.Rows) => Result.getOrThrow(OptionChain.decode(Chains.body(rows)))

const viewOf = (chain: ChainView.Chain): ChainView.View =>
  Result.getOrThrow(ChainView.make(chain, { at: OptionChain.updatedSpan(chain)?.newest ?? noon }))

const named = (view: ChainView.View, name: typeof ChainView.charts[number]): Chart =>
  Result.getOrThrow(ChainView.chart(view, name))

/** What a terminal shows of a chart. */
const textOf = (chart: Chart, columns: number, ascii = false): string =>
  Result.getOrThrow(TextChart.lines(chart, { columns, ascii })).map((line) => line.map(({ text }) => text).join(""))
    .join("\n")

const about: About = { symbol: "AAPL", time: "2026-11-20 12:00:00 EST", source: "asked as cached" }

/** What makes quotes worse than a market does, or takes values away. */
const spoilt: Readonly<Record<string, (row: OptionChain.Row) => OptionChain.Row>> = {
  "as it is": (row) => row,
  "without any volatility": (row) => ({ ...row, iv: null, delta: null, gamma: null, theta: null, vega: null }),
  "without prices": (row) => ({ ...row, bid: null, ask: null, mid: null, underlyingPrice: null, iv: null }),
  "without bids": (row) => ({ ...row, bid: 0 }),
  crossed: (row) => ({ ...row, bid: (row.ask ?? 0) + 1 }),
  "beyond what can be drawn": (row) => ({
    ...row,
    iv: 1e300,
    ask: row.strike % 2 === 0 ? 1e16 : 1e15,
    openInterest: 1e16
  }),
  "without interest": (row) => ({ ...row, openInterest: null, volume: 0 }),
  stale: (row) => ({ ...row, updated: row.strike % 2 === 0 ? row.updated : (row.updated ?? noon) - 3600 })
}

/** Three expirations of calls and puts around 100, as a market quotes them. */
const quoted = (volatility: (strike: number) => number | null = (strike) => 0.2 + Math.abs(strike - 100) / 500) =>
  ["261127", "261218", "270115"].flatMap((day, expiration) =>
    [80, 90, 95, 100, 105, 110, 120].flatMap((strike, at) =>
      (["call", "put"] as const).map((side): OptionChain.Row => {
        const intrinsic = Math.max(0, side === "call" ? 100 - strike : strike - 100)
        const mid = intrinsic + 6 * Math.exp(-Math.abs(strike - 100) / 20) * Math.sqrt(expiration + 1)
        const dte = [7, 28, 56][expiration]!
        const none = Object.fromEntries(Chains.names.map((name) => [name, null])) as unknown as OptionChain.Row
        const optionSymbol = `XYZ${day}${side === "call" ? "C" : "P"}${String(strike * 1000).padStart(8, "0")}`
        const times = { expiration: noon + 4 * 3600 + dte * 86_400, dte, firstTraded: noon - 86_400, updated: noon }
        const quote = { bid: mid - 0.1, ask: mid + 0.1, mid, underlyingPrice: 100, iv: volatility(strike) }
        const trade = { openInterest: 100 * at + (side === "put" ? 7 : 0), volume: 10 * at }
        return { ...none, optionSymbol, underlying: "XYZ", side, strike, ...times, ...quote, ...trade }
      })
    )
  )

const chartOf = (charts: ReadonlyArray<Chart>, id: string): Chart => charts.find((chart) => chart.id === id)!

const tools = charting()

describe("a page of any chain", () => {
  const any = fc.tuple(Chains.chain, fc.constantFrom(...Object.keys(spoilt)), HostileTexts.terminal)

  it.effect("is HTML without a number that is none, whatever is missing, and no text ends its element", () =>
    Effect.promise(() =>
      forAllAsync({ numRuns: runs(100, 30) }, any, async ([rows, how, text]) => {
        const view = viewOf(decode(rows.map(spoilt[how]!)))
        const said = { ...about, symbol: `</script><img src=x onerror="alert(1)">${text}`, source: "'\"&<b>" }
        const html = await Effect.runPromise(Page.html({ ...view, notes: [...view.notes, said.symbol] }, said))
        assert.deepStrictEqual(problemsOf(html), [])
        const charts = [...view.expirations.flatMap(({ charts }) => charts), ...view.charts]
        const drawn = charts.map((chart) => Result.getOrThrow(Picture.svg(chart, said)) + textOf(chart, 40)).join("")
        const shown = html.replaceAll(/<script>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, "") + drawn
        const printed = ForeignText.line(text)
        assert.notMatch(shown.replaceAll(tools.escape(printed), ""), /NaN|Infinity|undefined/)
        assert.notMatch(html, /<img|<b>/)
        assert.notMatch(html + drawn, /\p{Cc}(?<!\n)/u)
      })
    ))

  it.effect("asks nothing of anybody, and runs no script but its own, which the policy names", function*() {
    const html = yield* Page.html(viewOf(decode(quoted())), about)
    const [, style, script] = /content="default-src 'none'; style-src '(\S+)'; script-src '(\S+)'; [^"]+"/.exec(html)!
    const hashOf = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`
    assert.strictEqual(style, hashOf(/<style>([\s\S]*?)<\/style>/.exec(html)![1]!))
    assert.strictEqual(script, hashOf(/<script>([\s\S]*?)<\/script>/.exec(html)![1]!))
    const own = html.replaceAll("http://www.w3.org/2000/svg", "")
    assert.notMatch(own, /https?:|\ssrc=|@import|url\(|\sstyle=|\son\w+=/)
    assert.lengthOf(html.match(/<script[ >]/g)!, 2)
    // Else a browser that comes back to the page restores which expiration was chosen, over the prices of the first.
    assert.notMatch(html, /<(?:select|input)(?![^>]* autocomplete="off")/)
  })
})

describe("the data of a page", () => {
  const chain = decode(quoted())
  const view = viewOf(chain)

  it("are those of the chain, at their strikes", () => {
    const expirations = view.expirations.map(({ name }) => name)
    assert.deepStrictEqual(expirations, ["2026-11-27 XYZ", "2026-12-18 XYZ", "2027-01-15 XYZ"])
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
    const listed = [...chain].filter(({ side }) => side === "put")
    const puts = listed.reduce((sum, { openInterest }) => sum + openInterest!, 0)
    assert.approximately(view.figures[2]![1]!, puts / (puts - 3 * 7 * 7), 1e-12)
    assert.deepStrictEqual(chartOf(view.charts, "term").series[0]!.points.map(([days]) => days), [7, 28, 56])
  })

  it("name what is computed where the service tells no volatility, and leave gaps where nothing is known", () => {
    const past = viewOf(decode(quoted(() => null)))
    const { notes, series } = chartOf(past.expirations[1]!.charts, "smile")
    assert.include(notes.join(" "), "Computed, because the service tells none")
    assert.include(past.notes.join(" "), "computed from prices")
    assert.isTrue(series.every(({ points }) => points.some(([, iv]) => iv !== null)))
    const none = viewOf(decode(quoted().map(spoilt["without prices"]!)))
    const { points } = chartOf(none.expirations[0]!.charts, "interest").series[0]!
    assert.isAbove(points.length, 0)
    assert.strictEqual(none.spot, null)
  })

  it("name a bid above the ask, and dim what has no bid or is old", () => {
    const rows = quoted().map((row, at) => ({
      ...row,
      ...at === 4 ? { bid: row.ask! + 1 } : at === 7 ? { bid: 0 } : at === 8 ? { updated: noon - 1000 } : {}
    }))
    const { charts, rungs } = viewOf(decode(rows)).expirations[0]!
    const marks = [rungs[2]!.call!.mark, rungs[3]!.put!.mark, rungs[4]!.call!.mark]
    assert.deepStrictEqual(marks, ["crossed", "no bid", "stale"])
    const { notes, series } = chartOf(charts, "smile")
    assert.match(notes.join(" "), /The bid is above the ask of 95 call\./)
    assert.match(notes.join(" "), /Dimmed: 1 quote without a bid\. Dimmed: 1 quote older/)
    assert.deepStrictEqual(series[1]!.points.find(([strike]) => strike === 105)?.[2], 1)
  })
})

describe("what draws", () => {
  it("is whole in its text, which the page runs", () => {
    const again = runInThisContext(`(${charting.toString()})()`) as typeof tools
    for (const chart of viewOf(decode(quoted())).charts) {
      assert.strictEqual(again.draw(chart, 500).svg, tools.draw(chart, 500).svg)
      assert.strictEqual(again.table(chart), tools.table(chart))
    }
    const made = runInThisContext(`(${position.toString()})`) as typeof position
    assert.deepStrictEqual(made(again).straddle([], 1), [])
  })

  it("runs in the page also where a bundler keeps names, as they are or shortened", async () => {
    for (const minify of [false, true]) {
      const options = { keepNames: true, minify }
      const code = await bundleText(import.meta.dirname, `export * from "../src/page/Page.ts"`, options)
      const { html } = await import(`data:text/javascript,${encodeURIComponent(code)}`) as typeof Page
      const page = await Effect.runPromise(html(viewOf(decode(quoted())), about))
      assert.throws(() => runInNewContext(page.split(/<\/?script>/)[2]!), "document is not defined")
    }
  })

  it("breaks a line where a value is missing, hangs bars below zero, and draws as many points as a chart may have", () => {
    const axes = { x: { label: "x", unit: "strike" }, y: { label: "y", unit: "count" } } as const
    const chart = (mark: "line" | "bar"): Chart => {
      const points: ReadonlyArray<Point> = [[0, 0, 0], [1, 1, 0], [2, 4, 0], [3, null, 0], [4, 2, 0], [5, 3, 1]]
      const series = [{ name: "a", tone: "put", mark, down: true, points }] as const
      return { id: "one", title: "one", ...axes, series, rules: [], notes: [] }
    }
    assert.lengthOf(tools.draw(chart("line"), 400).svg.match(/class="line/g)!, 2)
    const bars = [
      ...tools.draw(chart("bar"), 400).svg.matchAll(/class="bar put.*?" .*? y="([\d.]+)" .*?height="([\d.]+)"/g)
    ]
    assert.lengthOf(bars, 4)
    assert.lengthOf(new Set(bars.map(([, y]) => y)), 1)
    assert.approximately(Number(bars[1]![2]) / Number(bars[0]![2]), 4, 0.1)
    const loss: Chart = {
      ...chart("bar"),
      series: [{ ...chart("bar").series[0]!, down: false, points: [[1, -4, 0], [2, 2, 0]] }]
    }
    const [lower, upper] = [...tools.draw(loss, 400).svg.matchAll(/ y="([\d.]+)" width=".*?height="([\d.]+)"/g)]
    assert.approximately(Number(upper![1]) + Number(upper![2]), Number(lower![1]), 0.2)
    assert.include(tools.draw(loss, 400).svg, ">\u22124</text>")
    assert.match(textOf(loss, 60, true), /^[\n -~]*-4[\n -~]*$/)
    const points = Array.from({ length: 10_000 }, (_, at): Point => [at, at, 0, 0, at])
    const series = Array.from("abcde", (name) => ({ ...chart("line").series[0]!, name, points }))
    assert.lengthOf(tools.draw({ ...chart("line"), series }, 400).svg.match(/class="line/g)!, 5)
  })

  it("says at each tick what stands there, however small the values are", () => {
    const ticksOf = (unit: Chart["y"]["unit"], mark: "line" | "bar", ...values: ReadonlyArray<number>) => {
      const points = values.map((y, x): Point => [x, y, 0])
      const chart = chartOf(viewOf(decode(quoted())).charts, "ratio")
      const drawn = { ...chart, y: { label: "y", unit }, series: [{ ...chart.series[0]!, mark, points }] }
      return [
        ...tools.draw(drawn, 560).svg.matchAll(/text-anchor="end">([^<]*)(?=<\/text><line class="(?:grid|axis)")/g)
      ]
        .map(([, text]) => text)
    }
    assert.deepStrictEqual(ticksOf("count", "bar", 0, 1, 2), ["0", "1", "2"])
    assert.deepStrictEqual(ticksOf("ratio", "line", 0.01, 0.03), ["0.01", "0.015", "0.02", "0.025", "0.03"])
    assert.deepStrictEqual(ticksOf("ratio", "bar", 5e-324), ["0"])
    assert.deepStrictEqual(ticksOf("percent", "line", 0.2, 0.2002).slice(0, 2), ["20%", "20.005%"])
    assert.deepStrictEqual(ticksOf("ratio", "line", 10, 10), ["9", "9.5", "10", "10.5", "11"])
    assert.match(tools.draw(named(viewOf(decode(quoted())), "term"), 560).svg, />7<[^]*>14<[^]*>30<\/text>/)
  })

  it("says that there are no values where nothing expires", () => {
    const chart = named(viewOf(decode([])), "smile")
    assert.include(tools.draw(chart, 400).svg, ">no values<")
    assert.strictEqual(textOf(chart, 60), "smile\nno values")
  })

  it("draws in a terminal with letters where it knows no others, at most 110 columns wide", () => {
    const chart = chartOf(viewOf(decode(quoted())).expirations[1]!.charts, "smile")
    assert.match(textOf(chart, 60), /[\u2801-\u28ff]{3}/)
    assert.match(textOf(chart, 60, true), /^[ -~\n]+$/)
    assert.match(textOf(chart, 60, true), /p[\s\S]*c/)
    const widest = (columns: number) => Math.max(...textOf(chart, columns).split("\n").map(({ length }) => length))
    assert.deepStrictEqual([widest(1), widest(60.5), widest(10_000)], [widest(20), 59, 109])
  })

  it("holds no character that XML forbids", () => {
    const chart = chartOf(viewOf(decode(quoted())).charts, "term")
    assert.include(Result.getOrThrow(Picture.svg(chart, { ...about, symbol: "a\ufffe\uffff" })), "a\ufffd\ufffd")
  })

  it("draws as wide as it is asked to", () => {
    const chart = chartOf(viewOf(decode(quoted())).charts, "term")
    const widthOf = (width?: number) =>
      / width="(\d+)"/.exec(Result.getOrThrow(Picture.svg(chart, about, { width })))![1]!
    assert.deepStrictEqual([widthOf(), widthOf(240), widthOf(4096)], ["752", "272", "4128"])
  })
})

describe("callers without types", () => {
  const chain = decode(quoted())
  const view = viewOf(chain)
  const chart = named(view, "smile")
  const refused = (drawn: Result.Result<unknown, InvalidInput>) => Result.getOrThrow(Result.flip(drawn)).message

  /** Anything in place of one field, wherever it lies. */
  const spoil = (value: unknown, path: ReadonlyArray<number>, by: unknown): unknown => {
    if (typeof value !== "object" || value === null || path.length === 0) return by
    const entries = Object.entries(value)
    const [name, field] = entries[path[0]! % entries.length] ?? []
    if (name === undefined) return by
    const put = spoil(field, path.slice(1), by)
    return Array.isArray(value) ? value.with(Number(name), put) : { ...value, [name]: put }
  }
  /** What no picture holds: an element of somebody else, a character that a terminal obeys, what is not a number. */
  const markup = /<b>|\p{Cc}(?<!\n)|="NaN|="undefined/u
  const path = fc.array(fc.nat(30), { maxLength: 6 })
  const any = fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true })
  const anything = fc.oneof(any, fc.constantFrom(NaN, Infinity, 1e300, "<b>", "\u001b[2J", [], {}))

  it.effect("get a picture or an error that is named, whatever they give", () =>
    Effect.promise(() =>
      forAllAsync({ numRuns: runs(300, 60) }, path, anything, async (path, by) => {
        const [oneChart, oneView, oneChain] = [chart, view, { ...chain }].map((value) => spoil(value, path, by))
        const made: ReadonlyArray<Result.Result<unknown, InvalidInput>> = [
          Picture.svg(oneChart as Chart, about),
          Picture.svg(chart, spoil(about, path, by) as About),
          Picture.svg(chart, about, by as never),
          Picture.svg(chart, about, { width: by as never }),
          TextChart.lines(oneChart as Chart, { columns: 60 }),
          TextChart.lines(chart, by as never),
          ChainView.chart(oneView as ChainView.View, "term"),
          ChainView.make(oneChain as ChainView.Chain),
          ChainView.make(chain, { [["at", "rate", "expires", "choosing"][path.length % 4]!]: by }),
          Ladder.make(oneChain as Ladder.Chain),
          await Effect.runPromise(Effect.result(Page.html(oneView as ChainView.View, about)))
        ]
        for (const one of made) {
          if (Result.isFailure(one)) assert.strictEqual(one.failure._tag, "InvalidInput")
          else assert.notMatch(typeof one.success === "string" ? one.success : "", markup)
        }
      })
    ))

  it("are told what is wrong, and what is right", () => {
    const bad = { ...chart, series: [{ ...chart.series[0]!, points: [[1, NaN, 0]] }] } as Chart
    const ofChart = refused(Picture.svg(bad, about))
    assert.match(ofChart, /^chart \{"id":"smile".* must be a chart: .*, e\.g\. ChainView\.chart/)
    assert.match(refused(Picture.svg(chart, about, { width: 10 })), /^width 10 must be a number from 240 to 4096/)
    const ofColumns = refused(TextChart.lines(chart, { columns: 0 }))
    assert.match(ofColumns, /^columns 0 must be a number from 1 to 10000, e\.g\. 80/)
    assert.match(refused(ChainView.chart(view, "smle" as never)), /^name "smle" must be one of smile, interest, /)
    assert.match(refused(ChainView.make({ ...chain, updated: undefined as never })), /^at NaN must be a number from 0/)
    assert.match(refused(ChainView.make(chain, { rate: 4 })), /^rate 4 must be a number/)
    const ofChain = refused(Ladder.make({ length: 1 } as never))
    assert.match(ofChain, /^chain \{"length":1\} must be a chain with its symbols, e/)
    const ofAbout = refused(Picture.svg(chart, { symbol: 1 } as never))
    assert.match(ofAbout, /^about \{"symbol":1\} must have the strings symbol, time and source/)
  })
})

describe("a ladder", () => {
  const ladders = Result.getOrThrow(Ladder.make(decode(quoted())))

  it("has the calls and puts of one root and expiration, the nearest first, and of these that with the most strikes", () => {
    const [first, ...others] = ladders
    assert.deepStrictEqual([first!.root, first!.day, others.length], ["XYZ", 20784, 2])
    assert.deepStrictEqual(first!.rungs[1], { strike: 90, call: 2, put: 3 })
    const more = quoted().slice(0, 4).map((row) => ({ ...row, optionSymbol: row.optionSymbol.replace("XYZ", "ABC") }))
    const both = Result.getOrThrow(Ladder.make(decode([...more, ...quoted()])))
    assert.deepStrictEqual(both.slice(0, 2).map(({ root, rungs }) => [root, rungs.length]), [["XYZ", 7], ["ABC", 2]])
  })

  it("gives strikes around a price, as many as there are", () => {
    const { rungs } = ladders[0]!
    const near = (price: number | undefined, count: number) =>
      Ladder.nearTheMoney(rungs, price, count).map(({ strike }) => strike)
    assert.deepStrictEqual(near(99, 3), [95, 100, 105])
    assert.deepStrictEqual(near(undefined, 1), [100])
    // One strike is the nearest, and of three it stands in the middle, on whichever side of the price it is.
    const strikes = [near(99, 1), near(101, 1), near(101, 3), near(97.5, 1)]
    assert.deepStrictEqual(strikes, [[100], [100], [95, 100, 105], [95]])
    assert.deepStrictEqual([near(1, 2), near(500, 2), near(99, 50).length], [[80, 90], [110, 120], 7])
    assert.deepStrictEqual([Ladder.nearestTo(rungs, 97)?.strike, Ladder.nearestTo([], 97)], [95, undefined])
    for (const none of [NaN, null, "97"] as Array<never>) {
      assert.throws(() => Ladder.nearestTo(rungs, none), /price .* must be a number of dollars/)
      assert.throws(() => Ladder.nearestTo(none, 97), /rungs .* must be the rungs of a ladder/)
      assert.throws(() => Ladder.nearTheMoney(rungs, 97, none), /count .* must be a number of strikes/)
    }
  })

  it("has a straddle at the money by quotes that can be gone by", () => {
    const of = (rows: Chains.Rows, root = "XYZ") => Ladder.straddle(decode(rows), { ...ladders[0]!, root }, 100, noon)
    assert.approximately(of(quoted())!.price, 12, 1e-9)
    assert.strictEqual(of(quoted())!.strike, 100)
    assert.isUndefined(of(quoted(), "XYZ1"))
    for (const how of ["without bids", "crossed", "without prices"]) {
      assert.isUndefined(of(quoted().map(spoilt[how]!)), how)
    }
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
    forAll({ numRuns: runs(300) }, fc.array(leg, { minLength: 1, maxLength: 4 }), (legs) => {
      const { notes, series } = payoff(legs, [0, 400], 100)
      for (const [at, gain] of series[0]!.points) assert.approximately(gain!, worth(legs, at), 0.01)
      const even = [.../Breaks even at (.*)\.$/.exec(notes.at(-1)!)?.[1]!.matchAll(/[\d,]+\.\d\d/g) ?? []]
      for (const [text] of even) assert.approximately(worth(legs, Number(text.replaceAll(",", ""))), 0, 5)
      const most = Math.max(...Array.from({ length: 1000 }, (_, at) => worth(legs, at)))
      const told = /Gains at most (?:\$([\d,.]+)|without a limit), /.exec(notes[1]!)?.[1]
      if (told !== undefined) assert.isAtLeast(Number(told.replaceAll(",", "")) + 0.01, most)
    })
  })
})

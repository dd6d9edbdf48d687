import { Kernel, OptionChain } from "@effect-marketdata/core"
import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { ChainLanes, ChainScan, Day } from "../src/chain/chainScan.ts"
import { layout, typescriptScan, wasmScan } from "../src/chain/chainScan.ts"
import { body, columns, noon } from "./support/chains.ts"
import { isFull, runs, seed } from "./support/depth.ts"
import * as Random from "./support/random.ts"

/** The day on which the lanes below are quoted. */
const day: Day = { begins: noon - 43_200, ends: noon + 43_200, number: 20_777 }

/** ChainLanes["lanes"] in which all rows agree: calls and puts by turns, expiring on the day of the quote or a week later. */
const agreeing = (rows: number): ChainLanes => {
  const of = (value: (row: number) => number) => Float64Array.from({ length: rows }, (_, row) => value(row))
  const isPut = (row: number) => (row & 1) === 1
  const week = (row: number) => (row >> 1) & 1
  // One of them is the price of the underlying, which is not in the money.
  const strike = (row: number) => 90 + (row % 41) / 2
  const intrinsic = (row: number) => Math.max(0, isPut(row) ? strike(row) - 100 : 100 - strike(row))
  const series = [0, 1].flatMap((week) =>
    [0, 1].flatMap((put) => [noon + 14_400 + week * 604_800, day.number + week * 7, put, 1 - 2 * put])
  )
  return {
    length: rows,
    codes: Uint8Array.from({ length: rows }, (_, row) => week(row) * 2 + Number(isPut(row))),
    lanes: {
      thousandths: Int32Array.from({ length: rows }, (_, row) => strike(row) * 1000),
      strike: of(strike),
      side: Uint8Array.from({ length: rows }, (_, row) => Number(isPut(row))),
      expiration: of((row) => noon + 14_400 + week(row) * 604_800),
      updated: of(() => noon),
      dte: of((row) => week(row) * 7),
      bid: of((row) => intrinsic(row) + 1),
      ask: of((row) => intrinsic(row) + 2),
      mid: of((row) => intrinsic(row) + 1.5),
      underlyingPrice: of(() => 100),
      inTheMoney: Uint8Array.from({ length: rows }, (_, row) => Number(intrinsic(row) > 0)),
      intrinsicValue: of(intrinsic),
      extrinsicValue: of(() => 1.5)
    },
    series: Float64Array.from(series)
  }
}

const names = Object.keys(agreeing(0).lanes) as ReadonlyArray<keyof ChainLanes["lanes"]>

type Optional = Exclude<keyof ChainLanes["lanes"], "thousandths" | "updated">

/** The lanes that a chain may be without. */
const optional = names.filter((name): name is Optional => name !== "thousandths" && name !== "updated")

/** The rows at which a scan stops. */
const stops = (scan: ChainScan, { length }: ChainLanes, from = 0): ReadonlyArray<number> => {
  const rows: Array<number> = []
  for (let row = scan(from, day); row < length; row = scan(row + 1, day)) rows.push(row)
  return rows
}

const wasm = (lanes: ChainLanes): ChainScan => {
  const scan = wasmScan(lanes)
  assert.isDefined(scan)
  return scan
}

it("lies in memory where the source of its loop says", () => {
  const source = readFileSync(join(import.meta.dirname, "../assembly/chain/layout.ts"), "utf8")
  const constants = [...source.matchAll(/export const (\w+): usize = (\d+)$/gm)].map((
    [, name, value]
  ) => [name, Number(value)])
  const { codes, lanes, rows, series } = layout
  const layouts = Object.fromEntries(constants)
  assert.deepStrictEqual(layouts, { ROWS: rows, CODES: codes, LANES: lanes, SERIES: series, SERIES_BYTES: 32 })
})

it("stops at no row where all agree, whatever their number", () => {
  for (const rows of [0, 1, 2, 511, 512, 1023, 1024, 1025, 2047, 2048, 2049, 3000]) {
    const lanes = agreeing(rows)
    assert.deepStrictEqual(stops(wasm(lanes), lanes), [], `${rows} rows, WebAssembly`)
    assert.deepStrictEqual(stops(typescriptScan(lanes), lanes), [], `${rows} rows, TypeScript`)
  }
})

it("[2.1-mid] [2.1-dte] [2.1-moneyness] stops at a row in which any one column deviates, first, last and between", () => {
  const rows = 2049
  for (const scanOf of [wasm, typescriptScan]) {
    for (const row of isFull ? [0, 1, 1023, 1024, 2047, 2048] : [0, 1023, 1024, 2048]) {
      for (const name of names) {
        const lanes = agreeing(rows)
        const values = lanes.lanes[name]!
        // Far off, further into the money for the price of the underlying; the other one where there are two.
        const by = (name === "thousandths" ? 1000 : 86_400) * (row % 2 === 0 ? 1 : -1)
        values[row] = values instanceof Uint8Array ? 1 - values[row]! : values[row]! + by
        assert.deepStrictEqual(stops(scanOf(lanes), lanes), [row], `${name}, row ${row}`)
      }
    }
  }
})

it(`WebAssembly and TypeScript stop at the same rows (seed ${seed})`, () => {
  const random = Random.make(seed)
  for (let trial = 0; trial < runs(300); trial++) {
    const { codes, lanes, length, series } = agreeing(random.below(2600))
    const dropped: Partial<Record<Optional, undefined>> = {}
    for (const name of optional) if (random.chance(0.1)) dropped[name] = undefined
    const changed: ChainLanes["lanes"] = { ...lanes, ...dropped }
    for (let change = random.below(12); change > 0; change--) {
      const lane = changed[random.pick(names)]
      const row = random.below(length)
      if (lane === undefined || row >= lane.length) continue
      const by = random.pick([NaN, 0, 0.004, 0.005, 0.006, 0.0099, 0.01, 0.011, -0.011, 1, 86_400, -86_400, 1e300])
      lane[row] = lane instanceof Uint8Array ? random.below(2) : lane[row]! + by
    }
    if (random.chance(0.1)) series.fill(Infinity, 0, 1)
    if (random.chance(0.1)) series.fill(NaN, 1, 2)
    const content: ChainLanes = { codes, lanes: changed, length, series }
    const from = random.chance(0.5) ? 0 : random.below(length + 1)
    const expected = stops(typescriptScan(content), content, from)
    assert.deepStrictEqual(stops(wasm(content), content, from), expected, `trial ${trial} of seed ${seed}`)
  }
})

it("[2.1-mid] a large chain has the same findings by either kernel, those of several days among them", () => {
  const rows = 2500
  const { dte, mid, updated } = columns(rows)
  const changed = {
    updated: updated.map((instant, row) => (row >= 1300 && row < 1310 ? Number(instant) - 86_400 : instant)),
    dte: dte.map((days, row) => (row >= 1300 && row < 1309 ? 1 : days)),
    mid: mid.map((price, row) => (row % 700 === 699 ? Number(price) + 1 : price))
  }
  const findings = (kernel: Kernel.Kernel) =>
    Result.getOrThrow(OptionChain.decode(body(rows, changed), { kernel })).findings
  const expected = findings(Kernel.typescript)
  const counts = expected.map(({ code, count }) => [code, count])
  assert.deepStrictEqual(counts, [["MidMismatch", 3], ["DteMismatch", 1], ["MoneynessMismatch", 3]])
  assert.deepStrictEqual(findings(Kernel.fastest), expected)
})

it("chains that are compared by turns, in steps, are found to deviate where each does", () => {
  const chain = agreeing(1000)
  for (const row of [10, 500]) chain.lanes.thousandths[row] = 1
  const [scan, other] = [chain, agreeing(1000)].map((lanes) => wasmScan(lanes)!)
  assert.deepStrictEqual([scan!(0, day), other!(0, day), scan!(11, day)], [10, 1000, 500])
})

it("takes more series than one page of memory holds", () => {
  const rows = 6000
  const lanes = agreeing(rows)
  const many: ChainLanes = {
    ...lanes,
    codes: Uint16Array.from({ length: rows }, (_, row) => row),
    series: Float64Array.from({ length: rows * 4 }, (_, at) => lanes.series[lanes.codes[at >> 2]! * 4 + (at & 3)]!)
  }
  assert.deepStrictEqual(stops(wasm(many), many), [])
  many.series[4 * 5999] = 0
  assert.deepStrictEqual(stops(wasm(many), many), [5999])
})

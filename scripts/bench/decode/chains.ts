/** The replies to decode: chains of the sandbox's market, which hold to the contract in every row. */
import { CalendarDate, ColumnTable, NewYork, OptionChain } from "@effect-marketdata/core"
import * as Market from "@effect-marketdata/sandbox/Market"
import * as Result from "effect/Result"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const friday = CalendarDate.parseUnsafe("2026-11-20")

/** SPX at noon of a Friday, and as often as it takes at noon of the days before. */
const snapshots = function*() {
  const market = Market.make({ seed: 1 })
  for (let day = friday;; day = CalendarDate.addDays(day, -1)) {
    if (market.endOfDay("SPX", day) !== undefined) yield market.chain("SPX", NewYork.at(day, 12, 0))!
  }
}

/** A chain with this many contracts. */
export const chain = (contracts: number): OptionChain.OptionChain => {
  const parts: Array<OptionChain.OptionChain> = []
  let rows = 0
  for (const snapshot of snapshots()) {
    parts.push(snapshot)
    rows += snapshot.length
    if (rows >= contracts) break
  }
  return ColumnTable.slice(ColumnTable.merge(OptionChain.spec, parts), 0, contracts)
}

/** Greeks with all the digits that a double has. */
const withLongGreeks = (body: string): string => {
  const fields: Record<string, unknown> = JSON.parse(body)
  for (const name of ["iv", "delta", "gamma", "theta", "vega"]) {
    const elements = fields[name]
    if (Array.isArray(elements)) fields[name] = elements.map((value: number) => value * (1 + Math.PI * 1e-7))
  }
  return JSON.stringify(fields)
}

/** Lays the reply of the largest chain out in a folder, and returns its path. */
export const layOutLargest = (folder: string): string => {
  const path = join(folder, "22718.json")
  writeFileSync(path, ColumnTable.encode(chain(22_718)))
  return path
}

/** The replies by name. */
export const bodies = (): ReadonlyMap<string, string> => {
  const largest = ColumnTable.encode(chain(22_718))
  const bodies = new Map([
    ["92", ColumnTable.encode(chain(92))],
    ["2000", ColumnTable.encode(chain(2000))],
    ["22718", largest],
    ["22718-17-digit-greeks", withLongGreeks(largest)],
    ["200000", ColumnTable.encode(chain(200_000))]
  ])
  for (const [name, body] of bodies) {
    const { findings } = Result.getOrThrow(OptionChain.decode(body))
    if (findings.length > 0) throw new Error(`${name} deviates from the contract: ${JSON.stringify(findings[0])}`)
  }
  return bodies
}

import * as DataMode from "@effect-marketdata/core/DataMode"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { hostileText } from "./support/arbitraries.ts"
import { forAll, trials } from "./support/depth.ts"

it("[8.2-modes] parameter names each mode as the service does", () => {
  const modes = [DataMode.live, DataMode.delayed, DataMode.cached(), DataMode.eod, DataMode.historical]
  assert.deepStrictEqual(modes.map(DataMode.parameter), ["live", "delayed", "cached", "eod", "historical"])
})

describe("fromParameter", () => {
  it("[8.2-modes] takes cache and stale for cached", () => {
    const tags = ["cached", "cache", "stale", "live", "delayed"].map((value) => DataMode.fromParameter(value)?._tag)
    assert.deepStrictEqual(tags, ["Cached", "Cached", "Cached", "Live", "Delayed"])
  })

  it("[8.2-modes] knows no other mode", () => {
    const known = new Set(["live", "delayed", "cached", "cache", "stale"])
    const other = fc.oneof(hostileText, fc.constantFrom("", "LIVE", "Cached", " live", "realtime", "historical"))
    forAll(trials(8_2), other.filter((value) => !known.has(value)), (value) => {
      assert.isUndefined(DataMode.fromParameter(value))
    })
  })
})

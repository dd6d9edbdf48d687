import * as DataMode from "@effect-marketdata/core/DataMode"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { hostileText } from "./support/arbitraries.ts"
import { trials } from "./support/depth.ts"

describe("DataMode", () => {
  describe("parameter", () => {
    it("[8.2-modes] names each mode as the service does", () => {
      assert.strictEqual(DataMode.parameter(DataMode.live), "live")
      assert.strictEqual(DataMode.parameter(DataMode.delayed), "delayed")
      assert.strictEqual(DataMode.parameter(DataMode.cached()), "cached")
      assert.strictEqual(DataMode.parameter(DataMode.eod), "eod")
      assert.strictEqual(DataMode.parameter(DataMode.historical), "historical")
    })

    it("[8.3-fallback] asks for cached data first where live data may follow", () => {
      assert.strictEqual(DataMode.parameter(DataMode.cachedOrLive({ maxAge: "5 minutes" })), "cached")
    })
  })

  describe("fromParameter", () => {
    it("[8.2-modes] takes cache and stale for cached", () => {
      for (const value of ["cached", "cache", "stale"]) {
        assert.strictEqual(DataMode.fromParameter(value)?._tag, "Cached")
      }
      assert.strictEqual(DataMode.fromParameter("live")?._tag, "Live")
      assert.strictEqual(DataMode.fromParameter("delayed")?._tag, "Delayed")
    })

    it("[8.2-modes] is the inverse of parameter", () => {
      for (const mode of [DataMode.live, DataMode.delayed, DataMode.cached()]) {
        assert.deepStrictEqual(DataMode.fromParameter(DataMode.parameter(mode)), mode)
      }
    })

    it("[8.2-modes] knows no other mode", () => {
      const known = new Set(["live", "delayed", "cached", "cache", "stale"])
      const other = fc.oneof(hostileText, fc.constantFrom("", "LIVE", "Cached", " live", "realtime", "historical"))
      fc.assert(
        fc.property(other.filter((value) => !known.has(value)), (value) => {
          assert.isUndefined(DataMode.fromParameter(value))
        }),
        trials(8_2)
      )
    })
  })

  describe("fromParameter of the public service", () => {
    it("knows two modes more, and the contract's all the same", () => {
      assert.deepStrictEqual(DataMode.fromParameter("eod", "public"), DataMode.eod)
      assert.deepStrictEqual(DataMode.fromParameter("historical", "public"), DataMode.historical)
      assert.deepStrictEqual(DataMode.fromParameter("stale", "public"), DataMode.cached())
      assert.isUndefined(DataMode.fromParameter("eod"))
      assert.isUndefined(DataMode.fromParameter("realtime", "public"))
    })
  })

  describe("isCached", () => {
    it("tells the modes that begin with a cached request", () => {
      const modes = [
        DataMode.cached(),
        DataMode.cachedOrLive(),
        DataMode.live,
        DataMode.delayed,
        DataMode.eod,
        undefined
      ]
      assert.deepStrictEqual(modes.map(DataMode.isCached), [true, true, false, false, false, false])
    })
  })

  describe("cached and cachedOrLive", () => {
    it("[4.1-maxage-cached-only] keep the greatest age they are given, and have none otherwise", () => {
      assert.strictEqual(DataMode.cached({ maxAge: "1h" }).maxAge, "1h")
      assert.strictEqual(DataMode.cachedOrLive({ maxAge: "1h" }).maxAge, "1h")
      assert.isUndefined(DataMode.cached().maxAge)
      assert.isUndefined(DataMode.cachedOrLive().maxAge)
      assert.isFalse("maxAge" in DataMode.live)
      assert.isFalse("maxAge" in DataMode.delayed)
    })
  })
})

import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Expiration from "@effect-marketdata/core/Expiration"
import { assert, describe, it } from "@effect/vitest"

const expiration = { year: 2026, month: 11, day: 20 }

describe("Expiration", () => {
  describe("underlyingOf", () => {
    it("[2.3-format] takes the digit of an adjusted option away, and nothing else", () => {
      assert.strictEqual(Expiration.underlyingOf("AAPL1"), "AAPL")
      for (const root of ["AAPL", "A1B2", "AB1C", "AB12", "1AB1"]) {
        assert.strictEqual(Expiration.underlyingOf(root), root)
      }
    })

    it("[2.3-format] knows the weekly roots of indexes, and classes of shares", () => {
      const roots = ["SPXW", "XSPW", "NDXP", "RUTW", "DJXW", "VIXW", "BRKA", "BRKB"]
      const underlyings = ["SPX", "XSP", "NDX", "RUT", "DJX", "VIX", "BRK.A", "BRK.B"]
      assert.deepStrictEqual(roots.map(Expiration.underlyingOf), underlyings)
    })
  })

  describe("instant", () => {
    it("is 16:00 in New York, for indexes 16:15", () => {
      assert.strictEqual(Expiration.instant({ root: "AAPL", expiration }), NewYork.at(expiration, 16, 0))
      for (const root of ["SPX", "SPXW", "XSP", "NDX", "XND", "RUT", "MRUT", "DJX", "OEX", "XEO", "VIX", "RVX"]) {
        assert.strictEqual(Expiration.instant({ root, expiration }), NewYork.at(expiration, 16, 15), root)
      }
    })

    it("goes by the caller's indexes", () => {
      const indexes = new Set(["AAPL"])
      assert.strictEqual(Expiration.instant({ root: "AAPL1", expiration }, indexes), NewYork.at(expiration, 16, 15))
      assert.strictEqual(Expiration.instant({ root: "SPXW", expiration }, indexes), NewYork.at(expiration, 16, 0))
    })
  })
})

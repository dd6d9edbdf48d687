import * as Expiration from "@effect-marketdata/core/Expiration"
import { assert, describe, it } from "@effect/vitest"

describe("underlyingOf", () => {
  it("[2.3-format] takes the digit of an adjusted option away, and nothing else", () => {
    assert.strictEqual(Expiration.underlyingOf("AAPL1"), "AAPL")
    for (const root of ["AAPL", "A1B2", "AB1C", "AB12", "1AB1"]) assert.strictEqual(Expiration.underlyingOf(root), root)
  })

  it("[2.3-format] knows the weekly roots of indexes, and classes of shares", () => {
    const roots = ["SPXW", "XSPW", "NDXP", "RUTW", "DJXW", "VIXW", "BRKA", "BRKB", "BRKB1"]
    const underlyings = ["SPX", "XSP", "NDX", "RUT", "DJX", "VIX", "BRK.A", "BRK.B", "BRK.B"]
    assert.deepStrictEqual(roots.map(Expiration.underlyingOf), underlyings)
  })
})

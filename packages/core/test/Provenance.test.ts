import * as Provenance from "@effect-marketdata/core/Provenance"
import { assert, describe, it } from "@effect/vitest"

const provenance: Provenance.Provenance = {
  status: 200,
  source: "provider",
  modeAsked: undefined,
  modeSent: undefined,
  updated: undefined,
  receivedAt: 1_795_208_400,
  requestId: undefined
}

describe("Provenance", () => {
  describe("format", () => {
    it("says what answered, and in which mode it was asked", () => {
      assert.strictEqual(
        Provenance.format(provenance),
        "the upstream provider (status 200), asked in the plan's own mode"
      )
      assert.strictEqual(
        Provenance.format({ ...provenance, status: 203, source: "cache", modeAsked: "Live", modeSent: "live" }),
        "the service's cache (status 203), asked as live"
      )
    })

    it("tells live data after a cached miss from a cached hit", () => {
      assert.strictEqual(
        Provenance.format({ ...provenance, modeAsked: "CachedOrLive", modeSent: "live" }),
        "the upstream provider (status 200), asked as live after a cached miss"
      )
      assert.strictEqual(
        Provenance.format({
          ...provenance,
          status: 203,
          source: "cache",
          modeAsked: "CachedOrLive",
          modeSent: "cached"
        }),
        "the service's cache (status 203), asked as cached"
      )
    })
  })
})

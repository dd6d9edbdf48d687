import type * as ChainSize from "@effect-marketdata/core/ChainSize"
import * as SizeLaws from "@effect-marketdata/testing/SizeLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

/** The same sizes, changed. */
const changed = (
  seen: ChainSize.Seen,
  change: (size: ChainSize.ChainSize) => ChainSize.ChainSize
): ChainSize.Seen => ({ ...seen, sizes: seen.sizes.map(change) })

describe("SizeLaws", () => {
  const { core } = SizeLaws

  it("of finds bounds that are too low, too high, or hold for too long", () => {
    assertAllBroken({
      "the strikes of one side": SizeLaws.of({ ...core, most: (query, seen) => Math.ceil(core.most(query, seen) / 2) }),
      "nothing bounds": SizeLaws.of({ ...core, most: () => Infinity }),
      "a size holds for ever": SizeLaws.of({
        ...core,
        most: (query, seen) => core.most(query, changed(seen, (size) => ({ ...size, seenAt: seen.now })))
      }),
      "an expired size comes back after a day": SizeLaws.of({
        ...core,
        most: (query, { now, sizes }) =>
          sizes.some(({ seenAt }) => now - seenAt > 2 * 86_400) ? 1 : core.most(query, { now, sizes })
      }),
      "a size raises a bound": SizeLaws.of({
        ...core,
        most: (query, seen) => core.most(query, seen) + seen.sizes.length
      }),
      "filters are not compared": SizeLaws.of({
        ...core,
        most: (query, seen) => core.most(query, changed(seen, (size) => ({ ...size, filters: { expiration: "all" } })))
      })
    })
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Modules from "./modules.ts"

const paths = [
  "packages/core/src/credits/tariff.ts",
  "packages/core/src/account/Account.ts",
  "packages/core/src/columns/internal/skip.ts",
  "packages/core/src/chain/chainScanModule.ts",
  "packages/client/src/internal/retry.ts"
]

describe("modules", () => {
  it("are those of every package, but for loops and what is compiled", () => {
    assert.deepStrictEqual(Modules.choose(paths, []), {
      packages: {
        client: ["packages/client/src/internal/retry.ts"],
        core: ["packages/core/src/account/Account.ts", "packages/core/src/credits/tariff.ts"]
      }
    })
  })

  it("are chosen by package or by name", () => {
    assert.deepStrictEqual(Modules.choose(paths, ["client", "core/credits/tariff"]), {
      packages: {
        client: ["packages/client/src/internal/retry.ts"],
        core: ["packages/core/src/credits/tariff.ts"]
      }
    })
    assert.strictEqual(Modules.nameOf("packages/client/src/internal/retry.ts"), "client/internal/retry")
  })

  it("are no others", () => {
    assert.deepStrictEqual(Modules.choose(paths, ["core", "tariff", "core/columns/internal/skip"]), {
      unknown: ["tariff", "core/columns/internal/skip"]
    })
  })
})

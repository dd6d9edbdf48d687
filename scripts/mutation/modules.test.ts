import { assert, it } from "@effect/vitest"
import * as Modules from "./modules.ts"

const [tariff, account, retry] = [
  "packages/core/src/credits/tariff.ts",
  "packages/core/src/account/Account.ts",
  "packages/client/src/internal/retry.ts"
]
const paths = [tariff, account, "packages/core/src/columns/internal/skip.ts", retry]

it.each([
  ["all of every package, but for loops", [], { packages: { client: [retry], core: [account, tariff] } }],
  ["a package and a module", ["client", "core/credits/tariff"], { packages: { client: [retry], core: [tariff] } }],
  [
    "what there is not",
    ["core", "tariff", "core/columns/internal/skip"],
    { unknown: ["tariff", "core/columns/internal/skip"] }
  ]
])("the modules to change: %s", (_, names, chosen) => assert.deepStrictEqual(Modules.choose(paths, names), chosen))

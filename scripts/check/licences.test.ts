import { assert, describe, it } from "@effect/vitest"
import { parse } from "./dependencies.ts"
import * as Licences from "./licences.ts"

const lockfile = (licences: Readonly<Record<"a" | "b" | "tool", string | undefined>>) =>
  parse(
    "package-lock.json",
    JSON.stringify({
      packages: {
        "": { devDependencies: { tool: "1.0.0" } },
        "packages/core": { version: "0.1.0", peerDependencies: { a: "1.0.0" } },
        "node_modules/core": { resolved: "packages/core", link: true },
        "node_modules/a": { version: "1.0.0", license: licences.a, dependencies: { b: "1.0.0" } },
        "node_modules/b": { version: "1.0.0", license: licences.b },
        "node_modules/tool": { version: "1.0.0", license: licences.tool, dependencies: { b: "1.0.0" } }
      }
    })
  )

const refused = (licences: Parameters<typeof lockfile>[0]) => Licences.refused(Licences.list([lockfile(licences)]))

describe("licences", () => {
  it("tells what comes along with a package, its peers included, from the tools", () => {
    const packages = Licences.list([lockfile({ a: "MIT", b: "ISC", tool: "MPL-2.0" })])
    assert.deepStrictEqual(packages.map(({ name, use }) => `${name} ${use}`), [
      "a published",
      "b published",
      "tool tool"
    ])
    assert.deepStrictEqual(Licences.refused(packages), [])
    assert.include(Licences.page(packages), "- **ISC** (1): `b` 1.0.0")
  })

  it("refuses a licence that is not allowed, and a package that names none", () => {
    assert.match(
      refused({ a: "MIT", b: "GPL-3.0-only", tool: "MIT" }).join(),
      /^b 1\.0\.0 has the licence GPL-3\.0-only/
    )
    assert.match(refused({ a: "MIT", b: "MIT", tool: undefined }).join(), /^tool 1\.0\.0 has no licence/)
  })

  it("allows of a tool what it refuses of a package that users install", () => {
    assert.match(
      refused({ a: "MIT", b: "MPL-2.0", tool: "MPL-2.0" }).join("\n"),
      /^b 1\.0\.0 has the licence MPL-2\.0[^\n]*$/
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { parse } from "./dependencies.ts"
import { inspect } from "./lockfile.ts"

const integrity = "sha512-AAAA"

const inspected = (packages: object, manifest?: object) =>
  inspect(parse("package-lock.json", JSON.stringify({ packages }), JSON.stringify(manifest ?? {})))

describe("lockfile", () => {
  it("takes a lockfile in which every package has its hash, and is there", () => {
    assert.deepStrictEqual(
      inspected({
        "": { devDependencies: { a: "1.0.0" } },
        "packages/core": { dependencies: { b: "^2.0.0" } },
        "node_modules/core": { resolved: "packages/core", link: true },
        "node_modules/a": { version: "1.0.0", integrity, optionalDependencies: { "@a/darwin": "1.0.0" } },
        "node_modules/@a/darwin": { version: "1.0.0", integrity, optional: true },
        "node_modules/b": { version: "2.3.0", integrity, dependencies: { a: "0.9.0" } },
        "node_modules/b/node_modules/a": { version: "0.9.0", integrity }
      }),
      []
    )
  })

  it("refuses a package without a hash, or with a weak one", () => {
    assert.deepStrictEqual(
      inspected({
        "node_modules/a": { version: "1.0.0" },
        "node_modules/b": { version: "1.0.0", integrity: "sha1-AAAA" }
      }),
      [
        "package-lock.json: node_modules/a has no integrity: what is downloaded is compared with nothing",
        "package-lock.json: node_modules/b has an integrity that is not SHA-512"
      ]
    )
  })

  it("refuses an address, and does not repeat it", () => {
    const [problem = "", ...others] = inspected({
      "node_modules/a": { version: "1.0.0", integrity, resolved: "https://registry.example/a.tgz" }
    })
    assert.match(problem, /^package-lock\.json: node_modules\/a names an address/)
    assert.notInclude(problem, "registry.example")
    assert.deepStrictEqual(others, [])
  })

  it("refuses a package that runs a program when it is installed, unless it is forbidden to", () => {
    const packages = { "node_modules/a": { version: "1.0.0", integrity, hasInstallScript: true } }
    assert.match(inspected(packages).join("\n"), /^package-lock\.json: node_modules\/a runs a program[^\n]*$/)
    assert.deepStrictEqual(inspected(packages, { allowScripts: { a: false } }), [])
    assert.lengthOf(inspected(packages, { allowScripts: { a: true } }), 1)
  })

  it("refuses a build for another system that is left out, or of another version, as `npm ci` does", () => {
    const a = { version: "1.0.0", integrity, optionalDependencies: { "a-darwin": "1.0.0" } }
    const refusal =
      "package-lock.json: node_modules/a needs a-darwin 1.0.0, which is left out: `npm ci` refuses wherever the registry has it"
    assert.deepStrictEqual(inspected({ "node_modules/a": a }), [refusal])
    assert.deepStrictEqual(
      inspected({ "node_modules/a": a, "node_modules/a-darwin": { version: "0.9.0", integrity } }),
      [refusal]
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { audited, type Lockfile, looseEnds, refusedLicences } from "./dependencies.ts"

const integrity = "sha512-AAAA"
const path = "package-lock.json"

describe("lockfile", () => {
  it("takes a lockfile in which every package has its hash, and is there", () => {
    const packages = {
      "": { devDependencies: { a: "1.0.0" } },
      "packages/core": { dependencies: { b: "^2.0.0" } },
      "node_modules/core": { resolved: "packages/core", link: true },
      "node_modules/a": { version: "1.0.0", integrity, optionalDependencies: { "@a/darwin": "1.0.0" } },
      "node_modules/@a/darwin": { version: "1.0.0", integrity, optional: true },
      "node_modules/b": { version: "2.3.0", integrity, dependencies: { a: "0.9.0" } },
      "node_modules/b/node_modules/a": { version: "0.9.0", integrity }
    }
    assert.deepStrictEqual(looseEnds({ path, packages }), [])
  })

  const a = { version: "1.0.0", integrity }
  const withDarwin = { ...a, optionalDependencies: { "a-darwin": "1.0.0" } }
  it.each<[string, Lockfile["packages"], string]>([
    ["a package without a hash", { "node_modules/a": { version: "1.0.0" } }, "node_modules/a has no SHA-512"],
    ["a weak hash", { "node_modules/a": { ...a, integrity: "sha1-AAAA" } }, "node_modules/a has no SHA-512"],
    ["an address", { "node_modules/a": { ...a, resolved: "https://registry.example" } }, "a names an address"],
    ["a program at installation", { "node_modules/a": { ...a, hasInstallScript: true } }, "a runs a program"],
    ["a build left out", { "node_modules/a": withDarwin }, "a needs a-darwin 1.0.0, which is left out"]
  ])("refuses %s", (_, packages, says) => {
    const [problem = "", ...others] = looseEnds({ path, packages })
    assert.include(problem, says)
    assert.notInclude(problem, "registry.example")
    assert.deepStrictEqual(others, [])
  })

  it("allows a program that is forbidden to run", () => {
    const packages = { "node_modules/a": { ...a, hasInstallScript: true } }
    assert.lengthOf(looseEnds({ path, packages, allowScripts: { a: true } }), 1)
    assert.deepStrictEqual(looseEnds({ path, packages, allowScripts: { a: false } }), [])
  })
})

it.each<[licence: string | undefined, dev: boolean, file: string, says: string]>([
  ["MIT", false, path, ""],
  ["MPL-2.0", true, path, ""],
  ["MPL-2.0", false, `scripts/bench/${path}`, ""],
  ["MPL-2.0", false, path, "a 1.0.0 has the licence MPL-2.0, which is not allowed of a package that comes along"],
  ["GPL-3.0-only", true, path, "a 1.0.0 has the licence GPL-3.0-only, which is not allowed of a tool"],
  [undefined, true, path, "a 1.0.0 has the licence none, which"]
])("the licence %s, of a tool: %s, in %s: %s", (license, dev, file, says) => {
  const packages = { "node_modules/a": { version: "1.0.0", dev, ...license && { license } } }
  assert.strictEqual(refusedLicences({ path: file, packages }).join().slice(0, says.length || undefined), says)
})

it("vulnerabilities are what npm reports; where it reports nothing, nothing is known", () => {
  assert.isUndefined(audited({ ok: true, stdout: "found 0 vulnerabilities\n" }))
  assert.include(audited({ ok: false, stdout: "a  <1.2.3\n\n1 high severity vulnerability\n" }), "a  <1.2.3")
  assert.strictEqual(audited({ ok: false, stdout: "" }), "unknown")
})

import { assert, describe, it } from "@effect/vitest"
import { read } from "./vulnerabilities.ts"

describe("vulnerabilities", () => {
  it("reads a report, each advisory once", () => {
    const advisory = { title: "Prototype pollution", url: "https://example.com/GHSA-1" }
    const report = {
      vulnerabilities: {
        a: { name: "a", severity: "high", range: "<1.2.3", via: [advisory] },
        b: { name: "b", severity: "high", range: "*", via: ["a"] }
      }
    }
    assert.deepStrictEqual(read(JSON.stringify(report)), {
      known: ["a <1.2.3: high, Prototype pollution (https://example.com/GHSA-1)"]
    })
    assert.deepStrictEqual(read(`{ "vulnerabilities": {} }`), { known: [] })
  })

  it("says that nothing is known where the registry has no advisories, and not which registry it is", () => {
    const refusal = { message: "405 Method Not Allowed - POST https://registry.example/-/npm/v1/audit", error: {} }
    assert.deepStrictEqual(read(JSON.stringify(refusal)), {
      unknown: "the registry in use gives no advisories (405 Method Not Allowed)"
    })
    assert.deepStrictEqual(read(`{ "error": { "code": "ENOTFOUND", "summary": "" } }`), {
      unknown: "the registry in use gives no advisories"
    })
    assert.deepStrictEqual(read(""), { unknown: "`npm audit` gave no report" })
  })
})

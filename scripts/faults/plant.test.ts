import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { stripTypeScriptTypes } from "node:module"
import * as Plant from "./plant.ts"

/** The exports of a module, run. */
const run = (text: string): Promise<Readonly<Record<string, unknown>>> =>
  import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(text))}`)

const plant = (source: string, name: string, broken: string) =>
  Plant.plant(source, { name, broken: `(${broken})`, prelude: `import "node:assert"` })

const planted = (source: string, name: string, broken: string) => run(Result.getOrThrow(plant(source, name, broken)))

/** Ten modules, each with an edit of it that changes nothing; `seen` is what the module exports as `result`, sound and broken. */
const modules = [
  {
    what: "a renamed local",
    source: "export const double = (count: number): number => { const twice = count * 2; return twice }",
    edited: "export const double = (count: number): number => { const product = count * 2; return product }",
    result: "double(2)",
    name: "double",
    broken: "(double) => (count) => double(count) + 1",
    seen: [4, 5]
  },
  {
    what: "a swapped comparison",
    source: "export const isNewer = (a: number, b: number): boolean => a > b",
    edited: "export const isNewer = (a: number, b: number): boolean => b < a",
    result: "isNewer(2, 1)",
    name: "isNewer",
    broken: "(isNewer) => (a, b) => isNewer(b, a)",
    seen: [true, false]
  },
  {
    what: "an extracted function",
    source: "export const cost = (rows: number) => Math.max(1, Math.ceil(rows / 1000))",
    edited:
      "const thousands = (rows: number) => Math.ceil(rows / 1000)\nexport const cost = (rows: number) => Math.max(1, thousands(rows))",
    result: "cost(0)",
    name: "cost",
    broken: "(cost) => (rows) => rows === 0 ? 0 : cost(rows)",
    seen: [1, 0]
  },
  {
    what: "a use within the module",
    source: "export const limit = 500\nexport const fits = (count: number) => count <= limit",
    edited: "export const limit = 5 * 100\nexport const fits = (count: number) => !(count > limit)",
    result: "fits(501)",
    name: "limit",
    broken: "() => 501",
    seen: [false, true]
  },
  {
    what: "a record, and another order of its fields",
    source: `export const row = { path: "/v1/", cached: false } as const`,
    edited: `export const row = { cached: false, path: "/v1/" } as const`,
    result: "row.cached",
    name: "row",
    broken: "(row) => ({ ...row, cached: true })",
    seen: [false, true]
  },
  {
    what: "an annotation with overloads",
    source:
      "export const add: { (b: number): (a: number) => number; (a: number, b: number): number } = /* @__PURE__ */ ((...n: Array<number>) => n.length > 1 ? n[0]! + n[1]! : (a: number) => a + n[0]!) as any",
    edited:
      "export const add: {\n  (b: number): (a: number) => number\n  (a: number, b: number): number\n} = ((...given: Array<number>) => given.length === 1 ? (a: number) => a + given[0]! : given[0]! + given[1]!) as any",
    result: "add(1, 2)",
    name: "add",
    broken: "(add) => (...n) => -add(...n)",
    seen: [3, -3]
  },
  {
    what: "a generic function with an interface of its name",
    source: "export interface only<A> { readonly _: A }\nexport const only = <A>(all: ReadonlyArray<A>): A => all[0]!",
    edited:
      "export interface only<A> { readonly _: A }\nexport const only = <A>([first]: ReadonlyArray<A>): A => { return first! }",
    result: "only([7, 8])",
    name: "only",
    broken: "() => (all) => all.at(-1)",
    seen: [7, 8]
  },
  {
    what: "a function that is called before it is declared",
    source:
      "export const early = sum(1, 2)\nexport function sum(a: number, b: number): number\nexport function sum(a: number, b: number) { return a + b }",
    edited:
      "export const early = sum(1, 2)\nexport function sum(a: number, b: number): number\nexport function sum(a: number, b: number) { const all = b + a; return all }",
    result: "early",
    name: "sum",
    broken: "(sum) => (a, b) => sum(a, b) * 10",
    seen: [3, 30]
  },
  {
    what: "a class",
    source: "export class Purse { credits() { return 1 } }\nexport class Empty extends Purse {}",
    edited:
      "export class Purse { credits(): number { const one = 1; return one } }\nexport class Empty extends Purse {}",
    result: "new Empty().credits()",
    name: "Purse",
    broken: "(Purse) => class extends Purse { credits() { return super.credits() + 1 } }",
    seen: [1, 2]
  },
  {
    what: "one of several constants, which is not exported",
    source: "const most = 2, least = 1\nexport const range = [least, most].join()",
    edited: "const least = 1, most = 2\nexport const range = `${least},${most}`",
    result: "range",
    name: "most",
    broken: "(most) => most + 1",
    seen: ["1,2", "1,3"]
  }
] as const

describe("plant", () => {
  it.each(modules)("stands after an edit that changes nothing: $what", async ({ broken, name, seen, ...texts }) => {
    const { edited, result, source } = texts
    for (const text of [source, edited]) {
      const whole = `${text}\nexport const result = ${result}\n`
      assert.strictEqual((await run(whole))["result"], seen[0])
      assert.strictEqual((await planted(whole, name, broken))["result"], seen[1])
    }
  })

  it("leaves every line where it is", () => {
    const source = "// first\nexport const a = 1\n\nexport const b = 2\n"
    const lines = Result.getOrThrow(plant(source, "a", "() => 2")).split("\n")
    assert.deepStrictEqual(lines.length, source.split("\n").length)
    assert.strictEqual(lines[3], "export const b = 2")
  })

  it("says what cannot be planted", () => {
    const complaint = (source: string) =>
      Result.match(plant(source, "a", "() => 2"), { onFailure: (reason) => reason, onSuccess: () => "planted" })
    assert.strictEqual(complaint("export const b = () => { const a = 1; return a }"), "it declares no a")
    assert.strictEqual(complaint("export interface a {}\nexport type b = a"), "it declares no a")
    assert.notInclude(["planted", "it declares no a"], complaint("export const a = ("))
  })
})

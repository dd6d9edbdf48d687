import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { stripTypeScriptTypes } from "node:module"
import * as Plant from "./plant.ts"

/** The exports of a module, run. */
const run = (text: string): Promise<Readonly<Record<string, unknown>>> =>
  import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(text))}`)

const plant = (source: string, name: string, broken: string) =>
  Plant.plant(source, { name, broken: `(${broken})`, prelude: `import "node:assert"` })

/** Modules, each with an edit of it that changes nothing; `seen` is what `result` comes to, sound and broken. */
const modules = [
  {
    what: "a swapped comparison of a constant that the module uses itself",
    source: "export const limit = 500\nexport const fits = (count: number) => count <= limit",
    edited: "export const limit = 5 * 100\nexport const fits = (count: number) => limit >= count",
    result: "fits(501)",
    name: "limit",
    broken: "() => 501",
    seen: [false, true]
  },
  {
    what: "an extracted function behind one with an interface of its name",
    source: "export interface only<A> { readonly _: A }\nexport const only = <A>(all: ReadonlyArray<A>): A => all[0]!",
    edited:
      "interface only<A> { readonly _: A }\nconst of = <A>([a]: ReadonlyArray<A>): A => a!\nexport const only = of",
    result: "only([7, 8])",
    name: "only",
    broken: "() => (all) => all.at(-1)",
    seen: [7, 8]
  },
  {
    what: "a function that is called before it is declared",
    source:
      "export const early = sum(1)\nexport function sum(a: number): number\nexport function sum(a: any) { return a }",
    edited: "export const early = sum(1)\nexport function sum(a: number) { const all = a; return all }",
    result: "early",
    name: "sum",
    broken: "(sum) => (a) => sum(a) * 10",
    seen: [1, 10]
  },
  {
    what: "a class",
    source: "export class Purse { credits() { return 1 } }\nexport class Empty extends Purse {}",
    edited: "export class Purse { credits() { const one = 1; return one } }\nexport class Empty extends Purse {}",
    result: "new Empty().credits()",
    name: "Purse",
    broken: "(Purse) => class extends Purse { credits() { return super.credits() + 1 } }",
    seen: [1, 2]
  }
] as const

describe("plant", () => {
  it.each(modules)("stands after an edit that changes nothing: $what", async ({ broken, name, seen, ...texts }) => {
    for (const text of [texts.source, texts.edited]) {
      const whole = `${text}\nexport const result = ${texts.result}\n`
      assert.strictEqual((await run(whole))["result"], seen[0])
      assert.strictEqual((await run(Result.getOrThrow(plant(whole, name, broken))))["result"], seen[1])
    }
  })

  it("leaves every line where it is", () => {
    const source = "// first\nexport const a = 1\n\nexport const b = 2\n"
    const lines = Result.getOrThrow(plant(source, "a", "() => 2")).split("\n")
    assert.deepStrictEqual(lines.length, source.split("\n").length)
    assert.strictEqual(lines[3], "export const b = 2")
  })

  it("says what cannot be planted", () => {
    const complaint = (source: string) => Result.getOrThrow(Result.flip(plant(source, "a", "() => 2")))
    assert.strictEqual(complaint("export const b = () => { const a = 1; return a }"), "it declares no a")
    assert.strictEqual(complaint("export interface a {}\nexport type b = a"), "it declares no a")
    assert.notInclude(complaint("export const a = ("), "declares")
  })
})

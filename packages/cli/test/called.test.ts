import { assert, it } from "@effect/vitest"
import { runInNewContext } from "node:vm"
import { marked } from "../called.ts"

it("what is called stands in parentheses, functions that are declared before all else, and nothing else is changed", () => {
  const code = `const one = (a) => [a].map((b) => b), two = async function() {}
const three = { four() {}, get five() { return (c) => c } }
function six() { return () => 6 }
function seven() {}
`
  const called = [
    "(a) => [a].map((b) => b)",
    "(b) => b",
    "async function() {}",
    "() {}",
    "function six() { return () => 6 }",
    "() => 6"
  ]
  const places = new Set(called.map((text) => `${code.indexOf(text)}-${code.indexOf(text) + text.length}`))
  assert.strictEqual(
    marked(code, places),
    "var six=(function () { return (() => 6) });\n" + code.replace("function six() { return () => 6 }", "")
      .replace("(b) => b", "((b) => b)")
      .replace("(a) => [a].map(((b) => b))", "((a) => [a].map(((b) => b)))")
      .replace("async function() {}", "(async function() {})")
  )
})

it("methods and functions within functions are as they were, and stand in parentheses", () => {
  const code = `class Base { four() { return 4 } }
class Own extends Base {
  one(a) { return [a, ((b) => b + 1)(a)] }
  static two() { return Own.name }
  get three() { return 3 }
  four() { return super.four() + 1 }
  *[Symbol.iterator]() { yield inner(); function inner() { return 6 } }
}
const object = { seven() { return this.eight }, eight: 8, async nine() {}, get ten() { return 10 } }
const own = new Own()
const told = (it) => Object.entries(Object.getOwnPropertyDescriptors(it)).map(([name, { enumerable, value }]) => [name, enumerable, value?.name]).sort()
JSON.stringify([own.one(1), Own.two(), own.three, own.four(), [...own], object.seven(), told(Own.prototype), told(object)])`
  const places = Array.from(code, (_, start) => Array.from(code, (_, end) => `${start}-${end}`)).flat()
  const text = marked(code, new Set(places))
  assert.strictEqual(runInNewContext(text), runInNewContext(code))
  for (const one of ["one:(function(a)", "two:(function()", "seven:(function()", "nine:(async function()"]) {
    assert.include(text, one)
  }
  for (const one of ["[Symbol.iterator]:(function*()", "let inner=(function ()", "four() { return super"]) {
    assert.include(text, one)
  }
})

import { assert, it } from "@effect/vitest"
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

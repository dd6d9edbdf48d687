import { assert, it } from "@effect/vitest"
import { marked } from "../called.ts"

it("expressions that are called stand in parentheses, and nothing else is changed", () => {
  const code = `const one = (a) => [a].map((b) => b), two = async function() {}
const three = { four() {}, get five() { return (c) => c } }
function six() {}
`
  const called = ["(a) => [a].map((b) => b)", "(b) => b", "async function() {}", "() {}", "function six() {}"]
  const places = new Set(called.map((text) => `${code.indexOf(text)}-${code.indexOf(text) + text.length}`))
  assert.strictEqual(
    marked(code, places),
    code.replace("(b) => b", "((b) => b)")
      .replace("(a) => [a].map(((b) => b))", "((a) => [a].map(((b) => b)))")
      .replace("async function() {}", "(async function() {})")
  )
})

import { assert, describe, it } from "@effect/vitest"
import { picture, plain } from "./support/picture.ts"

const drawn = (shown: string, columns = 20) =>
  [
    ...picture(shown, columns).matchAll(
      /<text x="(\d+)" y="(\d+)" textLength="(\d+)"(?: style="([^"]*)")?>(.*)<\/text>/g
    )
  ]
    .map(([, x, y, length, style = "", text]) => ({ x: Number(x), y: Number(y), length: Number(length), style, text }))

describe("the picture of a session", () => {
  it("has each piece in its place, and in the colour of its meaning", () => {
    const [call, put, next] = drawn("\u001b[36mcall\u001b[0m  put\nnext")
    assert.deepInclude(call, { x: 14, length: 32, style: "fill:#76e3ea", text: "call" })
    assert.deepInclude(put, { x: 14 + 4 * 8, length: 40, style: "", text: "  put" })
    assert.strictEqual(next!.y - call!.y, 18)
    assert.strictEqual(plain("\u001b[36mcall\u001b[0m  put\nnext"), "call  put\nnext")
  })

  it("goes on in the next row where a line is longer than the terminal", () => {
    assert.deepStrictEqual(drawn("abc\u001b[1mdefgh\u001b[0m", 5).map(({ text, x, y }) => [text, x, y - 27]), [
      ["abc", 14, 0],
      ["de", 38, 0],
      ["fgh", 14, 18]
    ])
  })

  it("shows what means something to XML", () => {
    assert.strictEqual(drawn("a < b && c")[0]!.text, "a &lt; b &amp;&amp; c")
  })
})

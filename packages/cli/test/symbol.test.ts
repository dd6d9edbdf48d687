/** `marketdata symbol`, as its user sees it. */
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as OptionSymbols from "@effect-marketdata/testing/OptionSymbols"
import { assert, describe, it } from "@effect/vitest"
import { Stream } from "effect"
import * as fc from "fast-check"
import { runs } from "../../core/test/support/depth.ts"
import { printed } from "./support/printed.ts"

it("symbol parse reads standard input, a symbol in each line", async () => {
  for (const given of [[], ["-"]]) {
    const { code, out } = await printed(["symbol", "parse", ...given, "--format", "csv"], {
      input: "AAPL261120C00150000\r\n\nSPXW  261120P06500500\n"
    })
    assert.strictEqual(code, 0)
    const symbols = out.split("\n").slice(1).map((line) => line.slice(0, 19))
    assert.deepStrictEqual(symbols, ["AAPL261120C00150000", "SPXW261120P06500500"])
  }
})

it("symbol parse reads no endless input", async () => {
  const stdin = Stream.forever(Stream.succeed(new Uint8Array(2 ** 24)))
  const { code, errors } = await printed(["symbol", "parse"], { stdin })
  assert.strictEqual(code, 2)
  assert.match(errors, /standard input is larger than 32 MiB: pipe/)
})

/** What is proposed for each text. */
const proposals = async (texts: ReadonlyArray<string>): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const { out } = await printed(["symbol", "explain", "--json"], { input: texts.join("\n") })
  const { symbols } = JSON.parse(out)
  assert.strictEqual(symbols.length, texts.length)
  return symbols.map(({ meant = [] }: { meant?: ReadonlyArray<string> }) => meant)
}

describe("what was probably meant", () => {
  it("never breaks, and proposes nothing but symbols", async () => {
    const words = fc.constantFrom(..."AAPL BRK.B 11/20/26 261120 Nov 150 $1.5 call C P _ 20 '".split(" "))
    const texts = fc.oneof(fc.string({ maxLength: 80 }), fc.array(words, { maxLength: 9 }).map((all) => all.join(" ")))
      .map((text) => text.replaceAll(/[\r\n]/g, " ").trim()).filter((text) => text !== "")
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 100 }), async (texts) => {
        for (const symbol of (await proposals(texts)).flat()) {
          assert.strictEqual(OptionSymbol.format(OptionSymbol.parseUnsafe(symbol)), symbol)
        }
      }),
      { seed: 1, numRuns: runs(30, 4) }
    )
  })

  it("finds every symbol again, written in lower case or as words", async () => {
    const plain = OptionSymbols.optionSymbol.filter(({ root }) => !/\d/.test(root))
    await fc.assert(
      fc.asyncProperty(fc.array(plain, { minLength: 1, maxLength: 100 }), async (symbols) => {
        const expected = symbols.map(OptionSymbol.format)
        const small = await proposals(expected.map((symbol) => symbol.toLowerCase()))
        assert.deepStrictEqual(small.map(([first]) => first), expected)
        const inWords = await proposals(
          symbols.map(({ expiration: { day, month, year }, root, side, strike }) =>
            `${root} ${month}/${day}/${year} ${strike} ${side}`
          )
        )
        assert.deepStrictEqual(inWords.map(([first]) => first), expected)
      }),
      { seed: 1, numRuns: runs(10, 2) }
    )
  })
})

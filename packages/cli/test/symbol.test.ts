/** `marketdata symbol`, as its user sees it. */
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as OptionSymbols from "@effect-marketdata/testing/OptionSymbols"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { runs } from "../../core/test/support/depth.ts"
import { marketdata, printed } from "./support/printed.ts"

const stdinOf = (text: string) => Stream.make(new TextEncoder().encode(text))

describe("symbol parse", () => {
  it("[2.3-format] prints the parts of several symbols in every format", async () => {
    const symbols = ["symbol", "parse", "AAPL261120C00150000", "SPXW  261120P06500500"]
    assert.match((await printed(symbols)).out, /^SPXW261120P06500500 +SPXW +SPX +2026-11-20 +put +6500\.5 /m)
    assert.strictEqual(
      (await printed([...symbols, "--format", "csv"])).out,
      "symbol,root,underlying,expiration,side,strike,padded\n" +
        "AAPL261120C00150000,AAPL,AAPL,2026-11-20,call,150,AAPL  261120C00150000\n" +
        "SPXW261120P06500500,SPXW,SPX,2026-11-20,put,6500.5,SPXW  261120P06500500"
    )
    const { symbols: parsed, version } = JSON.parse((await printed([...symbols, "--json"])).out)
    assert.strictEqual(version, 1)
    assert.deepStrictEqual(parsed[1], {
      symbol: "SPXW261120P06500500",
      root: "SPXW",
      underlying: "SPX",
      expiration: "2026-11-20",
      side: "put",
      strike: 6500.5,
      padded: "SPXW  261120P06500500"
    })
    const lines = (await printed([...symbols, "--format", "jsonl"])).out.split("\n")
    assert.deepStrictEqual(lines.map((line) => JSON.parse(line)), parsed)
  })

  it("reads standard input, a symbol in each line", async () => {
    for (const given of [[], ["-"]]) {
      const { code, out } = await printed(["symbol", "parse", ...given, "--format", "csv"], {
        stdin: stdinOf("AAPL261120C00150000\r\n\nSPXW  261120P06500500\n")
      })
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(out.split("\n").slice(1).map((line) => line.slice(0, 19)), [
        "AAPL261120C00150000",
        "SPXW261120P06500500"
      ])
    }
  })

  it("prints what is a symbol, and fails by the first that is none", async () => {
    const { code, errors, out } = await printed(["symbol", "parse", "AAPL", "AAPL261120C00150000", "1"])
    assert.strictEqual(code, 2)
    assert.include(out, "AAPL261120C00150000")
    assert.strictEqual(
      errors,
      "error: \"AAPL\" is not an OCC option symbol; it looks like a ticker. Expected e.g. AAPL261218C00150000. 1 more are wrong.\n" +
        "       see why with `marketdata symbol explain`"
    )
  })

  it("says how it is used where nothing is given", async () => {
    const { code, errors } = await printed(["symbol", "parse"], { stdin: Stream.empty })
    assert.strictEqual(code, 2)
    assert.match(errors, /^error: there is no symbol: name one or more, or pipe them in/)
  })
})

describe("symbol format", () => {
  const parts = ["symbol", "format", "--root", "SPXW", "--expiration", "2026-11-20", "--side", "put"]

  it("[2.3-strike-tenth] makes a symbol of its parts, padded too", async () => {
    assert.strictEqual((await printed([...parts, "--strike", "6500.5"])).out, "SPXW261120P06500500")
    assert.strictEqual((await printed([...parts, "--strike", "6500.5", "--padded"])).out, "SPXW  261120P06500500")
  })

  it("[2.3-strike-fraction] refuses what no symbol can hold, by the rule", async () => {
    const { code, errors, out } = await printed([...parts, "--strike", "0.0001"])
    assert.strictEqual(out, "")
    assert.strictEqual(errors, "error: strike \"0.0001\" must have at most 3 decimals, e.g. 32.25.")
    assert.strictEqual(code, 2)
  })
})

describe("symbol explain", () => {
  it.effect("says what each part is and where, counted from 1, and shows the padding", () =>
    Effect.gen(function*() {
      const { code, out } = yield* marketdata("symbol explain SPXW261120P06500500")
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(out.split("\n").map((line) => line.trimEnd()), [
        "SPXW261120P06500500",
        "part        position  text      value       meaning",
        "root               1  SPXW      SPXW        the underlying is most likely SPX",
        "expiration         5  261120    2026-11-20  Friday; it expires at 2026-11-20 16:15:00 EST",
        "side              11  P         put         the right to sell",
        "strike            12  06500500  6500.5      dollars, written as thousandths in eight digits",
        "padded to 21 characters (OSI): \"SPXW  261120P06500500\""
      ])
    }))

  it.effect("names no time where an index option may be settled at the open", () =>
    Effect.gen(function*() {
      for (const root of ["SPX", "NDX", "RUT", "VIX", "VIXW"]) {
        const { out } = yield* marketdata(`symbol explain ${root}261218C00500000`)
        assert.include(out, "may be settled at the open, and then last trades a session before", root)
        assert.notInclude(out, "16:15", root)
      }
    }))

  it.effect("says of a contract that it has expired, and of an adjusted one that it is adjusted", () =>
    Effect.gen(function*() {
      const { out } = yield* marketdata("symbol explain AAPL251218C00150000 AAPL1261218C00150000")
      assert.include(out, "Thursday; it expired at 2025-12-18 16:00:00 EST")
      assert.include(out, "adjusted: the underlying is most likely AAPL")
      assert.include(out, "Friday; it expires at 2026-12-18 16:00:00 EST")
    }))

  it("shows the blanks of a padded symbol as a part", async () => {
    const { symbols: [{ parts }] } = JSON.parse(
      (await printed(["symbol", "explain", "F     261127C00012000", "--json"])).out
    )
    assert.deepStrictEqual(parts[1], {
      part: "padding",
      position: 2,
      text: "     ",
      value: 5,
      meaning: "blanks that fill the root to six characters"
    })
    assert.strictEqual(parts.map(({ text }: { text: string }) => text).join(""), "F     261127C00012000")
  })

  it("says of a day without trading that it is none", async () => {
    const { out } = await printed(["symbol", "explain", "AAPL261126C00150000"])
    assert.match(
      out,
      /Thursday; no trading day \(Thanksgiving.*\); probably meant AAPL261125C00150000, the session before/
    )
    const saturday = await printed(["symbol", "explain", "AAPL261219C00150000", "AAPL130119C00150000"])
    assert.include(saturday.out, "Saturday; no trading day; probably meant AAPL261218C00150000")
    // In those years monthly options had the Saturday as expiration.
    assert.notInclude(saturday.out, "AAPL130118C00150000")
  })

  it("[2.3-bad-strike-padding] marks what is wrong, says why, and what was probably meant", async () => {
    const { code, errors, out } = await printed(["symbol", "explain", "AAPL261120C150"])
    assert.deepStrictEqual(out.split("\n"), [
      "AAPL261120C150",
      "           ^^^",
      "its strike \"150\" at position 12 is not padded to eight digits: " +
      "00150000 is 150 dollars, 00000150 is 0.15 dollars",
      "probably meant: AAPL261120C00150000  AAPL 2026-11-20 call 150",
      "or:             AAPL261120C00000150  AAPL 2026-11-20 call 0.15"
    ])
    assert.strictEqual(
      errors,
      "error: \"AAPL261120C150\" is not an option symbol\n       did you mean AAPL261120C00150000?"
    )
    assert.strictEqual(code, 2)
  })

  it("puts together again the words of one contract that the shell took apart", async () => {
    const { errors } = await printed(["symbol", "explain", "AAPL", "11/20/26", "150", "call"])
    assert.include(errors, "did you mean AAPL261120C00150000?")
  })

  it("explains each of several symbols", async () => {
    const { out } = await printed(["symbol", "explain", "AAPL261120C00150000", "AAPL261120X00150000", "--json"])
    const { symbols } = JSON.parse(out)
    assert.deepStrictEqual(symbols.map(({ valid }: { valid: boolean }) => valid), [true, false])
    assert.deepStrictEqual(symbols[1].meant, ["AAPL261120C00150000", "AAPL261120P00150000"])
  })
})

/** What is proposed for each text. */
const proposals = async (texts: ReadonlyArray<string>): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const { out } = await printed(["symbol", "explain", "--json"], { stdin: stdinOf(texts.join("\n")) })
  const { symbols } = JSON.parse(out)
  assert.strictEqual(symbols.length, texts.length)
  return symbols.map(({ meant = [] }: { meant?: ReadonlyArray<string> }) => meant)
}

describe("what was probably meant", () => {
  const guesses: Readonly<Record<string, string>> = {
    "AAPL 11/20/26 150 call": "AAPL261120C00150000",
    "aapl261120c150": "AAPL261120C00150000 AAPL261120C00000150",
    "AAPL20261120C00150000": "AAPL261120C00150000",
    ".AAPL261120C150": "AAPL261120C00150000 AAPL261120C00000150",
    "O:AAPL261120C00150000": "AAPL261120C00150000",
    "AAPL_112026C150": "AAPL261120C00150000 AAPL261120C00000150",
    "BRK.B261120C00150000": "BRKB261120C00150000",
    "AAPL Nov 20 2026 150 Call": "AAPL261120C00150000",
    "Nov 20 '26 AAPL $150 C": "AAPL261120C00150000",
    "20NOV26 AAPL 150P": "AAPL261120P00150000",
    "AAPL 20-Nov-2026 C 152.5": "AAPL261120C00152500",
    "AAPL 11/12/26 150C": "AAPL261112C00150000 AAPL261211C00150000",
    "C 11/20/26 60 C": "C261120C00060000",
    "P 11/20/26 60 put": "P261120P00060000",
    "spx 12/18/26 6500": "SPX261218C06500000 SPX261218P06500000",
    "AAPL261131C00150000": "",
    "AAPL26121C00150000": "AAPL261218C00150000",
    "AAPL 150 call": "",
    "strike": ""
  }
  for (const [text, expected] of Object.entries(guesses)) {
    it(`${text}: ${expected === "" ? "nothing is likely" : expected}`, async () => {
      assert.deepStrictEqual(await proposals([text]), [expected.split(" ").filter((symbol) => symbol !== "")])
    })
  }

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

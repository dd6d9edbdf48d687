import { assert, describe, it } from "@effect/vitest"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Effect from "effect/Effect"
import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { marketdata } from "./support/printed.ts"

const names = Object.keys(OptionChain.spec)

/** Runs in a folder of its own. */
const inFolder = <A, E, R>(use: (folder: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempDisposableSync(join(tmpdir(), "save-"))),
    ({ path }) => use(path),
    (folder) => Effect.sync(() => folder.remove())
  )

describe("--output", () => {
  it.effect("saves the table in the format that the file's name ends with, and prints no data", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const begins = {
          parquet: "PAR1",
          arrow: "ARROW1",
          csv: "optionSymbol,underlying,",
          jsonl: "{\"optionSymbol\":"
        }
        for (const [suffix, beginning] of Object.entries(begins)) {
          const file = join(folder, `chain.${suffix}`)
          const done = yield* marketdata(`chain AAPL --mode cached -o ${file}`)
          assert.deepStrictEqual([done.code, done.out], [0, ""])
          assert.match(done.errors, /saved: +.*chain\.\w+, [\d,]+ rows, [\d.]+ [kM]?B/)
          assert.include(done.errors, "charge:")
          assert.strictEqual(readFileSync(file, "latin1").slice(0, beginning.length), beginning)
        }
        const computed = join(folder, "computed.csv")
        assert.strictEqual((yield* marketdata(`chain AAPL --mode cached --computed -o ${computed}`)).code, 0)
        assert.match(readFileSync(computed, "utf8"), /^optionSymbol,.*,updated.*,ivComputed,.*,reason\r\n/)
        const many = join(folder, "quotes.csv")
        assert.strictEqual((yield* marketdata(`stock prices AAPL MSFT --output ${many}`)).code, 0)
        assert.match(readFileSync(many, "utf8"), /^symbol,mid,.*\r\nAAPL,.*\r\nMSFT,/)
      })
    ))

  it.effect("writes times with the offset of New York or in seconds, where they are written as text", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const file = join(folder, "candles.jsonl")
        const timeOf = Effect.fnUntraced(function*(flags: string) {
          assert.strictEqual((yield* marketdata(`stock candles AAPL --columns t -o ${file} ${flags}`)).code, 0)
          return readFileSync(file, "utf8")
        })
        assert.strictEqual(yield* timeOf(""), `{"t":"2026-11-20T00:00:00-05:00"}\n`)
        assert.strictEqual(yield* timeOf("--times iso"), `{"t":"2026-11-20T00:00:00-05:00"}\n`)
        assert.strictEqual(yield* timeOf("--times epoch"), `{"t":1795150800}\n`)
        for (
          const flags of [`-o ${join(folder, "candles.parquet")}`, "--format json", "", "--watch 1s --format jsonl"]
        ) {
          const refused = yield* marketdata(`quote AAPL261218C00350000 --times iso ${flags}`)
          assert.strictEqual(refused.code, 2)
          assert.include(refused.errors, "--times is of csv and jsonl alone")
        }
      })
    ))

  it.effect("saves a saved reply, too", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        const [reply, file] = [join(folder, "reply.json"), join(folder, "chain.csv")]
        writeFileSync(reply, JSON.stringify({ s: "ok", ...Object.fromEntries(names.map((name) => [name, []])) }))
        const done = yield* marketdata(`chain --reply ${reply} -o ${file}`)
        assert.deepStrictEqual([done.code, done.out], [0, ""], done.errors)
        assert.strictEqual(readFileSync(file, "utf8"), `${names.join()}\r\n`)
      })
    ))

  it.effect("refuses before it sends what it could not save", () =>
    inFolder((folder) =>
      Effect.gen(function*() {
        for (
          const [line, said] of [
            [`chain AAPL --mode cached -o ${join(folder, "chain.xls")}`, "must end with the name of a format"],
            [`chain AAPL --mode cached -o ${join(folder, "none", "chain.csv")}`, "no file can be written in"],
            [`expirations AAPL -o ${join(folder, "days.csv")}`, "is no table"],
            [
              `chain AAPL --mode cached --watch 1s --budget 5 -o ${join(folder, "chain.csv")}`,
              "--watch shows what changes"
            ]
          ] as const
        ) {
          const failed = yield* marketdata(line)
          assert.strictEqual(failed.code, 2, failed.errors)
          assert.include(failed.errors, said)
          assert.notInclude(failed.errors, "charge:")
        }
        assert.deepStrictEqual(readdirSync(folder), [])
      })
    ))
})

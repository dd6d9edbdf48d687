/** One process of the bench: writes the chain of a file in a format, against `JSON.parse` of its reply. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Arrow from "@effect-marketdata/export/Arrow"
import * as Csv from "@effect-marketdata/export/Csv"
import * as JsonLines from "@effect-marketdata/export/JsonLines"
import * as Parquet from "@effect-marketdata/export/Parquet"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { answer } from "../worker.ts"
import { written } from "./written.ts"

const [, path = "", milliseconds] = process.argv.slice(2)
const text = readFileSync(path, "utf8")
const chain = Result.getOrThrow(OptionChain.decode(text))

const write = (encode: typeof Arrow.encode) => () =>
  written(text, () => Result.getOrThrow(encode(chain)), Number(milliseconds))

await answer({
  arrow: write(Arrow.encode),
  parquet: write(Parquet.encode),
  csv: write(Csv.encode),
  jsonl: write(JsonLines.encode)
})

/**
 * One process of the bench: writes the chain of a file in a format, against `JSON.parse` of its reply. Others' libraries begin with the arrays of the
 * reply; parquet-wasm begins with a table of Arrow. Both are loaded where they are measured.
 */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import { Arrow, Csv, JsonLines, Parquet } from "@effect-marketdata/export"
import { Record, Result } from "effect"
import { readFileSync } from "node:fs"
import type { Written } from "../export.ts"
import { growth } from "../memory.ts"
import { paired, processor } from "../statistics.ts"
import { answer } from "../worker.ts"

const [, path = "", milliseconds] = process.argv.slice(2)
const text = readFileSync(path, "utf8")

/** Writes what was read of a reply once, and then again and again, against `JSON.parse` of it. */
const written = async (encode: () => Uint8Array): Promise<Written> => {
  let bytes = 0
  const memory = await growth(() => bytes = encode().length)
  const parse = () => JSON.parse(text)
  const clock = await paired(parse, encode, Number(milliseconds))
  return { clock, processor: await paired(parse, encode, Number(milliseconds), 0, processor), bytes, memory }
}

const ours = (encode: typeof Arrow.encode) => () => {
  const chain = Result.getOrThrow(OptionChain.decode(text))
  return written(() => Result.getOrThrow(encode(chain)))
}

/** Gives Arrow numbers and booleans in typed arrays, which it takes as they are; plain arrays it would copy element by element. */
const typed = (elements: ReadonlyArray<unknown>, name: string) => {
  if (name === "inTheMoney") return Uint8Array.from(elements, (element) => element === true ? 1 : 0)
  if (typeof elements[0] === "string") return elements
  return Float64Array.from(elements, (element) => typeof element === "number" ? element : NaN)
}

/** What apache-arrow makes of the chain: a file, or a stream for others. */
const ofArrow = async () => {
  const { tableFromArrays, tableToIPC } = await import("apache-arrow")
  const { s: _, ...columns }: Readonly<Record<string, ReadonlyArray<unknown>>> = JSON.parse(text)
  return (as: "file" | "stream") => tableToIPC(tableFromArrays(Record.map(columns, typed)), as)
}

await answer({
  arrow: ours(Arrow.encode),
  parquet: ours(Parquet.encode),
  csv: ours(Csv.encode),
  jsonl: ours(JsonLines.encode),
  "apache-arrow": async () => {
    const encode = await ofArrow()
    return await written(() => encode("file"))
  },
  "parquet-wasm": async () => {
    const { Compression, Table, WriterPropertiesBuilder, writeParquet } = await import("parquet-wasm")
    const encode = await ofArrow()
    const zstd = () => new WriterPropertiesBuilder().setCompression(Compression.ZSTD).build()
    return await written(() => writeParquet(Table.fromIPCStream(encode("stream")), zstd()))
  }
})

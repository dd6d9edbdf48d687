/** The same chain by others' libraries, from the arrays of its reply: apache-arrow, and parquet-wasm, which begins with a table of Arrow. */
import { tableToIPC } from "apache-arrow"
import * as Parquet from "parquet-wasm"
import { readFileSync } from "node:fs"
import { type Columns, toArrow } from "../others.ts"
import { answer } from "../worker.ts"
import { written } from "./written.ts"

const [, path = "", milliseconds] = process.argv.slice(2)
const text = readFileSync(path, "utf8")
const columns: Columns = JSON.parse(text)

const write = (encode: (columns: Columns) => Uint8Array) => () =>
  written(text, () => encode(columns), Number(milliseconds))

/** What parquet-wasm writes with, as ours does. */
const zstd = () => new Parquet.WriterPropertiesBuilder().setCompression(Parquet.Compression.ZSTD).build()

await answer({
  "apache-arrow": write((columns) => tableToIPC(toArrow(columns), "file")),
  "parquet-wasm": write((columns) =>
    Parquet.writeParquet(Parquet.Table.fromIPCStream(tableToIPC(toArrow(columns), "stream")), zstd())
  )
})

/** `npm run readers`: tables of every endpoint, written in each format, as the libraries of others read them back. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import { Columns, Dataset, Export } from "@effect-marketdata/export"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Record, Result, Stream } from "effect"
import * as fc from "fast-check"
import { deepStrictEqual } from "node:assert"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Tables from "../packages/export/test/support/tables.ts"
import { chain } from "./bench/decode/chains.ts"
import * as Apart from "./shared/apart.ts"
import * as Command from "./shared/command.ts"
import { temporaryFolder } from "./shared/files.ts"
import * as Script from "./shared/script.ts"

/** Columns as another library reads them. */
type Found = Readonly<Record<string, { readonly type: string; readonly values: ReadonlyArray<unknown> }>>

interface Reader {
  readonly suffix: string
  readonly read: (file: string, types: Readonly<Record<string, string>>) => Found | Promise<Found>
}

type Types = Readonly<Record<Columns.Type, string>>

/** What each type of a column is to DuckDB, to Arrow and to Polars. */
const types: Readonly<Record<Columns.Type, readonly [duckdb: string, arrow: string, polars: string]>> = {
  text: ["VARCHAR", "Utf8", "String"],
  category: ["VARCHAR", "Dictionary<Int32, Utf8>", "String"],
  boolean: ["BOOLEAN", "Bool", "Bool"],
  time: ["TIMESTAMP WITH TIME ZONE", "Timestamp<SECOND, America/New_York>", "Datetime(ms,UTC)"],
  integer: ["INTEGER", "Int32", "Int32"],
  decimal: ["DECIMAL(9,3)", "Decimal[9e+3]", "Decimal(9,3)"],
  number: ["DOUBLE", "Float64", "Float64"]
}
const ofLibrary = (at: 0 | 1 | 2): Types => Record.map(types, (names) => names[at])
const [duckdb, arrow, polars] = [ofLibrary(0), ofLibrary(1), ofLibrary(2)]

/** What each type of a column is to a library, by the beginning of the reader's name. */
const typesOf: Readonly<Record<string, Types>> = {
  "DuckDB,": duckdb,
  "apache-arrow,": arrow,
  "parquet-wasm,": { ...arrow, category: "Utf8", time: "Timestamp<MILLISECOND, UTC>" },
  "Polars, Parquet": polars,
  "Polars, Arrow": { ...polars, category: "Categorical", time: "Datetime(ms,America/New_York)" }
}

/** A value as a file can hold it: lone surrogates become U+FFFD, and only doubles have -0. */
const inFile = (value: unknown, type: Columns.Type): unknown =>
  typeof value === "string"
    ? value.replace(/\p{Cs}/gu, "\ufffd")
    : value === 0 && type !== "number"
    ? 0
    : value

const valuesOf = (tables: ReadonlyArray<Tables.Table>, { name, type }: Columns.Column): ReadonlyArray<unknown> =>
  tables.flatMap((table) => Array.from({ length: table.length }, (_, row) => inFile(table.valueAt(name, row), type)))

/**
 * Whether a value was read back. Texts in CSV are not compared, because formulas are escaped there; an empty one is read as null. DuckDB reads -0 in JSON as
 * an integer.
 */
const isSame = (value: unknown, found: unknown, suffix: string): boolean =>
  (suffix === "csv" && (typeof value === "string" || found === null && value === "")) ||
  (suffix === "jsonl" && value === 0 ? found === 0 : Object.is(value, found))

/** Writes tables as one file of each format. */
const write = async (path: string, tables: ReadonlyArray<Tables.Table>) => {
  for (const suffix of ["parquet", "arrow", "arrows", "csv", "jsonl"]) {
    const format = suffix === "arrows" ? "arrow-stream" : suffix as Export.Format
    const encoded = Export.encode(Stream.fromIterable(tables), { format })
    const pieces = await Effect.runPromise(Stream.runCollect(Stream.map(encoded, (bytes) => bytes.slice())))
    writeFileSync(`${path}.${suffix}`, Buffer.concat(pieces))
  }
}

const guide = join(Script.root, "docs", "guide")

/** The lines of SQL that the guide has, and its programs of Python. */
const lines = () => {
  const text = ["duckdb.md", "days-on-disk.md", "polars.md", join("cli", "run.md")]
    .map((page) => readFileSync(join(guide, page), "utf8")).join("\n")
  return {
    sql: [...text.matchAll(/(?:^|["`])(select [^;"`\n]+ from [^;"`\n]+)/gm)].map(([, sql]) => sql!),
    python: [...text.matchAll(/```python\n([^`]+)```/g)].map(([, program]) => program!)
  }
}

/** Lays out the files that the guide speaks of in the folder in which its lines then run. */
const layOut = async (folder: string) => {
  await write(join(folder, "spx"), [chain(1000) as unknown as Tables.Table])
  const day = `{"s":"ok","underlying":["AAPL"],"volume":[5]}`
  const table = Result.getOrThrow(OptionChain.decode(day, { columns: ["underlying", "volume"] }))
  for (const name of ["chains", join("history", "chain")]) {
    const partition = { underlying: "AAPL", date: "2026-11-19" }
    const written = Dataset.write(Stream.make(table), join(folder, name), partition)
    await Effect.runPromise(Effect.provide(written, NodeServices.layer))
  }
  const kept = `{"file":"part.parquet","state":"kept","charged":1}`
  writeFileSync(join(folder, "history", "manifest.jsonl"), `{"manifest":1,"id":"a"}\n${kept}\n`)
}

/** Runs a Python with arguments; undefined if there is none with the three libraries. */
const pythonOf = async (python: string) => {
  const run = (cwd: string, ...args: ReadonlyArray<string>) => Command.run(python, args, { cwd })
  return (await run(Script.root, "-c", "import pandas, polars, pyarrow")).ok ? run : undefined
}

/** Writes tables as one file of each format, and compares what each reader finds in it: names, types, and every element to its last bit. */
const compare = async (readers: Readonly<Record<string, Reader>>, tables: ReadonlyArray<Tables.Table>) => {
  using folder = temporaryFolder()
  const columns = Columns.of(tables[0]!)
  const expected = columns.map((column) => valuesOf(tables, column))
  await write(join(folder.path, "table"), tables)
  for (const [name, { read, suffix }] of Object.entries(readers)) {
    const [, types = duckdb] = Object.entries(typesOf).find(([begins]) => name.startsWith(begins)) ?? []
    const typed = Object.fromEntries(columns.map(({ name, type }) => [name, types[type]]))
    const found = await read(join(folder.path, `table.${suffix}`), typed)
    const what = (column: string) => `${name}: the column ${column}`
    deepStrictEqual(Object.keys(found), columns.map(({ name }) => name), `${name}: the names of the columns`)
    for (const [at, column] of columns.entries()) {
      const { type, values } = found[column.name]!
      deepStrictEqual(type, types[column.type], `${what(column.name)} has the type ${type}, not ${types[column.type]}`)
      const wrong = expected[at]!.findIndex((value, row) => !isSame(value, values[row], suffix))
      if (wrong !== -1 || values.length !== expected[at]!.length) {
        const [is, should] = [values, expected[at]!].map((all) => String(all[wrong]))
        throw new Error(`${what(column.name)} has ${is} in row ${wrong} of ${values.length}, not ${should}`)
      }
    }
  }
}

Script.run({
  what:
    "Writes tables of every endpoint in each format, and has DuckDB, Polars, apache-arrow and parquet-wasm read them back: names, types, zones, and every element to its last bit. Runs the SQL of the guide and, where a Python has pandas, polars and pyarrow, its Python too.",
  examples: [
    ["", "30 drawn tables of each endpoint, those that are empty, of one row or of nulls alone, and 200,000 rows"],
    ["--seed 7 --runs 500", "other tables, and more of them"],
    ["--python ~/venv/bin/python", "with pyarrow as well, of a Python that has it"]
  ]
}, {
  seed: Script.seed,
  runs: Script.whole("runs", "How many tables of each endpoint are drawn", 30),
  python: Script.text("python", "A Python that has pandas, polars and pyarrow", "python3")
}, async ({ python, runs, seed }) => {
  const folder = join(import.meta.dirname, "readers")
  Apart.install(folder)
  const { readers, rowsOf }: {
    readonly readers: Readonly<Record<string, Reader>>
    readonly rowsOf: (sql: string) => Promise<number>
  } = await import(join(folder, "readers.mjs"))
  console.log(`seed ${seed}; ${Object.keys(readers).join("; ")}`)
  using place = temporaryFolder()
  const drawn = join(place.path, "drawn")
  mkdirSync(drawn)
  let holds = true
  const say = (what: string, problem: string | undefined) => {
    holds &&= problem === undefined
    console.log(`${what}: ${problem ?? "the same"}`)
  }
  for (const [name, spec] of Object.entries(Tables.specs)) {
    const draw = (of: fc.Arbitrary<Tables.Table>): [Array<Tables.Table>] => [fc.sample(of, { numRuns: 1, seed })]
    const shapes = [fc.constant(Tables.empty(spec)), Tables.ofSpec(spec, 1), Tables.nulls(spec)].map(draw)
    for (const [at, [tables]] of [...shapes, draw(Tables.ofSpec(spec))].entries()) {
      await write(join(drawn, `${name}-${at}`), tables)
    }
    const some = fc.array(Tables.ofSpec(spec), { minLength: 1, maxLength: 4 })
    const { counterexample, errorInstance, failed } = await fc.check(
      fc.asyncProperty(some, (tables) => compare(readers, tables)),
      { examples: shapes, numRuns: shapes.length + runs, seed, endOnFailure: true }
    )
    const of = () => JSON.stringify(counterexample?.[0].map(Tables.rowsOf)).slice(0, 1000)
    say(name, failed ? `${String(errorInstance)} (seed ${seed}): ${of()}` : undefined)
  }
  const large = await compare(readers, [chain(200_000) as unknown as Tables.Table]).then(() => undefined, String)
  say("optionChain, 200,000 rows", large)
  await layOut(place.path)
  process.chdir(place.path)
  for (const sql of lines().sql) {
    const rows = await rowsOf(sql).catch(String)
    say(sql, typeof rows === "number" && rows > 0 ? undefined : `answers ${rows}`)
  }
  const run = await pythonOf(python)
  if (run === undefined) console.log(`${python}: not there, or without pandas, polars and pyarrow; not checked`)
  else {
    for (const program of lines().python) {
      const { ok, output } = await run(place.path, "-c", program)
      say("the Python of the guide", ok ? undefined : output.trim())
    }
    say("pyarrow", (await run(place.path, join(folder, "pyarrow_reads.py"), drawn)).output.trim() || undefined)
  }
  return holds
})

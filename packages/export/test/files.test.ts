import { BufferPool, OptionChain } from "@effect-marketdata/core"
import { Dataset, Export, Parquet } from "@effect-marketdata/export"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Deferred, Effect, Fiber, FileSystem, Layer, type Path, Result, type Scope, Stream } from "effect"
import { systemError } from "effect/PlatformError"
import * as TestClock from "effect/testing/TestClock"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, steps, type Test } from "../../core/test/support/it.ts"
import * as Readers from "./support/readers.ts"

const chain = (...strike: ReadonlyArray<number>) => {
  const each = (value: unknown) => strike.map(() => value)
  const body = JSON.stringify({ s: "ok", underlying: each("SPX"), strike, updated: each(1795208400) })
  return Result.getOrThrow(OptionChain.decode(body, { columns: ["underlying", "strike", "updated"] }))
}

/** A table with another column than a chain. */
const bids = Result.getOrThrow(OptionChain.decode(`{"s":"ok","bid":[1]}`, { columns: ["bid"] }))

const formats = {
  arrow: "a.arrow",
  "arrow-stream": "a.arrows",
  parquet: "a.parquet",
  csv: "a.csv",
  jsonl: "a.jsonl"
} as const

/** A test in a folder of its own. */
const inFolder = (name: string, test: Test<FileSystem.FileSystem | Path.Path | Scope.Scope, [folder: string]>) =>
  it.effect(name, function*() {
    const folder = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
    yield* steps(test)(folder)
  }, NodeServices.layer)

const full = systemError({
  _tag: "Unknown",
  module: "FileSystem",
  method: "write",
  description: "no space left on device"
})

/** The disk, of which one step fails; the others are counted. */
const failing = (step: number) => {
  let taken = 0
  const next = Effect.suspend(() => ++taken === step ? Effect.fail(full) : Effect.void)
  const layer = Layer.effect(
    FileSystem.FileSystem,
    Effect.map(FileSystem.FileSystem, (fs): FileSystem.FileSystem => ({
      ...fs,
      makeDirectory: (...args) => Effect.andThen(next, fs.makeDirectory(...args)),
      rename: (...args) => Effect.andThen(next, fs.rename(...args)),
      open: (path, options) =>
        Effect.andThen(
          next,
          Effect.map(fs.open(path, options), (file): FileSystem.File =>
            new Proxy(file, {
              get: (of, name) => {
                const own: unknown = Reflect.get(of, name, of)
                if (name === "sync") return Effect.andThen(next, of.sync)
                // A disk that is full has written a part of it.
                if (name === "writeAll") {
                  return (bytes: Uint8Array) =>
                    Effect.catch(
                      Effect.andThen(next, of.writeAll(bytes)),
                      (error) => Effect.andThen(of.writeAll(bytes.subarray(0, bytes.length >> 1)), Effect.fail(error))
                    )
                }
                return typeof own === "function" ? own.bind(of) : own
              }
            }))
        )
    }))
  ).pipe(Layer.provideMerge(NodeServices.layer))
  return { layer, steps: () => taken }
}

const tables = Stream.make(chain(100, 105), chain(110))

describe("Export.toFile", () => {
  inFolder("writes each format by the end of the name, and says what it wrote", function*(folder) {
    for (const [format, name] of Object.entries(formats)) {
      const path = join(folder, name)
      const { bytes, ...written } = yield* Export.toFile(tables, path)
      assert.deepStrictEqual(written, { path, format: format as Export.Format, rows: 3 })
      assert.strictEqual(readFileSync(path).length, bytes)
      const encoded = yield* Stream.runCollect(Export.encode(tables, { format: format as Export.Format }))
      assert.deepStrictEqual(Buffer.concat(encoded), readFileSync(path))
    }
    assert.deepStrictEqual(readdirSync(folder), Object.values(formats).toSorted())
    const last = Readers.jsonLines(readFileSync(join(folder, "a.jsonl"))).at(-1)
    assert.deepStrictEqual(last, { underlying: "SPX", strike: 110, updated: "2026-11-20T16:00:00-05:00" })
  })

  inFolder(
    "leaves nothing of a file, and the one before as it was, whichever step of the disk fails",
    function*(folder) {
      for (const name of Object.values(formats)) {
        const path = join(folder, name)
        writeFileSync(path, "before")
        const counting = failing(0)
        yield* Effect.provide(Export.toFile(tables, path), counting.layer)
        const steps = counting.steps()
        assert.isAbove(steps, 4)
        // The last two sync the folder, when the file is in its place.
        for (let step = 1; step <= steps - 2; step++) {
          writeFileSync(path, "before")
          const error = yield* Effect.flip(Effect.provide(Export.toFile(tables, path), failing(step).layer))
          assert.strictEqual(error.reason._tag, "Unwritable")
          assert.include(error.message, "no space left on device")
          assert.strictEqual(readFileSync(path, "utf8"), "before")
          assert.deepStrictEqual(readdirSync(folder).filter((other) => other.includes("unfinished")), [])
        }
        for (let step = steps - 1; step <= steps; step++) {
          const { bytes } = yield* Effect.provide(Export.toFile(tables, path), failing(step).layer)
          assert.strictEqual(readFileSync(path).length, bytes)
        }
      }
    }
  )

  inFolder(
    "removes what is unfinished where it is interrupted, where the stream fails, and where a table cannot be written",
    function*(folder) {
      for (const name of Object.values(formats)) {
        const path = join(folder, name)
        const begun = yield* Deferred.make<void>()
        const never = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
        const endless = Stream.concat(tables, Stream.fromEffect(never))
        const fiber = yield* Effect.forkChild(Export.toFile(endless, path))
        yield* Deferred.await(begun)
        assert.strictEqual(readdirSync(folder).length, 1)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(readdirSync(folder), [])
        const failed = Stream.concat(tables, Stream.fail("the wire broke" as const))
        assert.strictEqual(yield* Effect.flip(Export.toFile(failed, path)), "the wire broke")
        const strange = yield* Effect.flip(Export.toFile(Stream.make(chain(100), bids), path))
        assert.strictEqual(strange.reason._tag, "OtherColumns")
        assert.strictEqual((yield* Effect.flip(Export.toFile(Stream.empty, path))).reason._tag, "NoColumns")
        assert.deepStrictEqual(readdirSync(folder), [])
      }
    }
  )

  inFolder("removes what a killed program left of the same file an hour before, and nothing else", function*(folder) {
    const left = (name: string) => `.${name}.01234567-89ab-cdef-0123-456789abcdef.unfinished`
    const names = [left("a.csv"), left("b.csv"), left("a.csv").replace("01", "02"), ".a.csv.unfinished"]
    for (const name of names) writeFileSync(join(folder, name), "")
    const now = 1_795_208_400
    for (const [at, name] of names.entries()) utimesSync(join(folder, name), now, now - (at === 2 ? 3500 : 3700))
    yield* TestClock.setTime(now * 1000)
    yield* Export.toFile(Stream.make(chain(1)), join(folder, "a.csv"))
    assert.deepStrictEqual(readdirSync(folder).toSorted(), [...names.slice(1), "a.csv"].toSorted())
  })

  inFolder("writes a file of any name that the system takes", function*(folder) {
    const names = [
      `${"a".repeat(251)}.csv`,
      `${"\u00e9".repeat(125)}.csv`,
      `${"\u{1f4c8}".repeat(62)}.csv`,
      "a\"b\n c.csv"
    ]
    for (const name of names) yield* Export.toFile(tables, join(folder, name))
    assert.deepStrictEqual(readdirSync(folder).toSorted(), names.toSorted())
  })

  inFolder("asks for no table where a folder or a device has the name, and replaces neither", function*(folder) {
    mkdirSync(join(folder, "a.csv"))
    symlinkSync("/dev/null", join(folder, "b.csv"))
    let asked = 0
    const table = Stream.fromEffect(Effect.sync(() => (asked++, chain(1))))
    for (const name of ["a.csv", "b.csv", `${"c".repeat(300)}.csv`]) {
      assert.strictEqual((yield* Effect.flip(Export.toFile(table, join(folder, name)))).reason._tag, "Unwritable")
    }
    assert.deepStrictEqual([asked, readdirSync(folder).length], [0, 2])
  })

  inFolder("names what is wrong with the name, the format, and a folder that is not there", function*(folder) {
    const reasonOf = (path: unknown, options?: unknown) =>
      Effect.map(
        Effect.flip(Export.toFile(tables, path as string, options as Export.Options)),
        ({ message }) => message
      )
    assert.strictEqual(
      yield* reasonOf("chain.xls"),
      `file "chain.xls" must end with the name of a format: .arrow, .arrows, .csv, .feather, .jsonl, .ndjson, .parquet, e.g. "chain.parquet".`
    )
    assert.match(yield* reasonOf(undefined), /must end with the name of a format/)
    assert.match(yield* reasonOf("chain", null), /must end with the name of a format/)
    const encoded = Stream.runDrain(Export.encode(tables, null as never))
    assert.match((yield* Effect.flip(encoded)).message, /must be one of arrow/)
    const partitioned = Dataset.write(tables, folder, null as never, null as never)
    assert.match((yield* Effect.flip(partitioned)).message, /^partition null must have a column/)
    for (const none of [chain(1), null, [chain(1)]] as ReadonlyArray<unknown> as ReadonlyArray<typeof tables>) {
      const ways = [Export.toFile(none, "a.csv"), Dataset.write(none, folder, { date: "2026-11-20" })]
      const encoded = Effect.as(Stream.runDrain(Export.encode(none, { format: "csv" })), undefined)
      for (const way of [...ways, encoded]) {
        assert.match((yield* Effect.flip(way)).message, /must be a stream of tables, e\.g\. Stream\.make\(answer/)
      }
    }
    const none = Export.toFile(Stream.make(null as never), join(folder, "a.csv"))
    assert.match((yield* Effect.flip(none)).message, /^table null must be a table/)
    const holding = Parquet.encoder()
    yield* Effect.scoped(Effect.map(BufferPool.lend(BufferPool.make(), chain(1)), holding.push))
    assert.match(Result.getOrThrow(Result.flip(holding.end())).message, /must be a table of an answer, not released/)
    assert.match(yield* reasonOf(5, { format: "csv" }), /^file 5 must/)
    assert.match(yield* reasonOf("chain", { format: "xls" }), /must be one of arrow, arrow-stream, parquet, csv, jsonl/)
    assert.match(yield* reasonOf(join(folder, "none", "a.csv")), /cannot be written: .*Nothing is there of this export/)
  })

  it("says of an answer where it came from and what it cost", () => {
    const cached = { status: 203, source: "cache", requestedMode: "Cached", sentMode: "cached" } as const
    const updated = { oldest: 1795208100, newest: 1795208280 }
    const provenance = { ...cached, updated, receivedAt: 1795208400.5, requestId: undefined }
    const answer = { credits: { charged: 1, uncertain: 0, estimate: undefined as never }, provenance }
    assert.deepStrictEqual(Export.about(answer, { query: "SPX" }), {
      source: "Market Data",
      provenance: "the service's cache (status 203), asked as cached",
      mode: "Cached",
      credits: "1",
      updated: "2026-11-20T15:55:00-05:00 to 2026-11-20T15:58:00-05:00",
      asked: "2026-11-20T16:00:00-05:00",
      query: "SPX"
    })
    // It said that the file cost "undefined, and up to undefined more".
    for (const none of [null, {}, { ...answer, credits: {} }, { ...answer, provenance: null }] as Array<never>) {
      assert.throws(() => Export.about(none), /must be an? (answer|charge), e\.g\. /)
    }
  })
})

describe("Dataset", () => {
  inFolder("has a folder for each day; what the path says stands in no row", function*(folder) {
    for (const date of ["2026-11-20", "2026-11-19"]) yield* Dataset.write(tables, folder, { underlying: "SPX", date })
    yield* Dataset.write(tables, folder, { underlying: "SPX", date: "2026-11-20" }, { name: "afternoon" })
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => join(parentPath, name).slice(folder.length + 1))
    assert.deepStrictEqual(paths.toSorted(), [
      "underlying=SPX/date=2026-11-19/part.parquet",
      "underlying=SPX/date=2026-11-20/afternoon.parquet",
      "underlying=SPX/date=2026-11-20/part.parquet"
    ])
    const rows = yield* Effect.promise(() => Readers.parquet(new Uint8Array(readFileSync(join(folder, paths[0]!)))))
    assert.deepStrictEqual(rows[2], { strike: 110, updated: 1795208400 })
    const days = yield* Dataset.partitions(folder, ["underlying", "date"])
    assert.deepStrictEqual(days, [{ underlying: "SPX", date: "2026-11-19" }, { underlying: "SPX", date: "2026-11-20" }])
    assert.deepStrictEqual(yield* Dataset.partitions(join(folder, "none"), ["date"]), [])
  })

  inFolder("does not ask for what is there, if it is to be kept", function*(folder) {
    let asked = 0
    const counted = Stream.suspend(() => (asked++, tables))
    const write = Dataset.write(counted, folder, { date: "2026-11-20" }, { existing: "keep" })
    assert.strictEqual((yield* write)?.rows, 3)
    assert.isUndefined(yield* write)
    assert.strictEqual(asked, 1)
  })

  inFolder(
    "leaves the folder by no name, and refuses a path that says something else than the table",
    function*(folder) {
      yield* Dataset.write(tables, join(folder, "in"), { a: "../../x", b: "..", c: "a=b %" })
      assert.deepStrictEqual(readdirSync(folder), ["in"])
      const partitions = yield* Dataset.partitions(join(folder, "in"), ["a", "b", "c"])
      assert.deepStrictEqual(partitions, [{ a: "../../x", b: "..", c: "a=b %" }])
      const message = (partition: unknown, options?: unknown) =>
        Effect.map(
          Effect.flip(Dataset.write(tables, folder, partition as Dataset.Partition, options as Dataset.Options)),
          ({ message }) => message
        )
      assert.strictEqual(
        yield* message({ underlying: "NDX" }),
        `partition.underlying "NDX" must be what the column underlying says in row 0, or have another name, e.g. "SPX".`
      )
      assert.match(yield* message({ strike: "1" }), /partition.strike/)
      const wrongs = [{}, { "../x": "1" }, { date: "" }, { date: "\ud800" }, { date: 5 }, { date: "x".repeat(61) }]
      for (const wrong of wrongs) assert.match(yield* message(wrong), /^partition/)
      assert.match(yield* message({ date: "1" }, { name: "../x" }), /^name/)
      assert.match(yield* message({ date: "1" }, { format: "xls" }), /^format/)
      // What is not kept is asked for, and paid, again.
      assert.match(yield* message({ date: "1" }, { existing: "keeps" }), /^existing "keeps" must be replace or keep/)
    }
  )

  inFolder("is in no place that is not a path, and has no columns that are not a list", function*(folder) {
    const nowhere = undefined as unknown as string
    const failed = yield* Effect.flip(Dataset.write(tables, nowhere, { date: "1" }))
    assert.strictEqual(failed.message, "folder undefined must be the path of a folder, e.g. \"chains\".")
    assert.match((yield* Effect.flip(Dataset.partitions(nowhere, ["date"]))).message, /^folder undefined must be/)
    assert.match((yield* Effect.flip(Dataset.write(tables, "", { date: "1" }))).message, /^folder "" must be the path/)
    const keep = Dataset.write(tables, folder, { date: "1" }, "keep" as never)
    assert.match((yield* Effect.flip(keep)).message, /^options "keep" must be an object/)
    const date = "date" as unknown as ReadonlyArray<string>
    assert.match((yield* Effect.flip(Dataset.partitions(folder, date))).message, /^columns "date" must be a list/)
  })
})

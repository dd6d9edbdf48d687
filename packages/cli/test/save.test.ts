import * as OptionChain from "@effect-marketdata/core/OptionChain"
import { Effect, type FileSystem, PlatformError, Sink } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { marketdata } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const names = Object.keys(OptionChain.spec)

describe("--output", () => {
  it.effect("saves the table in the format that the file's name ends with, and prints no data", function*() {
    const folder = Started.folder()
    const begins = { parquet: "PAR1", arrow: "ARROW1", csv: "optionSymbol,underlying,", jsonl: "{\"optionSymbol\":" }
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
    const few = "chain AAPL --mode cached --dte 30 --strike-limit 2 --computed --sort volume"
    const sorted = (yield* marketdata(`${few} --format csv`)).out
    assert.strictEqual((yield* marketdata(`${few} -o ${computed}`)).code, 0)
    assert.strictEqual(readFileSync(computed, "utf8").replaceAll("\r", ""), `${sorted}\n`)
    const many = join(folder, "quotes.csv")
    assert.strictEqual((yield* marketdata(`stock prices AAPL MSFT --output ${many}`)).code, 0)
    assert.match(readFileSync(many, "utf8"), /^symbol,mid,.*\r\nAAPL,.*\r\nMSFT,/)
  })

  it.effect("writes times with the offset of New York or in seconds, where they are written as text", function*() {
    const folder = Started.folder()
    const file = join(folder, "candles.jsonl")
    const timeOf = Effect.fnUntraced(function*(flags: string) {
      assert.strictEqual((yield* marketdata(`stock candles AAPL --columns t -o ${file} ${flags}`)).code, 0)
      return readFileSync(file, "utf8")
    })
    const iso = `{"t":"2026-11-20T00:00:00-05:00"}\n`
    assert.deepStrictEqual([yield* timeOf(""), yield* timeOf("--times iso")], [iso, iso])
    assert.strictEqual(yield* timeOf("--times epoch"), `{"t":1795150800}\n`)
  })

  it.effect("saves a saved reply, too", function*() {
    const folder = Started.folder()
    const [reply, file] = [join(folder, "reply.json"), join(folder, "chain.csv")]
    writeFileSync(reply, JSON.stringify({ s: "ok", ...Object.fromEntries(names.map((name) => [name, []])) }))
    const done = yield* marketdata(`chain --reply ${reply} -o ${file}`)
    assert.deepStrictEqual([done.code, done.out], [0, ""], done.errors)
    assert.strictEqual(readFileSync(file, "utf8"), `${names.join()}\r\n`)
  })

  it.effect("refuses before it sends what it could not save", function*() {
    const folder = Started.folder()
    const named = join(folder, "folder.csv")
    mkdirSync(named)
    const file = join(folder, "file")
    writeFileSync(file, "")
    const pipe = join(folder, "pipe.csv")
    execFileSync("mkfifo", [pipe])
    const cases = [
      [`chain AAPL --mode cached -o ${join(file, "chain.csv")}`, "it is not a folder"],
      [`chain AAPL --mode cached -o ${pipe}`, "is not a file that can be replaced"],
      [`chain AAPL --mode cached -o ${named}`, "is a folder"]
    ] as const
    for (const [line, said] of cases) {
      const failed = yield* marketdata(line)
      assert.strictEqual(failed.code, 2, failed.errors)
      assert.include(failed.errors, said)
      assert.notInclude(failed.errors, "charge:")
    }
    assert.deepStrictEqual(readdirSync(folder), ["file", "folder.csv", "pipe.csv"])
  })

  it.effect("says what an answer cost, and from where it came, that cannot be written after all", function*() {
    const refusing = (_tag: PlatformError.SystemErrorTag, description: string) => {
      const refuse = () =>
        Effect.fail(
          PlatformError.systemError({ _tag, module: "FileSystem", method: "write", cause: new Error(description) })
        )
      return (files: FileSystem.FileSystem): Partial<FileSystem.FileSystem> => ({
        open: (path, options) =>
          Effect.map(
            files.open(path, options),
            (file) => new Proxy(file, { get: (of, name) => name === "writeAll" ? refuse : Reflect.get(of, name, of) })
          ),
        writeFileString: refuse
      })
    }
    const first = (act: (path: string) => void) => (files: FileSystem.FileSystem): Partial<FileSystem.FileSystem> => ({
      open: (path, options) => Effect.andThen(Effect.sync(() => act(path)), files.open(path, options)),
      writeFileString: (path, ...rest) =>
        Effect.andThen(Effect.sync(() => act(path)), files.writeFileString(path, ...rest))
    })
    const cases = [
      ["ENOSPC", () => refusing("Unknown", "ENOSPC")],
      ["EACCES", () => refusing("PermissionDenied", "EACCES")],
      ["ENOENT", () => first((path) => rmSync(dirname(path), { recursive: true, force: true }))],
      ["rename", (target: string) => first(() => mkdirSync(target, { recursive: true }))]
    ] as const
    for (const [said, disk] of cases) {
      for (const [command, name] of [["chain", "chain.parquet"], ["look", "look.html"]] as const) {
        const folder = Started.folder()
        const target = join(folder, name)
        const line = `${command} AAPL --mode cached -o ${target}`
        const place = { files: disk(target) }
        const failed = yield* marketdata(line, place)
        assert.deepStrictEqual([failed.code, failed.out], [1, ""], failed.errors)
        assert.match(failed.errors, /provenance: .*\n.*charge: +1 credit, as the service reported\nerror: /s)
        assert.include(failed.errors, said)
        assert.deepStrictEqual(existsSync(folder) ? readdirSync(folder).filter((file) => file !== name) : [], [])
        rmSync(folder, { recursive: true, force: true })
        mkdirSync(folder)
        const { errors } = yield* marketdata(`${line} --json`, place)
        assert.include(errors, `"credits":{"charged":1,"uncertain":0}`)
      }
    }
  })
})

describe("--format arrow and parquet", () => {
  it.effect("make standard output the file that --output would write, and say the rest on standard error", function*() {
    const folder = Started.folder()
    for (const format of ["arrow", "parquet"]) {
      for (const line of ["chain AAPL --mode cached", "stock prices AAPL MSFT", "stock candles AAPL"]) {
        const file = join(folder, `table.${format}`)
        const written: Array<Uint8Array> = []
        const stdout = () =>
          Sink.forEach((piece: string | Uint8Array) =>
            Effect.sync(() => void written.push(Buffer.from(piece as Uint8Array)))
          )
        const done = yield* marketdata(`${line} --format ${format}`, { stdout })
        assert.deepStrictEqual([done.code, done.out], [0, ""], done.errors)
        assert.match(done.errors, /saved: +standard output, [\d,]+ rows?, [\d.]+ [kM]?B/)
        assert.include(done.errors, "charge:")
        assert.strictEqual((yield* marketdata(`${line} -o ${file}`)).code, 0)
        assert.isTrue(Buffer.concat(written).equals(readFileSync(file)), `${line} ${format}`)
      }
    }
  })

  it.effect("are refused on a terminal, before anything is sent", function*() {
    const { code, errors, out } = yield* marketdata("chain AAPL --format parquet", { isTerminal: true })
    assert.deepStrictEqual([code, out], [2, ""], errors)
    assert.include(errors, "type -o FILE.parquet instead of --format")
    assert.notInclude(errors, "charge:")
  })

  it.effect("say what standard output cannot take", function*() {
    const output = { module: "Stdio", method: "stdout", description: "ENOSPC" }
    const full = PlatformError.systemError({ ...output, _tag: "Unknown" })
    const failed = yield* marketdata("chain AAPL --mode cached --format parquet", { stdout: () => Sink.fail(full) })
    assert.strictEqual(failed.code, 1)
    assert.include(failed.errors, "standard output cannot be written: ")
  })
})

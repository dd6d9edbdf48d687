import { MarketData, ReplyCache } from "@effect-marketdata/client"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, Logger, Path, References, type Scope } from "effect"
import { type PlatformError, systemError } from "effect/PlatformError"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { createHash, createHmac } from "node:crypto"
import * as Fs from "node:fs"
import { basename, join } from "node:path"
import { zstdCompressSync } from "node:zlib"
import { forAllAsync, runs } from "../../core/test/support/depth.ts"
import { assert, describe, it, steps, type Test } from "../../core/test/support/it.ts"
import { clientOf } from "./support/clients.ts"
import { directory, filesIn, patient, replyOf, storeIn } from "./support/keptReplies.ts"
import { chainBody, service } from "./support/scripted.ts"

const quoted = 1_795_208_000
const chain = (date = "2026-11-18") =>
  MarketData.optionChain("AAPL", { date: date as "2026-11-18", assume: { contracts: 9 } })

/** A directory of the test's own, when the scripted quotes were taken. */
const begun = Effect.andThen(TestClock.setTime(quoted * 1000), directory)

const onDisk = (name: string, test: Test<Scope.Scope, [string]>) =>
  it.effect(name, () => Effect.flatMap(begun, steps(test)))

const bytesIn = (path: string) => filesIn(path).reduce((sum, file) => sum + Fs.statSync(file).size, 0)

/** A program: a client over a service, with a cache in a directory, built anew each time. */
const program = (
  directory: string,
  { fs = NodeServices.layer, maxBytes = 1_000_000, patience = patient }: {
    readonly fs?: Layer.Layer<FileSystem.FileSystem | Path.Path>
    readonly maxBytes?: number
    readonly patience?: Layer.Layer<never>
  } = {}
) => {
  const http = service({ status: 203, body: chainBody(3, quoted - 2 * 86_400) })
  const cache = ReplyCache.layerDisk({ directory, maxBytes, account: "desk" })
  return { http, layer: Layer.fresh(clientOf(http).pipe(Layer.provide(cache), Layer.provide([fs, patience]))) }
}

const sourceIn = (directory: string, ask = chain()) =>
  Effect.map(
    Effect.provide(ask, program(directory).layer),
    ({ findings, provenance }) => [provenance.source, ...findings.map(({ code }) => code)].join(" ")
  )

describe("a cache on disk", () => {
  it.effect("answers the next program, and tells nobody what is in it by name", function*() {
    yield* TestClock.setTime(quoted * 1000)
    const path = join(yield* directory, "made", "for", "it")
    assert.deepStrictEqual([yield* sourceIn(path), yield* sourceIn(path)], ["cache", "local"])
    const { data, findings, provenance } = yield* Effect.provide(chain(), program(path).layer)
    assert.deepStrictEqual(data.strike.length, 3)
    assert.deepStrictEqual([findings, provenance.status, provenance.age], [[], 203, 0])
    const [file] = filesIn(path)
    assert.match(filesIn(path).join(), /^[^,]*\/[0-9a-f]{64}\.reply$/)
    const text = Fs.readFileSync(file!, "latin1")
    for (const secret of ["a-token-for-tests", "desk", "service.test"]) assert.notInclude(text, secret)
    assert.strictEqual(Fs.statSync(file!).mode & 0o777, 0o600)
    assert.strictEqual(Fs.statSync(path).mode & 0o777, 0o700)
  })

  onDisk("keeps what was used last, within its bytes", function*(path) {
    yield* (yield* storeIn(join(path, "one"))).keep("key 0", [replyOf(0)])
    const { size } = Fs.statSync(filesIn(join(path, "one"))[0]!)
    const store = yield* storeIn(path, 3 * size + 200)
    const kept = (number: number) => Effect.map(store.find(`key ${number}`), ({ _tag }) => _tag === "Kept")
    for (const number of [0, 1, 2]) {
      yield* TestClock.setTime((quoted + number) * 1000)
      yield* store.keep(`key ${number}`, [replyOf(number)])
    }
    yield* TestClock.setTime((quoted + 10) * 1000)
    assert.isTrue(yield* kept(0))
    yield* store.keep("key 3", [replyOf(3)])
    assert.deepStrictEqual(yield* Effect.forEach([0, 1, 2, 3], kept), [true, false, true, true])
    assert.isAtMost(bytesIn(path), 3 * size + 200)
    // One that is larger than all of it is not kept, and takes nothing from the others.
    yield* store.keep("large", [0, 1, 2, 3, 4].map(replyOf))
    assert.strictEqual(filesIn(path).length, 3)
  })

  onDisk("evicts first what was used by a clock that was ahead", function*(path) {
    for (const number of [0, 1, 2, 3, 4]) {
      const store = yield* storeIn(path, 90_000)
      yield* store.keep(`key ${number}`, [replyOf(number)])
      if (number === 2) { for (const file of filesIn(path)) Fs.utimesSync(file, 2 * quoted, 2 * quoted) }
      if (number === 3) Fs.rmSync(join(path, "written"))
      if (number === 4) assert.strictEqual((yield* store.find("key 3"))._tag, "Kept")
    }
  })

  onDisk("has one secret where several begin at once", function*(path) {
    const stores = yield* Effect.forEach(Array.from({ length: 8 }), () => storeIn(path))
    yield* Effect.forEach(stores, (store, at) => store.keep(`key ${at}`, [replyOf(at)]), { concurrency: "unbounded" })
    const found = yield* Effect.forEach(stores, (store, at) => store.find(`key ${at}`))
    assert.deepStrictEqual(found.map(({ _tag }) => _tag), stores.map(() => "Kept"))
  })

  onDisk("removes what a process that is gone never finished", function*(path) {
    yield* (yield* storeIn(path)).keep("one", [replyOf(1)])
    const [file] = filesIn(path)
    assert.isDefined(file)
    const unfinished = [[3601, crypto.randomUUID()], [5, crypto.randomUUID()]] as const
    for (const [age, name] of unfinished) {
      Fs.writeFileSync(`${file}.${name}`, "half of it")
      Fs.utimesSync(`${file}.${name}`, quoted - age, quoted - age)
    }
    // What others put here is none of ours, however old it is.
    Fs.writeFileSync(join(path, "replies-2", "a-letter.txt"), "to whom it may concern")
    Fs.utimesSync(join(path, "replies-2", "a-letter.txt"), 0, 0)
    Fs.rmSync(join(path, "written"))
    yield* (yield* storeIn(path)).keep("two", [replyOf(2)])
    const left = filesIn(path).filter((name) => !name.endsWith(".reply"))
    assert.sameMembers([...left], [`${file}.${unfinished[1][1]}`, join(path, "replies-2", "a-letter.txt")])
  })

  onDisk("leaves alone what has not the form of its files, also where it is emptied", function*(path) {
    yield* sourceIn(path)
    const names = [`${"0".repeat(64)}.reply.old`, "a.reply", "letter.txt"]
    for (const name of names) Fs.writeFileSync(join(path, "replies-2", name), "of years ago")
    yield* Effect.provide(ReplyCache.clearDisk(path), NodeServices.layer)
    assert.deepStrictEqual(Fs.readdirSync(join(path, "replies-2")).toSorted(), names)
  })

  onDisk("leaves alone what another version keeps in the same directory", function*(path) {
    yield* sourceIn(path)
    const [file] = filesIn(path)
    const other = file!.replace("replies-2", "replies-3")
    Fs.mkdirSync(join(path, "replies-3"))
    Fs.writeFileSync(other, "of a later version")
    assert.strictEqual(yield* sourceIn(path), "local")
    yield* (yield* storeIn(path, 21_000)).keep("another", [replyOf(1)])
    assert.strictEqual(Fs.readFileSync(other, "utf8"), "of a later version")
  })
})

describe("an entry", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 20 })
  const optional = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })
  const reply: fc.Arbitrary<ReplyCache.KeptReply> = fc.record({
    endpoint: text,
    tickers: optional(fc.array(text, { maxLength: 3 })),
    sentMode: fc.constantFrom(undefined, "live", "delayed", "cached", "eod", "historical"),
    maxAge: optional(fc.oneof(
      fc.record({ _tag: fc.constant("Relative" as const), minutes: fc.nat() }),
      fc.record({ _tag: fc.constant("Absolute" as const), epochSeconds: fc.nat() })
    )),
    receivedAt: fc.nat(),
    updated: optional(fc.record({ oldest: fc.nat(), newest: fc.nat() })),
    status: fc.constantFrom(200, 203),
    mediaType: optional(text),
    reported: optional(fc.nat()),
    requestId: optional(text),
    bytes: fc.uint8Array({ maxLength: 300 })
  })
  const replies = fc.array(reply, { minLength: 1, maxLength: 3 })
  const trials = { numRuns: runs(100, 20), seed: 20_000 }

  it.effect("is read as it was written", function*() {
    const store = yield* storeIn(yield* directory)
    const isKept = async (replies: ReadonlyArray<ReplyCache.KeptReply>) => {
      const found = Effect.andThen(store.keep("key", replies), store.find("key"))
      assert.deepStrictEqual(await Effect.runPromise(found), { _tag: "Kept", replies })
    }
    yield* Effect.promise(() => forAllAsync(trials, replies, isKept))
  })

  onDisk("is damaged where any byte is another, and where any are missing or more", function*(path) {
    const store = yield* storeIn(path)
    yield* Effect.promise(() =>
      forAllAsync(trials, replies, fc.nat(), fc.integer({ min: 1, max: 255 }), async (replies, place, change) => {
        await Effect.runPromise(store.keep("key", replies))
        const [file] = filesIn(path)
        const whole = new Uint8Array(Fs.readFileSync(file!))
        const at = place % whole.length
        const changed = whole.map((byte, index) => index === at ? byte ^ change : byte)
        for (const content of [changed, whole.subarray(0, at), new Uint8Array([...whole, change])]) {
          Fs.writeFileSync(file!, content)
          assert.deepStrictEqual(await Effect.runPromise(store.find("key")), { _tag: "Damaged" })
        }
      })
    )
  })

  onDisk("that is torn is a miss with a finding, and is kept anew", function*(path) {
    yield* sourceIn(path)
    const [file] = filesIn(path)
    for (const length of [0, 10, 60, Fs.statSync(file!).size - 1]) {
      Fs.truncateSync(file!, length)
      assert.strictEqual(yield* sourceIn(path), "cache DamagedReply")
      assert.strictEqual(yield* sourceIn(path), "local")
    }
  })
})

describe("an entry that is not what it says", () => {
  const key = "a key"

  onDisk("is damaged under the name of another", function*(path) {
    const store = yield* storeIn(path)
    yield* store.keep(key, [replyOf(1)])
    const [own] = filesIn(path)
    yield* store.keep("another", [replyOf(2)])
    const other = filesIn(path).find((file) => file !== own)
    Fs.copyFileSync(other!, own!)
    assert.deepStrictEqual(yield* store.find(key), { _tag: "Damaged" })
    assert.strictEqual((yield* store.find("another"))._tag, "Kept")
    assert.strictEqual((yield* Effect.provide(ReplyCache.diskStatus(path), NodeServices.layer)).damaged, 1)
  })

  onDisk("is damaged under another secret, as that of a backup", function*(path) {
    const store = yield* storeIn(path)
    yield* store.keep(key, [replyOf(1)])
    Fs.writeFileSync(join(path, "account.key"), new Uint8Array(32))
    assert.deepStrictEqual(yield* store.find(key), { _tag: "Damaged" })
  })

  onDisk("declares more than it has, signed as it should be, and takes no memory", function*(path) {
    const store = yield* storeIn(path, 2_000_000_000)
    yield* store.keep(key, [replyOf(1)])
    const [file] = filesIn(path)
    const secret = Fs.readFileSync(join(path, "account.key"))
    const bomb = zstdCompressSync(new Uint8Array(1_000_000))
    const forge = (length: number, packed: Uint8Array, claimed = packed.length): void => {
      const { bytes: _, ...reply } = replyOf(1)
      const hash = createHash("sha256").update(packed).digest("hex")
      const replies = [{ ...reply, requestId: null, length }]
      const head = Buffer.from(JSON.stringify({ coding: "zstd", length: claimed, hash, replies }))
      const size = Buffer.from(Uint32Array.of(head.length).buffer).swap32()
      const signature = createHmac("sha256", secret).update(basename(file!)).update(head).digest()
      Fs.writeFileSync(file!, Buffer.concat([Buffer.from("kept reply 2\n\0\0\0"), signature, size, head, packed]))
    }
    forge(1_000_000, bomb)
    assert.strictEqual((yield* store.find(key))._tag, "Kept")
    const cases = [[999_999], [1_000_001], [1.4e9], [9e15], [5], [1_000_000, 1.9e9]] as const
    for (const [length, claimed] of cases) {
      forge(length, bomb, claimed)
      assert.deepStrictEqual(yield* store.find(key, 100_000_000), { _tag: "Damaged" }, `${length}`)
    }
  })
})

describe("a disk that does not do what it should", () => {
  /** The file system of Node, of which something is otherwise. */
  const changed = (change: (fs: FileSystem.FileSystem) => object) =>
    Layer.effect(FileSystem.FileSystem, Effect.map(FileSystem.FileSystem, (fs) => ({ ...fs, ...change(fs) }))).pipe(
      Layer.provideMerge(NodeServices.layer)
    )

  it.live("never answers, at any step: the service is asked", function*() {
    const methods = ["lstat", "rename", "open", "writeFile", "readDirectory", "utimes"] as const
    for (const method of methods.slice(0, runs(6, 2))) {
      const path = yield* directory
      const fs = changed(() => ({ [method]: () => Effect.never }))
      const { layer } = program(path, { fs, patience: Layer.empty })
      const { provenance } = yield* Effect.provide(chain(), layer)
      assert.strictEqual(provenance.source, "cache", method)
    }
  }, Layer.succeed(References.MinimumLogLevel, "None"))

  onDisk("is listed once an hour by a process that writes more than there is room for", function*(path) {
    let listed = 0
    const counted = changed(({ readDirectory }) => ({
      readDirectory: (path: string) => Effect.andThen(Effect.sync(() => listed++), readDirectory(path))
    }))
    const store = yield* Effect.provide(ReplyCache.makeDiskStore({ directory: path, maxBytes: 100_000 }), counted)
    for (let number = 0; number < 20; number++) yield* store.keep(`key ${number}`, [replyOf(number)])
    assert.strictEqual(listed, 1)
    assert.isAtMost(bytesIn(path), 100_000)
    yield* TestClock.adjust("61 minutes")
    for (let number = 0; number < 2; number++) yield* store.keep(`later ${number}`, [replyOf(number)])
    assert.strictEqual(listed, 2)
  })

  it.effect("is emptied while a program writes: what it writes answers", function*() {
    for (const method of ["writeFile", "rename"] as const) {
      const path = yield* begun
      const clear = Effect.provide(ReplyCache.clearDisk(path), NodeServices.layer)
      let left = 1
      const emptied = changed((fs) => ({
        [method]: (...given: [string, never]) =>
          Effect.andThen(given[0].includes(".reply.") && left-- > 0 ? clear : Effect.void, fs[method](...given))
      }))
      const store = yield* Effect.provide(ReplyCache.makeDiskStore({ directory: path, maxBytes: 100_000 }), emptied)
      yield* store.keep("one", [replyOf(1)])
      assert.strictEqual((yield* (yield* storeIn(path)).find("one"))._tag, "Kept", method)
    }
  })

  onDisk("does not fill where programs are killed while they write", function*(path) {
    const disk = { directory: path, maxBytes: 100_000 }
    const killed = changed(() => ({ rename: () => Effect.die("killed"), remove: () => Effect.void }))
    for (const [number, layer] of [NodeServices.layer, killed, NodeServices.layer].entries()) {
      const store = yield* Effect.provide(ReplyCache.makeDiskStore(disk), layer)
      yield* Effect.exit(store.keep(`key ${number}`, [replyOf(number)]))
      if (layer === killed) { for (const file of filesIn(path)) Fs.utimesSync(file, quoted - 3601, quoted - 3601) }
    }
    assert.deepStrictEqual(filesIn(path).map((name) => name.endsWith(".reply")), [true, true])
  })

  const broken = (
    error: PlatformError,
    ...methods: ReadonlyArray<"lstat" | "open" | "writeFile" | "makeDirectory" | "rename" | "remove">
  ) => changed(() => Object.fromEntries(methods.map((method) => [method, () => Effect.fail(error)])))
  const errorOf = (tag: "PermissionDenied" | "Unknown" | "BadResource" | "NotFound") =>
    systemError({ _tag: tag, module: "FileSystem", method: "write", cause: new Error("no space left on device") })

  const cases = [
    ["full", broken(errorOf("Unknown"), "writeFile")],
    ["read-only", broken(errorOf("PermissionDenied"), "makeDirectory", "writeFile", "rename", "remove")],
    // As where a link leads to a volume that is not there.
    ["gone", broken(errorOf("NotFound"), "writeFile")],
    ["full where a file is renamed", broken(errorOf("Unknown"), "rename")],
    ["not to be read", broken(errorOf("BadResource"), "lstat")],
    ["not to be opened", broken(errorOf("BadResource"), "open")]
  ] as const
  for (const [what, fs] of cases) {
    it.effect(`is ${what}: each call is asked, and a warning is logged once`, function*() {
      const path = yield* begun
      const logs: Array<unknown> = []
      const { http, layer } = program(path, { fs })
      // While it is being kept it answers from memory.
      const turn = Effect.promise(() => new Promise<void>((resume) => setTimeout(resume)))
      const log = Logger.layer([Logger.make(({ message }) => void logs.push(message))])
      const asked = Effect.repeat(Effect.tap(chain(), turn), { until: () => http.requests.length === 3 })
      const answers = yield* Effect.provide(asked, [layer, log])
      assert.deepStrictEqual(answers.findings, [])
      assert.strictEqual(http.requests.length, 3)
      assert.deepStrictEqual(logs.flat(), ["kept replies cannot be read or written; the service is asked"])
      const checked = Effect.flip(Effect.provide(ReplyCache.checkDisk(path), fs))
      if (what === "full") assert.include((yield* checked).message, "no space left on device")
      if (what.startsWith("full")) assert.deepStrictEqual(filesIn(path).filter((name) => !name.endsWith(".reply")), [])
    })
  }

  it.effect("has a file in the directory's place", function*() {
    yield* TestClock.setTime(quoted * 1000)
    const path = join(yield* directory, "file")
    Fs.writeFileSync(path, "in the way")
    assert.deepStrictEqual([yield* sourceIn(path), Fs.readFileSync(path, "utf8")], ["cache", "in the way"])
  })

  onDisk("has a directory in an entry's place", function*(path) {
    yield* sourceIn(path)
    const [file] = filesIn(path)
    Fs.rmSync(file!)
    Fs.mkdirSync(file!)
    assert.strictEqual(yield* sourceIn(path), "cache DamagedReply")
  })
})

describe("a cache on disk from outside", () => {
  const on = <A, E>(effect: Effect.Effect<A, E, FileSystem.FileSystem | Path.Path>) =>
    Effect.provide(effect, NodeServices.layer)
  const chains = (number: number): ReplyCache.KeptReply => ({ ...replyOf(number), endpoint: "optionChain" })

  onDisk("tells what it holds, and what of it is damaged, and is emptied", function*(path) {
    const nothing = { entries: 0, bytes: 0, damaged: 0, oldest: undefined, newest: undefined, endpoints: [] }
    assert.deepStrictEqual(yield* on(ReplyCache.diskStatus(join(path, "none"))), nothing)
    const store = yield* storeIn(path)
    yield* store.keep("one", [replyOf(7)])
    yield* store.keep("two", [chains(3)])
    yield* store.keep("three", [chains(9), chains(8)])
    const bytes = bytesIn(path)
    const { endpoints, ...rest } = yield* on(ReplyCache.diskStatus(path))
    assert.deepStrictEqual(rest, { entries: 3, bytes, damaged: 0, oldest: 3, newest: 9 })
    const counts = endpoints.map(({ endpoint, entries }) => `${endpoint} ${entries}`)
    assert.deepStrictEqual(counts, ["optionChain 2", "stockPrices 1"])
    assert.strictEqual(endpoints.reduce((sum, { bytes }) => sum + bytes, 0), bytes)
    for (const file of filesIn(path)) Fs.appendFileSync(file, "torn")
    assert.deepInclude(yield* on(ReplyCache.diskStatus(path)), { entries: 3, damaged: 3, newest: undefined })
    Fs.writeFileSync(`${filesIn(path)[0]!}.${crypto.randomUUID()}`, "1234")
    assert.deepStrictEqual(yield* on(ReplyCache.clearDisk(path)), { entries: 3, bytes: bytes + 3 * 4 + 4 })
    assert.deepStrictEqual(filesIn(path), [])
    assert.deepStrictEqual(yield* on(ReplyCache.diskStatus(path)), nothing)
    assert.deepStrictEqual(yield* on(ReplyCache.clearDisk(join(path, "none"))), { entries: 0, bytes: 0 })
  })

  onDisk("says why it cannot be written, and leaves nothing where it can", function*(path) {
    yield* on(ReplyCache.checkDisk(join(path, "new")))
    assert.deepStrictEqual(filesIn(join(path, "new")), [])
    Fs.writeFileSync(join(path, "file"), "in the way")
    for (const look of [ReplyCache.checkDisk, ReplyCache.diskStatus, ReplyCache.clearDisk]) {
      const error = yield* Effect.flip(on(look(join(path, "file")) as Effect.Effect<unknown, PlatformError, Path.Path>))
      assert.match(error.message, /file" must be a directory, not a symbolic link, e\.g\. \/var\/cache\/desk/)
    }
  })

  it.effect("refuses what is not a path", function*() {
    for (const wrong of ["", "a\0b", undefined, 7]) {
      for (const look of [ReplyCache.checkDisk, ReplyCache.diskStatus, ReplyCache.clearDisk]) {
        const error = yield* Effect.flip(on(look(wrong as string) as Effect.Effect<unknown, Error, Path.Path>))
        assert.match(error.message, /^directory .* must be the path of a directory, e\.g\. \/var\/cache\/desk/)
      }
    }
  })
})

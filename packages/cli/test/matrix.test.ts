/** Every command in every trouble: what it exits with, what goes to standard output, what to standard error. */
import { Effect, Fiber, Schema } from "effect"
import { TestClock, TestConsole } from "effect/testing"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isFull } from "../../core/test/support/depth.ts"
import { afterAll, assert, describe, it } from "../../core/test/support/it.ts"
import * as Loopback from "../../core/test/support/loopback.ts"
import { Failure } from "./support/documents.ts"
import { everyCommand, read } from "./support/everyCommand.ts"
import { codeOf, noon, type Place, type Printed, run } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const folder = Started.folder()
const broken = join(folder, "broken")
mkdirSync(broken)
writeFileSync(join(broken, "config.yaml"), "mode: [\n")

/** The sandbox, in the middle of a session that does not pass. */
const baseUrl = await Started.sandbox(noon)
/** What happens when the next request arrives. */
let arrived = () => {}
/** A service that takes every request and never answers. */
const silent = await Loopback.serve(() => arrived())
afterAll(silent.close)
/** An address where nobody listens. */
const closedUrl = "http://127.0.0.1:9"

const at = (url: string, token = "sandbox-paid") => ({ MARKETDATA_BASE_URL: url, MARKETDATA_TOKEN: token })

/** Each command has a home of its own, which it makes where it keeps something. */
let homes = 0

const ran = (words: ReadonlyArray<string>, place: Place = {}) =>
  Effect.andThen(
    TestClock.setTime(noon * 1000),
    run(words, {
      input: "sandbox-paid\n",
      services: Started.noKeychain("none"),
      ...place,
      variables: { MARKETDATA_HOME: join(folder, `home-${homes++}`), ...place.variables }
    })
  )

/** What is tried with a command, its words without arguments and a line of it that is right. */
const troubles = {
  nothing: (name) => ran(name, { variables: at(baseUrl) }),
  nonsense: (name) => ran([...name, "☃"], { variables: at(baseUrl) }),
  "a misspelt flag": (_, line) => ran([...line, "--fromat", "json"], { variables: at(baseUrl) }),
  "a broken file of settings": (_, line) => ran(line, { variables: { MARKETDATA_HOME: broken } }),
  "no network": (_, line) => ran(line, { variables: at(closedUrl) }),
  "a refused token": (_, line) => ran(line, { variables: at(baseUrl, "not-its-token") }),
  "the free plan": (_, line) => ran(line, { variables: at(baseUrl, "sandbox-free") }),
  "no trouble": (_, line) => ran(line, { variables: at(baseUrl) })
} satisfies Readonly<
  Record<string, (name: ReadonlyArray<string>, line: ReadonlyArray<string>) => Effect.Effect<Printed, never, never>>
>

/** What commands exit with, in the order of the troubles, where it is not what others of their kind do. */
const codes: Readonly<Record<string, string>> = {
  chain: "2 2 2 2 7 6 6 0",
  look: "2 2 2 2 7 6 6 0",
  "market status": "0 2 2 2 7 6 0 0",
  "estimate market status": "0 2 2 2 0 0 0 0",
  plan: "2 2 2 2 0 0 0 0",
  planner: "0 2 2 0 0 0 0 0",
  "auth login": "2 2 2 2 7 0 0 0",
  "auth logout": "0 2 2 0 0 0 0 0",
  "auth status": "0 2 2 6 7 6 0 0",
  "config list": "0 2 2 2 0 0 0 0",
  "config get": "2 2 2 2 0 0 0 0",
  "config set": "2 2 2 2 0 0 0 0",
  "config unset": "2 2 2 2 0 0 0 0",
  "config path": "0 2 2 0 0 0 0 0",
  account: "0 2 2 2 7 6 0 0",
  "cache status": "0 2 2 2 0 0 0 0",
  "cache clear": "2 2 2 2 0 0 0 0",
  doctor: "0 2 2 1 1 1 0 0",
  contract: "0 2 2 2 9 9 9 0"
}

/** What one that asks exits with, what its estimate does, and what a command that only computes does. */
const codesOf = (name: string): string =>
  codes[name] ??
    (name.startsWith("symbol ")
      ? "2 2 2 0 0 0 0 0"
      : name.startsWith("estimate ")
      ? "2 2 2 2 0 0 0 0"
      : "2 2 2 2 7 6 0 0")

/** Lines that are tried where the first example is not the one to try. */
const lines: Readonly<Record<string, string>> = {
  chain: "marketdata chain F --mode cached",
  "auth login": "marketdata auth login --with-token",
  look: "marketdata look F --mode cached --terminal",
  contract: "marketdata contract --budget 3 --clause 2.1-mid",
  plan: "marketdata plan docs/guide/cli/desk.yaml",
  run: "marketdata run docs/guide/cli/backfill.yaml -o DIR"
}

const lineOf = ({ examples, name }: (typeof everyCommand)[number]): ReadonlyArray<string> =>
  read(lines[name] ?? examples[0]!).words.map((word) => word === "DIR" ? join(folder, `out-${homes++}`) : word)

/** The same line for programs, for which nothing is drawn in the terminal. */
const inJson = (line: ReadonlyArray<string>) => [...line.filter((word) => word !== "--terminal"), "--json"]

/** The sandbox and the server for agents run until they are stopped, and have their own tests. By default one estimate meets the troubles that all others meet. */
const tried = everyCommand.filter(({ name }) =>
  !/^(?:sandbox|mcp)$/.test(name) && (isFull || !/^estimate (?!chain)/.test(name))
)

/** Commands that ask the service. */
const asking = tried.filter(({ name }) =>
  !/^(?:estimate|planner|plan|run|symbol|auth|config|contract|doctor|account|cache)\b/.test(name)
)

/** Commands whose report is data also where they end in a failure. */
const reports = ["config list", "contract", "doctor", "run", "symbol explain"]

const escape = "\u001b["

const decodeFailure = Schema.decodeUnknownSync(Schema.fromJsonString(Failure))

/** Data where it ended well; else nothing but the failure, in a line, and what to do next. */
const isInPlace = ({ code, errors, out }: Printed): void => {
  assert.notInclude(out + errors, escape)
  if (code === 0) return assert.notMatch(errors, /^error:/m)
  assert.match(errors, /(?:^|\n)error: [^\n]+(?:\n {7}[^\n]+)?$/)
}

describe("a command in trouble", () => {
  for (const command of tried) {
    const { name } = command
    const expected = codesOf(name).split(" ").map(Number)
    for (const [at, [trouble, run]] of Object.entries(troubles).entries()) {
      it.effect(`marketdata ${name} exits with ${expected[at]}: ${trouble}`, function*() {
        const line = lineOf(command)
        const ended = yield* run(name.split(" "), line)
        assert.strictEqual(ended.code, expected[at], ended.errors)
        isInPlace(ended)
        if (trouble === "a misspelt flag") {
          assert.strictEqual(ended.out, "")
          assert.match(ended.errors, /^error: [^\n]*--fromat[^\n]*\n {7}did you mean [^\n]*--format\b[^\n]*\?$/)
        }
        if (ended.code === 0) return
        const asJson = yield* run([...name.split(" "), "--json"], inJson(line))
        if (!reports.includes(name)) assert.strictEqual(ended.out + asJson.out, "")
        assert.strictEqual(decodeFailure(asJson.errors).error.code, ended.code)
      })
    }
  }
})

describe("a command on a terminal", () => {
  const width = (text: string): number => Math.max(...text.split("\n").map((line) => line.length))

  for (const command of asking) {
    it.effect(`marketdata ${command.name} fits it`, function*() {
      const place = { variables: at(baseUrl), columns: Effect.succeed(40) }
      const { code, errors, out } = yield* ran(lineOf(command), place)
      assert.strictEqual(code, 0, errors)
      assert.isAtMost(width(out), 40)
      assert.notInclude(out + errors, escape)
    })
  }

  const terminal = { isTerminal: true, drawn: [], status: [] }

  it.effect.each<[string, string, boolean, Place]>([
    ["is in colour on a terminal", "", true, terminal],
    ["is not where NO_COLOR is set", "", false, { ...terminal, variables: { NO_COLOR: "1" } }],
    ["is not with --color never", " --color never", false, terminal],
    ["is with --color always", " --color always", true, {}]
  ])("%s", function*([, flags, isColoured, place]) {
    const words = `stock quote AAPL MSFT${flags}`.split(" ")
    const { errors, out } = yield* ran(words, { ...place, variables: { ...at(baseUrl), ...place.variables } })
    assert.strictEqual((out + errors).includes(escape), isColoured)
  })
})

describe("a command that is stopped", () => {
  const stop = Effect.fnUntraced(function*(words: ReadonlyArray<string>) {
    const before = (yield* TestConsole.errorLines).length
    const asked = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const fiber = yield* Effect.forkChild(ran(words, { variables: at(silent.baseUrl) }))
    yield* Effect.promise(() => asked)
    yield* Fiber.interrupt(fiber)
    return {
      code: codeOf(yield* Fiber.await(fiber)),
      out: (yield* TestConsole.logLines).join("\n"),
      errors: (yield* TestConsole.errorLines).slice(before).join("\n")
    }
  })

  for (const command of asking) {
    it.effect(`marketdata ${command.name} says what was spent and what may have been, and exits with 130`, function*() {
      const line = lineOf(command)
      const { code, errors, out } = yield* stop(line)
      assert.deepStrictEqual([code, out], [130, ""])
      assert.match(errors, /(?:^|\n)stopped: 0 credits spent(?:, and perhaps up to [^\n]+ more)?$/)
      const asJson = yield* stop(inJson(line))
      assert.deepStrictEqual([asJson.code, asJson.out], [130, ""])
      const { error } = decodeFailure(asJson.errors)
      assert.deepNestedInclude(error, { code: 130, "credits.charged": 0 })
    })
  }
})

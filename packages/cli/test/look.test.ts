/** `marketdata look`: where the page goes, when it opens, and what is drawn instead. */
import type { OptionChain } from "@effect-marketdata/core"
import { Chains } from "@effect-marketdata/testing"
import { Context, Effect } from "effect"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "../../core/test/support/it.ts"
import * as Loopback from "../../core/test/support/loopback.ts"
import { problemsOf } from "../../pictures/test/support/html.ts"
import { OpenPage } from "../src/output/programs.ts"
import { marketdata, type Place } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const folder = Started.folder()
const opened: Array<string> = []
const run = (line: string, variables: Readonly<Record<string, string>> = {}, place: Place = {}) =>
  marketdata(`look F --mode cached ${line}`, {
    ...place,
    variables: { MARKETDATA_HOME: join(folder, "home"), ...variables },
    services: Context.make(OpenPage, (address) => Effect.sync(() => (opened.push(fileURLToPath(address)), true)))
  })

it.effect("writes a page for its user alone, says where it is, and what it cost", function*() {
  const { code, errors, out } = yield* run("")
  const file = join(folder, "home", "cache", "look", "F.html")
  assert.deepStrictEqual([code, out, opened], [0, file, []], errors)
  assert.match(errors, /charge: {5}1 credit/)
  assert.strictEqual(statSync(file).mode & 0o777, 0o600)
  const html = readFileSync(file, "utf8")
  assert.deepStrictEqual(problemsOf(html), [])
  const wordses = [
    /\d\d:\d\d:\d\d EST/,
    /asked as cached/,
    /quotes [a-z-]+, \d+ (?:s|min) ago/,
    /1 credit \u00b7 synthetic data of the embedded sandbox/
  ]
  for (const words of wordses) assert.match(html, words)
})

it.effect("opens it where somebody looks at a display, unless told not to", function*() {
  const [terminal, display] = [{ isTerminal: "output" }, { DISPLAY: ":0" }] as const
  yield* run("", display)
  yield* run("--no-open", display, terminal)
  assert.deepStrictEqual(opened, [])
  yield* run("", display, terminal)
  assert.lengthOf(opened, 1)
})

it.effect("draws what was paid, also if the service tells times that are not valid", function*() {
  const identity = { optionSymbol: "F261218C00010000", underlying: "F", side: "call", strike: 10 } as const
  const times = { expiration: 1797627600, updated: 1795208400000 }
  const row = { ...Object.fromEntries(Chains.names.map((name) => [name, null])), ...identity, ...times }
  const body = Chains.body([row as unknown as OptionChain.Row])
  const { baseUrl } = yield* Loopback.scoped((_, response) => response.end(body))
  const at = { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "a" }
  const { code, errors } = yield* run("--expiration all", at)
  assert.strictEqual(code, 0, errors)
})

it.effect("draws a picture, and a smile in the terminal, with letters where it knows no others", function*() {
  const svg = yield* run("--format svg --chart term")
  assert.match(svg.out, /^<svg xmlns=[^]*Volatility at the money[^]*<\/svg>$/)
  const file = join(folder, "smile.svg")
  yield* run(`-o ${file}`)
  assert.deepStrictEqual(problemsOf(readFileSync(file, "utf8")), [])
  assert.match((yield* run("--terminal")).out, /^Smile, [^]*[\u2801-\u28ff]{3}/)
  for (const variables of [{ TERM: "dumb" }, { LC_ALL: "C" }, { LANG: "POSIX" }]) {
    assert.match((yield* run("--terminal", variables)).out, /^[ -~\n]+$/)
  }
  assert.notMatch((yield* run("--terminal", { LC_ALL: "C.UTF-8", LANG: "C" })).out, /^[ -~\n]+$/)
})

/** Every example of every command's help does what it says. */
import { Context, Effect, Fiber, Redacted } from "effect"
import { TestClock, TestConsole } from "effect/testing"
import { join } from "node:path"
import { assert, it } from "../../core/test/support/it.ts"
import { Keychain } from "../src/settings/tokenStore.ts"
import { everyCommand, read } from "./support/everyCommand.ts"
import { noon, type Place, run, turn } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const token = "sandbox-paid"

/** A keychain that holds a token. */
const keychain = Context.make(Keychain, {
  read: () => Effect.succeed(Redacted.make(token)),
  write: () => Effect.void,
  remove: () => Effect.void
})

/** Commands that run until they are stopped. */
const isStopped = (words: ReadonlyArray<string>): boolean =>
  words[0] === "sandbox" || words.includes("--watch") || words.includes("--http")

/** Stops a command once it has printed something. */
const stopped = Effect.fnUntraced(function*(words: ReadonlyArray<string>, place: Place) {
  // A port that is named may be taken here.
  const fiber = yield* Effect.forkChild(run(words.map((word) => /^8\d{3}$/.test(word) ? "0" : word), place))
  const lines = Effect.map(Effect.all([TestConsole.logLines, TestConsole.errorLines]), (all) => all.flat())
  while ((yield* lines).length === 0) yield* turn
  const out = (yield* lines).join("\n")
  yield* Fiber.interrupt(fiber)
  return { code: 0, out, errors: "" }
})

const folder = Started.folder()
const baseUrl = await Started.sandbox(noon)

it("are three of each command", () => {
  for (const { examples, name } of everyCommand) {
    assert.lengthOf(examples, 3, name)
    for (const example of examples) assert.include(example, `marketdata ${name}`)
  }
})

for (const [at, example] of everyCommand.flatMap(({ examples }) => examples).entries()) {
  it.effect(example, function*() {
    yield* TestClock.setTime(noon * 1000)
    const { file, piped, words: typed } = read(example)
    const words = typed.map((word, at) => /^(?:-o|--output)$/.test(typed[at - 1] ?? "") ? join(folder, word) : word)
    // Who logs in does so at a service; every other example runs without one.
    const isAbout = words[0] === "auth"
    const variables = {
      MARKETDATA_HOME: join(folder, `home-${at}`),
      ...(isAbout ? { MARKETDATA_BASE_URL: baseUrl } : {}),
      ...(isAbout && words[1] === "status" ? { MARKETDATA_TOKEN: token } : {})
    }
    const place: Place = {
      variables,
      input: piped ?? (file === undefined ? "" : `${token}\n`),
      ...(isAbout ? { services: keychain } : {}),
      ...(example === "marketdata auth login" ? { isTerminal: true, keys: [...token, "enter"] } : {})
    }
    const { code, errors, out } = yield* isStopped(words) ? stopped(words, place) : run(words, place)
    if (words[1] === "explain" && code !== 0) {
      // What is explained is a mistake: the explanation is the data, and a script sees by the code that it is one.
      assert.strictEqual(code, 2)
      assert.include(out, "probably meant")
      return
    }
    assert.strictEqual(code, 0, errors)
    // A setting that is not set prints nothing, nor does a server without requests.
    if (words[0] !== "config" && words[0] !== "mcp") assert.notStrictEqual(out, "")
    assert.notInclude(errors, "error:")
  })
}

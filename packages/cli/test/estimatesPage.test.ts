import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, it } from "../../core/test/support/it.ts"
import * as Document from "./support/documents.ts"
import { words } from "./support/everyCommand.ts"
import { run } from "./support/printed.ts"

const root = new URL("../../../", import.meta.url)

const page = readFileSync(new URL("docs/guide/cli/estimates.md", root), "utf8")

/** The commands of the page with what it says that they print. */
const sessions = [...page.matchAll(/```sh\nmarketdata (.*)\n```\n\n```(json)?\n([\s\S]*?)\n```/g)].map(
  ([, line = "", , printed = ""]) => ({ line, printed })
)

it("shows at least six commands", () => assert.isAtLeast(sessions.length, 6))

it.effect.each(sessions)("prints what it says: marketdata $line", function*({ line, printed }) {
  const typed = words(line).map((word) => word.startsWith("docs/") ? fileURLToPath(new URL(word, root)) : word)
  const { code, errors, out } = yield* run(typed, { columns: Effect.succeed(100) })
  assert.strictEqual(code, 0, errors)
  assert.strictEqual(errors, "")
  if (!typed.includes("--json")) return assert.strictEqual(out.replaceAll(/ +$/gm, ""), printed)
  Schema.decodeUnknownSync(Document.Estimated)(JSON.parse(out))
  assert.deepStrictEqual(JSON.parse(printed), JSON.parse(out))
})

it("shows the plan that is in the file", () => {
  const [, shown] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  assert.strictEqual(shown, readFileSync(new URL("docs/guide/cli/desk.yaml", root), "utf8"))
})

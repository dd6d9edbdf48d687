import { lintSource } from "@secretlint/core"
import { creator as preset } from "@secretlint/secretlint-rule-preset-recommend"
import { extname } from "node:path"
import * as Command from "../shared/command.ts"
import * as Files from "../shared/files.ts"
import type { Rule } from "./rule.ts"

/** Secrets that Secretlint's preset does not know, and the files in which they are leaks, by default all. A token has letters of both cases and digits. */
const leaks: ReadonlyArray<{ readonly what: string; readonly pattern: RegExp; readonly only?: RegExp }> = [
  { what: "a JSON web token", pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g },
  {
    what: "an account's token",
    pattern:
      /\b(?:Bearer\s+|MARKETDATA_TOKEN["']?\s*[:=]\s*["'`]?)(?=[\w.~+/-]*[a-z])(?=[\w.~+/-]*[A-Z])(?=[\w.~+/-]*\d)[\w.~+/-]{24,}/g
  },
  { what: "a path of one machine", pattern: /(?:file:\/\/|(?<![\w.~*}/-]))\/(?:work|root|home|Users)\/[\w.-]+/g },
  { what: "the address of a registry", pattern: /^\s*(?:@[\w-]+:)?registry\s*=\s*\S+/gm, only: /(?:^|\/)\.npmrc$/ }
]

const rules = [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: preset }]

/** Reports secrets in a file, without printing them. */
export const inspect = async (file: string, text: string): Promise<ReadonlyArray<string>> => {
  const { messages } = await lintSource({
    source: { filePath: file, content: text, ext: extname(file), contentType: "text" },
    options: { config: { rules }, maskSecrets: true, noPhysicFilePath: true }
  })
  const known = messages.map(({ loc, message }) => `${file}:${loc.start.line} ${message.replaceAll(/\*+/g, "***")}`)
  const ours = leaks.filter(({ only }) => only === undefined || only.test(file)).flatMap(({ pattern, what }) =>
    Array.from(text.matchAll(pattern), ({ index }) => `${file}:${Files.lineAt(text, index)} ${what}`)
  )
  return [...known, ...ours]
}

export const secrets: Rule = {
  why:
    "What is pushed once is known for good: tokens and keys, and where a machine keeps its files and gets its packages.",
  run: async (root) => {
    // The text files of the repository: also those not yet committed, but not those that are ignored.
    const { ok, output, stdout } = await Command.run("git", ["grep", "--untracked", "-Ilz", ""], { cwd: root })
    const files = stdout.split("\0").filter((path) => path !== "")
    const problems: Array<string> = ok ? [] : [`git cannot list the files: ${output}`]
    for (const file of files) problems.push(...await inspect(file, Files.text(root, file)))
    return { problems, notes: [`${files.length} files`] }
  }
}

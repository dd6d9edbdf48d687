import { lintSource } from "@secretlint/core"
import { creator as preset } from "@secretlint/secretlint-rule-preset-recommend"
import { readFileSync } from "node:fs"
import { extname, join } from "node:path"
import * as Command from "../shared/command.ts"
import type { Rule } from "./rule.ts"

/** What Secretlint's preset does not know. */
interface Leak {
  readonly what: string
  readonly pattern: RegExp
  /** The files in which it is one; without it, all. */
  readonly only?: RegExp
  readonly isHarmless?: (found: string) => boolean
}

/** Bits a character of a text carries on average: words and placeholders have fewer than random tokens. */
const entropy = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0)
}

/** True for what stands for a token in tests and documents: `your-token-here`, `aaaaaaaaaaaaaaaa`. */
const isPlaceholder = (token: string): boolean =>
  !/[a-z]/.test(token) || !/[A-Z]/.test(token) || !/\d/.test(token) || entropy(token) < 3.5

const leaks: ReadonlyArray<Leak> = [
  { what: "a JSON web token", pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g },
  { what: "an AWS access key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { what: "a bearer token", pattern: /\bBearer\s+([\w.~+/-]{24,}=*)/gi, isHarmless: isPlaceholder },
  {
    what: "an account's token",
    pattern: /\bMARKETDATA_TOKEN["']?\s*[:=]\s*["'`]?([\w.~+/-]{16,})/g,
    isHarmless: isPlaceholder
  },
  { what: "a path of one machine", pattern: /(?:file:\/\/|(?<![\w.~*}/-]))\/(?:work|root|home|Users)\/[\w.-]+/g },
  { what: "the address of a registry", pattern: /^\s*(?:@[\w-]+:)?registry\s*=\s*\S+/gm, only: /(?:^|\/)\.npmrc$/ }
]

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

/** Says what of a file must not be published, without repeating it. */
export const inspect = async (file: string, text: string): Promise<ReadonlyArray<string>> => {
  const { messages } = await lintSource({
    source: { filePath: file, content: text, ext: extname(file), contentType: "text" },
    options: {
      config: { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: preset }] },
      maskSecrets: true,
      noPhysicFilePath: true
    }
  })
  const known = messages.map(({ loc, message }) => `${file}:${loc.start.line} ${message.replaceAll(/\*+/g, "***")}`)
  const ours = leaks
    .filter(({ only }) => only === undefined || only.test(file))
    .flatMap(({ isHarmless, pattern, what }) =>
      Array.from(text.matchAll(pattern))
        .filter(([whole, token = whole]) => isHarmless?.(token) !== true)
        .map(({ index }) => `${file}:${lineAt(text, index)} ${what}`)
    )
  return [...known, ...ours]
}

/** Returns what a text file holds; undefined for a binary file, and for one that was deleted but not yet committed. */
const readText = (path: string): string | undefined => {
  try {
    const bytes = readFileSync(path)
    return bytes.includes(0) ? undefined : bytes.toString("utf8")
  } catch {
    return undefined
  }
}

export const secrets: Rule = {
  why:
    "What is pushed once is known for good: tokens and keys, and where a machine keeps its files and gets its packages.",
  run: async (root) => {
    const problems: Array<string> = []
    for (const file of await Command.files(root)) {
      const text = readText(join(root, file))
      if (text !== undefined) problems.push(...await inspect(file, text))
    }
    return { problems }
  }
}

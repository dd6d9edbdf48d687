import { assert, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../..")

/** Words that docs/glossary.md has others for, in names, comments and texts alike. */
const dropped =
  /egress|\btill\b|\bmanner|modeAsked|\bparted\b|\bdoors?\b|\bso many\b|\bwhoever\b|(?<!there )\b(?:is|are) none\b|\b(?:it|that|this|what|which) is no [a-z]+\b(?<!longer|more|older|newer|better)/i

/** A check of the contract suite asks in plain English, and the command line prints that; a URL has a question mark. */
const question = /questions?(?! mark)/i
const asksInEnglish = /packages[/\\](?:testing[/\\]src[/\\]contract[/\\]|cli[/\\]src[/\\]commands[/\\]contract\.ts)/

const files = globSync(["packages/*/src/**/*.ts", "packages/*/README.md", "docs/guide/*.md", "README.md"], {
  cwd: root
})

const linesWith = (word: RegExp, except?: RegExp): ReadonlyArray<string> =>
  files.filter((file) => except?.test(file) !== true).flatMap((file) =>
    readFileSync(join(root, file), "utf8").split("\n").flatMap((line, at) =>
      word.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : []
    )
  )

it("looks at the sources and the guide", () => assert.isAbove(files.length, 300))

it("is kept: none of the words that it dropped is left", () => assert.deepStrictEqual(linesWith(dropped), []))

it("has one meaning for a question", () => assert.deepStrictEqual(linesWith(question, asksInEnglish), []))

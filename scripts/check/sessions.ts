/** Recorded sessions of the command line: a page has the commands, and each session as text and as a picture. They are run again and compared. */
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { picture, plain } from "../../packages/cli/test/support/picture.ts"
import { record, size } from "../../packages/cli/test/support/record.ts"
import * as Files from "../shared/files.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

const guide = "docs/guide/cli"
const folder = `${guide}/sessions`

/** A session on the page: the commands, then the picture of their output, which links to the text. */
const session = /```sh\n([^`]+)\n```\n\n\[!\[[^\]]*\]\(sessions\/(\w+)\.svg\)\]\(sessions\/\2\.txt\)/g

/** The files of all sessions of a page, by their names. */
const filesOf = async (page: string): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>()
  for (const [, lines = "", name] of page.matchAll(session)) {
    const shown = await record(lines.split("\n"))
    const text = plain(shown).split("\n").map((line) => line.trimEnd()).join("\n")
    files.set(`${name}.txt`, `${text}\n`)
    files.set(`${name}.svg`, picture(shown, size.columns))
  }
  return files
}

export const sessions: Rule = {
  why: "A page that shows what a program no longer prints is believed until it is tried.",
  run: async (root, write = false) => {
    const files = await filesOf(Files.text(root, guide, "README.md"))
    if (write) rmSync(join(root, folder), { recursive: true, force: true })
    mkdirSync(join(root, folder), { recursive: true })
    const different = [...files].flatMap(([name, text]) =>
      Written.file({ root, path: `${folder}/${name}`, rule: "sessions", write, exact: true }, text)
    )
    const left = readdirSync(join(root, folder)).filter((name) => !files.has(name))
      .map((name) => `${folder}/${name} is of no session of the page`)
    return { problems: [...different, ...left], notes: [`${files.size / 2} sessions`] }
  }
}

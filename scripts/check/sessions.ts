/** Recorded sessions of the command line, in docs/guide/cli/: each task as text and as a picture. They are typed anew and compared. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Rule } from "./rule.ts"
import { picture, plain } from "./sessions/picture.ts"
import { record, size } from "./sessions/record.ts"
import { type Task, tasks } from "./sessions/tasks.ts"

const guide = "docs/guide/cli"
const folder = `${guide}/sessions`
const page = `${guide}/README.md`
const between = /(?<=<!-- sessions -->\n)[^]*(?=<!-- \/sessions -->)/

/** How a task stands on the page. */
const section = ({ lines, name, note, title }: Task): string =>
  [
    `### ${title}`,
    "",
    note,
    "",
    "```sh",
    ...lines,
    "```",
    "",
    `[![${title}](sessions/${name}.svg)](sessions/${name}.txt)`,
    ""
  ].join("\n")

/** The files of all sessions, by their names. */
const filesOf = async (): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>()
  for (const { lines, name } of tasks) {
    const shown = await record(lines)
    const text = plain(shown).split("\n").map((line) => line.trimEnd()).join("\n")
    files.set(`${name}.txt`, `${text}\n`)
    files.set(`${name}.svg`, picture(shown, size.columns))
  }
  return files
}

const read = (path: string): string | undefined => existsSync(path) ? readFileSync(path, "utf8") : undefined

export const sessions: Rule = {
  why: "A page that shows what a program no longer prints is believed until it is tried.",
  run: async (root, write = false) => {
    const files = await filesOf()
    const text = read(join(root, page)) ?? ""
    if (!between.test(text)) {
      return { problems: [`${page} has no place for the sessions, between <!-- sessions --> and <!-- /sessions -->`] }
    }
    const current = text.replace(between, () => `\n${tasks.map(section).join("\n")}\n`)
    if (write) {
      rmSync(join(root, folder), { recursive: true, force: true })
      mkdirSync(join(root, folder))
      for (const [name, text] of files) writeFileSync(join(root, folder, name), text)
      writeFileSync(join(root, page), current)
    }
    const there = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []
    const different = [...files].filter(([name, text]) => read(join(root, folder, name)) !== text).map(([name]) => name)
    const left = there.filter((name) => !files.has(name))
    const stale = [...different, ...left].map((name) => `${folder}/${name}`).concat(
      text === current || write ? [] : [page]
    )
    return {
      problems: stale.map((path) =>
        `${path} is not what the command line prints: \`npm run check -- sessions --write\``
      ),
      notes: [`${tasks.length} sessions`]
    }
  }
}

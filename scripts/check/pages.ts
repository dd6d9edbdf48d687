/** Checks what a page tells its reader to do: that it installs what its programs import, and that its links lead somewhere, wherever it is read. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Files from "../shared/files.ts"
import * as Fence from "./examples/fence.ts"
import type { Rule } from "./rule.ts"
import * as Workspace from "./workspace.ts"

/** The pages whose programs are run. */
export const documents = ["README.md", "docs/index.md", "docs/guide/**/*.md", "packages/*/README.md"]
/** Pages that the registry shows too, where only absolute links and those within the tarball work. */
const packed = ["packages/*/{README,AGENTS,CHANGELOG}.md"]

/** The packages that a program imports. */
const importsOf = (code: string): ReadonlyArray<string> =>
  Array.from(code.matchAll(/^(?:import|export) [^"]*?from "((?:@[^/"]+\/)?[^/"]+)/gm), ([, name = ""]) => name)
    .filter((name) => !/^(?:node:|\.)/.test(name))

/** The packages that the commands of a page install. */
const installedBy = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/^npm i (.+)$/gm), ([, names = ""]) => names.split(" ")).flat()

const missing = (file: string, text: string): ReadonlyArray<string> => {
  const needed = new Set(Fence.extract(file, text).fences.flatMap(({ code }) => importsOf(code)))
  const absent = [...needed].filter((name) => !installedBy(text).includes(name)).toSorted()
  return absent.length === 0 ? [] : [`${file} installs no ${absent.join(", ")}, which its programs import`]
}

/** What the programs of an example application import and its manifest does not name. */
const unnamed = (root: string, path: string): ReadonlyArray<string> => {
  const { dependencies, devDependencies } = Files.json(root, path)
  const named = Object.keys({ ...dependencies, ...devDependencies })
  const programs = Files.found(root, `${dirname(path)}/*.{ts,ipynb}`)
  const textOf = (file: string) => Files.text(root, file).replaceAll(/^ *"(?=import )|\\(?=")/gm, "")
  const imported = programs.flatMap((file) => importsOf(textOf(file)))
  return [...new Set(imported)].filter((name) => !named.includes(name)).map((name) => `${path} does not name ${name}`)
}

const anchorOf = (heading: string): string =>
  heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(/\s/g, "-")

const hasAnchor = (text: string, anchor: string): boolean =>
  Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = ""]) => anchorOf(heading)).includes(anchor)

/** The links of a page that lead to no file or heading of the repository; those of a packed one have to be absolute, or of its tarball. */
const stray = (root: string, file: string, text: string, repository: string, isPacked: boolean) =>
  Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link).flatMap((link) => {
    const [, own] = /^\/(?:blob|tree)\/main\/(.+)$/.exec(link.replace(repository, "")) ?? []
    if (own === undefined && /^[a-z]+:/.test(link)) return []
    const [path = "", anchor] = (own ?? link).split("#")
    const target = own === undefined ? path === "" ? file : join(dirname(file), path) : path
    const isReached = !isPacked || own !== undefined || dirname(target) === dirname(file)
    const isThere = isReached && existsSync(join(root, target))
    const leads = isThere && (anchor === undefined || hasAnchor(Files.text(root, target), anchor))
    return leads ? [] : [`${file}: ${link} leads nowhere${isPacked ? " at the registry" : ""}`]
  })

export const pages: Rule = {
  why:
    "Who follows a page word by word must come to its end: its programs run after its own line, and its links lead somewhere.",
  run: async (root) => {
    const url = Workspace.address(root)
    const read = (patterns: ReadonlyArray<string>) =>
      Files.found(root, patterns).map((file) => [file, Files.text(root, file)] as const)
    return {
      problems: [
        ...read(documents).flatMap(([file, text]) => missing(file, text)),
        ...Files.found(root, "docs/examples/*/package.json").flatMap((path) => unnamed(root, path)),
        ...read(["*.md", "docs/**/*.md"]).flatMap(([file, text]) => stray(root, file, text, url, false)),
        ...read(packed).flatMap(([file, text]) => stray(root, file, text, url, true))
      ]
    }
  }
}

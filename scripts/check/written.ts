/**
 * What rules write: files and parts of pages that they generate, which are compared with what is there unless `write` is set; and code for the compiler.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Files from "../shared/files.ts"

/** Where a text belongs, and which rule writes it. */
interface Place {
  readonly root: string
  readonly path: string
  readonly rule: string
  readonly write: boolean
  /** Whether white space counts; not in files that dprint formats. */
  readonly exact?: boolean
}

const present = ({ path, root }: Place): string => {
  const file = join(root, path)
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}

const isSame = (a: string, b: string, exact = false): boolean => {
  const [one, other] = [a, b].map((text) => exact ? text : text.replaceAll(/\s/g, "").replaceAll(/--+/g, "--"))
  return one === other
}

/** A whole file. Says what is wrong with it, if anything is. */
export const file = (place: Place, text: string): ReadonlyArray<string> => {
  const { exact, path, root, rule, write } = place
  if (isSame(present(place), text, exact)) return []
  if (!write) return [`${path} is out of date: \`npm run check -- ${rule} --write\` writes it`]
  writeFileSync(join(root, path), text)
  return []
}

/** Parts of a page by their names, each between `<!-- name -->` and `<!-- /name -->`. */
export const parts = (place: Place, texts: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const problems: Array<string> = []
  let page = present(place)
  for (const [name, text] of Object.entries(texts)) {
    const between = new RegExp(`(?<=<!-- ${name} -->\n)[^]*(?=<!-- /${name} -->)`)
    if (!between.test(page)) problems.push(`${place.path} has no place for <!-- ${name} --> and <!-- /${name} -->`)
    page = page.replace(between, () => `\n${text}\n\n`)
  }
  return problems.length > 0 ? problems : file(place, page)
}

/**
 * Lays out code for the compiler, in a folder below dist/, which every tool ignores, and returns it. What is included, by default the files in `written/`, is
 * a project of the compiler.
 */
export const layOut = (root: string, name: string, files: Map<string, string>, options = {}, include = ["written"]) => {
  const folder = join(root, "dist", name)
  const compilerOptions = { composite: false, declaration: false, declarationMap: false, noEmit: true, ...options }
  const project = { extends: "../../tsconfig.base.json", compilerOptions, include }
  rmSync(folder, { recursive: true, force: true })
  Files.writeAll(folder, [...files, ["tsconfig.json", JSON.stringify(project)]])
  return folder
}

/** Code that a rule makes, laid out for the compiler. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Writes files to a folder below dist/, which every tool ignores, and returns it. The files in `written/` are a project of the compiler. */
export const layOut = (root: string, name: string, files: ReadonlyMap<string, string>, compilerOptions = {}) => {
  const folder = join(root, "dist", name)
  const own = { composite: false, declaration: false, declarationMap: false, noEmit: true, ...compilerOptions }
  const project = { extends: "../../tsconfig.base.json", compilerOptions: own, include: ["written"] }
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of [...files, ["tsconfig.json", JSON.stringify(project)] as const]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

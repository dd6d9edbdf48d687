/**
 * The planner page: one file, with core, our script and our style in it. It may run the script and the style that it holds, by their hashes, and load
 * nothing at all.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

/** Where it stands, below the repository. */
export const planner = "packages/cli/bundle/planner.html"

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** Makes it. */
export const page = async (root: string): Promise<string> => {
  const sources = join(root, "packages/cli/src/planner")
  const build = await rolldown({
    cwd: root,
    input: join(sources, "page.ts"),
    logLevel: "warn",
    platform: "browser",
    resolve: { conditionNames: ["@effect-marketdata/source", "browser", "import", "module", "default"] },
    transform: { target: "es2022" },
    // What a module of the program does for terminals is left out with it.
    treeshake: { moduleSideEffects: (id) => id.endsWith("page.ts") },
    tsconfig: false
  })
  const { output: [{ code }] } = await build.generate({ comments: false, format: "esm", minify: true })
  const script = code.trim().replaceAll("</script", String.raw`<\/script`)
  const style = readFileSync(join(sources, "page.css"), "utf8").replaceAll(/\s+/g, " ").trim()
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${
    hashOf(style)
  }; img-src data:; base-uri 'none'; form-action 'none'`
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const clauses = `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/docs/conformance/clauses.md`
  const parts: Readonly<Record<string, string>> = { POLICY: policy, STYLE: style, CLAUSES: clauses, SCRIPT: script }
  const template = readFileSync(join(sources, "page.html"), "utf8")
  return template.replaceAll(/\b(?:POLICY|STYLE|CLAUSES|SCRIPT)\b/g, (name) => parts[name] ?? name)
}

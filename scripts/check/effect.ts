import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Command from "./command.ts"
import type { Rule } from "./rule.ts"
import * as Workspace from "./workspace.ts"

/** Tests may read clocks; what they must not do is build an Effect and never run it. */
const testOptions = JSON.stringify({
  diagnosticSeverity: { floatingEffect: "error", missingReturnYieldStar: "error", outdatedApi: "error" }
})

/** These explain errors of the compiler, which `types` reports; on conditional types they see some where it sees none. */
const explanations = /effect\((?:missingEffectContext|missingEffectError)\)/

/**
 * The compiler with Effect's language service, built for this system. The repository installs the build itself and not the package that picks
 * one, because not every build can be had with its hash (decision 25).
 */
const compilerOf = (root: string): string =>
  join(
    root,
    "node_modules",
    `@effect/tsgo-${process.platform}-${process.arch}`,
    "artifacts/typescript",
    Workspace.installedVersion(root, "typescript"),
    "tsc"
  )

/** Returns what Effect's language service says of one project, a message each. */
const diagnose = async (
  root: string,
  project: string,
  lspconfig: string | undefined
): Promise<ReadonlyArray<string>> => {
  const request = { cwd: root, project, lspconfig, strict: true, severity: "error,warning", format: "text" }
  const { ok, output } = await Command.run(
    compilerOf(root),
    ["--effect-cli-diagnostics", JSON.stringify({ ...request, progress: false, listFiles: false })],
    { cwd: root }
  )
  if (ok) return []
  const found = Command.messages(output.replaceAll(`${root}/`, ""))
    .filter((message) => /\(\d+,\d+\): (?:error|warning) /.test(message))
  const ours = found.filter((message) => !explanations.test(message))
  return found.length > 0 ? ours : [`Effect's compiler failed on ${project}: ${output.trimEnd()}`]
}

export const effect: Rule = {
  name: "effect",
  why: "An Effect that is built and never run compiles; so does one that takes its time from the machine's clock.",
  run: async (root) => {
    if (!existsSync(compilerOf(root))) {
      return { problems: [], notChecked: `there is no build of it for ${process.platform}-${process.arch} here` }
    }
    const projects = Workspace.packages(root).flatMap(({ directory }) => [
      { path: join(directory, "tsconfig.json"), lspconfig: undefined },
      { path: join(directory, "test", "tsconfig.json"), lspconfig: testOptions }
    ])
    const found = await Promise.all(
      projects.filter(({ path }) => existsSync(path)).map(({ lspconfig, path }) => diagnose(root, path, lspconfig))
    )
    // A project also speaks of the sources that it refers to.
    return { problems: [...new Set(found.flat())] }
  }
}

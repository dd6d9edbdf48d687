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

/** Returns what Effect's language service says of one project, a message each. */
const diagnose = async (
  root: string,
  project: string,
  options: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const args = ["diagnostics", "--project", project, "--strict", "--severity", "error,warning", "--format", "text"]
  const { ok, output } = await Command.runInstalled(root, "effect-tsgo", [...args, ...options])
  if (ok) return []
  const found = Command.messages(output.replaceAll(`${root}/`, ""))
    .filter((message) => /\(\d+,\d+\): (?:error|warning) /.test(message))
  const ours = found.filter((message) => !explanations.test(message))
  return found.length > 0 ? ours : [`effect-tsgo failed on ${project}: ${output.trimEnd()}`]
}

export const effect: Rule = {
  name: "effect",
  why: "An Effect that is built and never run compiles; so does one that takes its time from the machine's clock.",
  run: async (root) => {
    const projects = Workspace.packages(root).flatMap(({ directory }) => [
      { path: join(directory, "tsconfig.json"), options: [] },
      { path: join(directory, "test", "tsconfig.json"), options: ["--lspconfig", testOptions] }
    ])
    const found = await Promise.all(
      projects.filter(({ path }) => existsSync(path)).map(({ options, path }) => diagnose(root, path, options))
    )
    // A project also speaks of the sources that it refers to.
    return { problems: [...new Set(found.flat())] }
  }
}

/** The rules that run a tool: its output is the list of problems. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Command from "../shared/command.ts"
import type { Rule } from "./rule.ts"
import * as Workspace from "./workspace.ts"
import * as Written from "./written.ts"

/** Runs an installed tool; returns its output if it fails, else nothing. */
export const complaints = async (root: string, tool: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { ok, output } = await Command.runInstalled(root, tool, args)
  return ok ? "" : output.replaceAll(`${root}/`, "")
}

export const types: Rule = {
  why: "What does not compile cannot be shipped, and the packages, their tests and the scripts must agree.",
  run: async (root) => ({ problems: Command.messages(await complaints(root, "tsc", "-b", "--pretty", "false")) })
}

export const format: Rule = {
  why: "One layout for all, so that a change shows only what it changes. `npm run format` lays the files out.",
  run: async (root) => ({ problems: Command.lines(await complaints(root, "dprint", "check", "--list-different")) })
}

export const unused: Rule = {
  why: "Nobody dares to delete what might be used: dead exports, files and dependencies go at once.",
  run: async (root) => ({
    problems: Command.lines(await complaints(root, "knip", "--no-progress", "--no-config-hints"))
  })
}

export const lint: Rule = {
  why: "Cycles, clocks in core, floating promises: what compiles and is wrong all the same.",
  run: async (root) => {
    const lines = Command.lines(await complaints(root, "oxlint", "--format", "unix"))
    return { problems: lines.filter((line) => !/^\d+ problems?$/.test(line)) }
  }
}

/**
 * The compiler with Effect's language service, built for this system. The repository depends on the builds themselves, not on the package that chooses one,
 * because not every build is available with its hash (CONTRIBUTING, "The tools").
 */
const compilerOf = (root: string): string => {
  const build = join(root, "node_modules", `@effect/tsgo-${process.platform}-${process.arch}`)
  return join(build, "artifacts/typescript", Workspace.installedVersion(root, "typescript"), "tsc")
}

/** Tests may read clocks; what they must not do is build an Effect and never run it. */
const inTests = JSON.stringify({
  diagnosticSeverity: { floatingEffect: "error", missingReturnYieldStar: "error", outdatedApi: "error" }
})

/** Diagnostics that only explain errors of the compiler, which `types` reports; with conditional types some are false. */
const explanations = /effect\((?:missingEffectContext|missingEffectError)\)/

/**
 * Says what Effect's language service finds in the sources of all packages, or in their tests. Each is one project: with project references each package would
 * be read again for every other.
 */
const diagnose = async (root: string, folder: string): Promise<ReadonlyArray<string>> => {
  const options = { rewriteRelativeImportExtensions: false, allowImportingTsExtensions: true, types: ["node"] }
  const include = [`../../packages/*/${folder}`]
  const project = join(Written.layOut(root, `effect-${folder}`, new Map(), options, include), "tsconfig.json")
  const fixed = { strict: true, severity: "error,warning", format: "text", progress: false, listFiles: false }
  const request = { cwd: root, project, lspconfig: folder === "test" ? inTests : undefined, ...fixed }
  const args = ["--effect-cli-diagnostics", JSON.stringify(request)]
  const { ok, output } = await Command.run(compilerOf(root), args, { cwd: root })
  if (ok) return []
  const messages = Command.messages(output.replaceAll(`${root}/`, ""))
  const found = messages.filter((message) => /\(\d+,\d+\): (?:error|warning) /.test(message))
  return found.length > 0
    ? found.filter((message) => !explanations.test(message))
    : [`Effect's compiler failed on ${folder}: ${output.trimEnd()}`]
}

export const effect: Rule = {
  why: "An Effect that is built and never run compiles; so does one that takes its time from the machine's clock.",
  run: async (root) => {
    if (!existsSync(compilerOf(root))) {
      return { problems: [], notChecked: `there is no build of it for ${process.platform}-${process.arch} here` }
    }
    return { problems: (await Promise.all(["src", "test"].map((folder) => diagnose(root, folder)))).flat() }
  }
}

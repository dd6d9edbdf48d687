import { join } from "node:path"
import * as Command from "../shared/command.ts"
import * as Files from "../shared/files.ts"
import { fromSource } from "../shared/script.ts"
import * as Fence from "./examples/fence.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

const documents = ["README.md", "docs/**/*.md", "packages/*/README.md", "packages/*/src/**/*.ts"]

/** The settings of a program that is strict, and of one that is not. */
const settings = [[], ["--strict", "false", "--exactOptionalPropertyTypes", "false"]]

/** Type-checks every fence as it is written, under each of the settings. Errors of the packages themselves are left to `types`. */
const compile = async (root: string, folder: string, fences: ReadonlyMap<string, Fence.Fence>) => {
  const messages = new Set<string>()
  for (const set of settings) {
    const { output } = await Command.runInstalled(root, "tsc", ["-p", folder, "--pretty", "false", ...set])
    for (const message of Command.messages(output)) messages.add(message)
  }
  return [...messages].filter((message) => !message.startsWith("packages/")).map((message) => {
    const [, name = "", line, text] = /^.*written\/([^/]+)\((\d+),\d+\): (.*)$/s.exec(message) ?? []
    const fence = fences.get(name)
    return fence === undefined ? message : `${fence.file}:${fence.line + Number(line) - 1} ${text}`
  })
}

/** Runs the fences that are to be run, in one process. */
const execute = async (root: string, folder: string): Promise<ReadonlyArray<string>> => {
  const args = [fromSource, join(import.meta.dirname, "examples", "run.ts"), folder]
  const { ok, output } = await Command.run(process.execPath, args, { cwd: root, timeout: 120_000 })
  const told = Command.lines(Files.text(folder, "problems.jsonl")).map((line): string => JSON.parse(line))
  return ok || told.length > 0 ? told : [`the examples did not run to their end: ${output.slice(-2000)}`]
}

export const examples: Rule = {
  why: "An example that does not compile, or does not give what it says, is worse than none.",
  run: async (root) => {
    const found = Files.found(root, documents).map((file) => Fence.extract(file, Files.text(root, file)))
    const fences = new Map(found.flatMap(({ fences }) => fences).map((fence) => [Fence.nameOf(fence), fence]))
    const problems = found.flatMap(({ problems }) => problems)
    const written = Array.from(fences, ([name, { code }]) => [`written/${name}`, code] as const)
    const told = [["fences.json", JSON.stringify([...fences.values()])], ["problems.jsonl", ""]] as const
    const options = { noUnusedLocals: false, types: ["node"] }
    const folder = Written.layOut(root, "examples", new Map([...written, ...told]), options)
    const [compiled, executed] = await Promise.all([compile(root, folder, fences), execute(root, folder)])
    return { problems: [...problems, ...compiled, ...executed], notes: [`${fences.size} examples`] }
  }
}

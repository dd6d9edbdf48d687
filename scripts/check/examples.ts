import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Command from "../shared/command.ts"
import * as Fence from "./examples/fence.ts"
import { instrument } from "./examples/instrument.ts"
import type { Example, Outcome } from "./examples/run.ts"
import type { Rule } from "./rule.ts"

const documents = ["README.md", "docs/**/*.md", "packages/*/README.md", "packages/*/src/**/*.ts"]

const configuration = {
  extends: "../../tsconfig.base.json",
  compilerOptions: {
    composite: false,
    declaration: false,
    declarationMap: false,
    noEmit: true,
    noUnusedLocals: false,
    types: ["node"]
  },
  include: ["written"]
}

/** Where the examples are laid out: built things are ignored by every tool, and Node runs no TypeScript below node_modules. */
const folder = "dist/examples"

const fileNameOf = ({ file, line }: Fence.Fence): string => `${file.replaceAll(/[^\w.-]+/g, "__")}.${line}.ts`

/** Type-checks every fence as it is written, in one run of the compiler. Errors of the packages themselves are left to `types`. */
const compile = async (root: string, fences: ReadonlyMap<string, Fence.Fence>): Promise<ReadonlyArray<string>> => {
  const { ok, output } = await Command.runInstalled(root, "tsc", ["-p", join(root, folder), "--pretty", "false"])
  if (ok) return []
  return Command.messages(output).filter((message) => !message.startsWith("packages/")).map((message) => {
    const [, name = "", line, text] = /^.*written\/([^/]+)\((\d+),\d+\): (.*)$/s.exec(message) ?? []
    const fence = fences.get(name)
    return fence === undefined ? message : `${fence.file}:${fence.line + Number(line) - 1} ${text}`
  })
}

/** Runs the fences that are to be run, in one process. */
const execute = async (root: string, fences: ReadonlyMap<string, Fence.Fence>): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  const examples: Array<Example> = []
  const fenceOf = new Map<string, Fence.Fence>()
  for (const [name, fence] of fences) {
    const { assertions, code, problems: found } = instrument(fence.code)
    problems.push(...found.map(({ line, message }) => `${fence.file}:${fence.line + line - 1} ${message}`))
    if (!fence.runs) continue
    const path = join(root, folder, "asserted", name)
    writeFileSync(path, code)
    examples.push({ path, assertions })
    fenceOf.set(path, fence)
  }
  const input = join(root, folder, "examples.json")
  const results = join(root, folder, "outcomes.jsonl")
  writeFileSync(input, JSON.stringify(examples))
  writeFileSync(results, "")
  const program = join(import.meta.dirname, "examples", "run.ts")
  const args = ["--conditions=@effect-marketdata/source", program, input, results]
  const { output } = await Command.run(process.execPath, args, { cwd: root, timeout: 120_000 })

  const outcomes: ReadonlyArray<Outcome> = Command.lines(readFileSync(results, "utf8")).map((line) => JSON.parse(line))
  for (const { path, problems: found } of outcomes) {
    const fence = fenceOf.get(path)
    if (fence === undefined) continue
    problems.push(...found.map(({ line = 1, message }) => `${fence.file}:${fence.line + line - 1} ${message}`))
    fenceOf.delete(path)
  }
  // They run in order: the first without an outcome ended the process, the others had no turn.
  const [stuck] = fenceOf.values()
  if (stuck !== undefined) {
    const waiting = fenceOf.size === 1 ? "" : ` (${fenceOf.size - 1} examples after it did not run)`
    problems.push(`${stuck.file}:${stuck.line} ended the process${waiting}: ${output.slice(-2000)}`)
  }
  return problems
}

export const examples: Rule = {
  why: "An example that does not compile, or does not give what it says, is worse than none.",
  run: async (root) => {
    const found = globSync(documents, { cwd: root }).toSorted().map((file) =>
      Fence.extract(file.replaceAll("\\", "/"), readFileSync(join(root, file), "utf8"))
    )
    const fences = new Map(found.flatMap((extraction) => extraction.fences).map((fence) => [fileNameOf(fence), fence]))
    const problems = found.flatMap((extraction) => extraction.problems)
    if (fences.size === 0) return { problems, notes: ["no examples yet"] }

    rmSync(join(root, folder), { recursive: true, force: true })
    mkdirSync(join(root, folder, "written"), { recursive: true })
    mkdirSync(join(root, folder, "asserted"))
    writeFileSync(join(root, folder, "tsconfig.json"), JSON.stringify(configuration))
    for (const [name, { code }] of fences) writeFileSync(join(root, folder, "written", name), code)

    const [compiled, executed] = await Promise.all([compile(root, fences), execute(root, fences)])
    return { problems: [...problems, ...compiled, ...executed], notes: [`${fences.size} examples`] }
  }
}

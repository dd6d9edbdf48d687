/**
 * Runs examples, one after the other in one process. Called as `node run.ts FOLDER`: it reads them from fences.json there, and appends each problem to
 * problems.jsonl, as a line of JSON.
 */
import { Sandbox, SandboxServer } from "@effect-marketdata/sandbox"
import { Effect, Layer } from "effect"
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { inspect, isDeepStrictEqual } from "node:util"
import { type Fence, nameOf } from "./fence.ts"
import { instrument } from "./instrument.ts"

const folder = process.argv[2] ?? "."
const problems = join(folder, "problems.jsonl")
const asserted = join(folder, "asserted")
mkdirSync(asserted, { recursive: true })

const deadline = 20_000

const show = (value: unknown): string => inspect(value, { depth: 6, breakLength: 120 })

/** Says what is wrong at a line of an example, counted from 1. */
const tell = (fence: Fence, line: number, message: string): void =>
  appendFileSync(problems, `${JSON.stringify(`${fence.file}:${fence.line + line - 1} ${message}`)}\n`)

const run = async (fence: Fence): Promise<void> => {
  const { assertions, code, problems: found } = instrument(fence.code)
  for (const { line, message } of found) tell(fence, line, message)
  if (!fence.runs) return
  const path = join(asserted, nameOf(fence))
  writeFileSync(path, code)
  const unreached = new Map(assertions.entries())
  const $expect = (index: number, actual: unknown, expected: unknown): unknown => {
    unreached.delete(index)
    if (!isDeepStrictEqual(actual, expected)) {
      tell(fence, assertions[index]?.line ?? 1, `is ${show(actual)}, not ${show(expected)}`)
    }
    return actual
  }
  Object.assign(globalThis, { $expect })

  let giveUp = (_reason: unknown): void => {}
  const failed = new Promise<never>((_, reject) => {
    giveUp = reject
  })
  const timer = setTimeout(() => giveUp(`it did not end within ${deadline / 1000} seconds`), deadline)
  process.on("uncaughtException", giveUp)
  try {
    await Promise.race([import(pathToFileURL(path).href), failed])
    for (const { expected, line } of unreached.values()) {
      tell(fence, line, `was never reached, so nothing shows that it is ${expected}`)
    }
  } catch (error) {
    tell(fence, 1, `failed: ${error instanceof Error ? `${error.name}: ${error.message}` : show(error)}`)
  } finally {
    clearTimeout(timer)
    process.off("uncaughtException", giveUp)
  }
}

const waiting: Array<Fence> = JSON.parse(readFileSync(join(folder, "fences.json"), "utf8"))

process.on("exit", () => {
  const [stuck, ...others] = waiting
  if (stuck === undefined) return
  const after = others.length === 0 ? "" : ` (${others.length} examples after it did not run)`
  tell(stuck, 1, `ended the process${after}`)
})

// Examples that ask the service reach a sandbox over HTTP, through variables of the environment.
const program = Effect.gen(function*() {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  Object.assign(process.env, { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid" })
  for (let fence = waiting[0]; fence !== undefined; fence = waiting[0]) {
    const next = fence
    yield* Effect.promise(() => run(next))
    waiting.shift()
  }
})
await Effect.runPromise(Effect.provide(program, Layer.provide(SandboxServer.layer(), Sandbox.layer())))

// An example may leave a server or a timer behind.
process.exit()

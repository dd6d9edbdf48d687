/**
 * Runs instrumented examples, one after the other in one process, and appends to a file what each came to.
 * Called as `node run.ts EXAMPLES OUTCOMES`: a JSON array in, a line of JSON for each example out.
 */
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { appendFileSync, readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { inspect, isDeepStrictEqual } from "node:util"
import type { Assertion } from "./instrument.ts"

export interface Example {
  readonly path: string
  readonly assertions: ReadonlyArray<Assertion>
}

export interface Outcome {
  readonly path: string
  /** `line` is that of the assertion that failed, where it was one. */
  readonly problems: ReadonlyArray<{ readonly line?: number | undefined; readonly message: string }>
}

const deadline = 20_000

const show = (value: unknown): string => inspect(value, { depth: 6, breakLength: 120 })

const run = async ({ assertions, path }: Example): Promise<Outcome> => {
  const problems: Array<Outcome["problems"][number]> = []
  const unreached = new Map(assertions.entries())
  const $expect = (index: number, actual: unknown, expected: unknown): unknown => {
    unreached.delete(index)
    if (!isDeepStrictEqual(actual, expected)) {
      problems.push({ line: assertions[index]?.line, message: `is ${show(actual)}, not ${show(expected)}` })
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
      problems.push({ line, message: `was never reached, so nothing shows that it is ${expected}` })
    }
  } catch (error) {
    problems.push({ message: `failed: ${error instanceof Error ? `${error.name}: ${error.message}` : show(error)}` })
  } finally {
    clearTimeout(timer)
    process.off("uncaughtException", giveUp)
  }
  return { path, problems }
}

const [, , examples = "", outcomes = ""] = process.argv

// The examples that ask the service a query ask a sandbox, over HTTP, as the environment tells them to.
const program = Effect.gen(function*() {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  Object.assign(process.env, { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid" })
  for (const example of JSON.parse(readFileSync(examples, "utf8"))) {
    const outcome = yield* Effect.promise(() => run(example))
    appendFileSync(outcomes, `${JSON.stringify(outcome)}\n`)
  }
})
await Effect.runPromise(Effect.provide(program, Layer.provide(SandboxServer.layer(), Sandbox.layer())))

// An example may leave a server or a timer behind.
process.exit()

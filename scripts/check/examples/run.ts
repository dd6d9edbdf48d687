/**
 * Runs instrumented examples, one after the other in one process, and appends to a file what each came to.
 * Called as `node run.ts EXAMPLES OUTCOMES`: a JSON array in, a line of JSON for each example out.
 */
import { appendFileSync, readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { inspect, isDeepStrictEqual } from "node:util"
import type { Assertion } from "./instrument.ts"
import * as Service from "./service.ts"

export interface Example {
  readonly path: string
  readonly assertions: ReadonlyArray<Assertion>
}

export interface Outcome {
  readonly path: string
  /** `line` is that of the assertion that failed, where it was one. */
  readonly problems: ReadonlyArray<{ readonly line: number | undefined; readonly message: string }>
}

const deadline = 20_000

const show = (value: unknown): string => inspect(value, { depth: 6, breakLength: 120 })

const say = (error: unknown): string => error instanceof Error ? `${error.name}: ${error.message}` : show(error)

const run = async ({ assertions, path }: Example): Promise<Outcome> => {
  const problems: Array<Outcome["problems"][number]> = []
  const reached = new Set<number>()
  const expect = (index: number, actual: unknown, expected: unknown): unknown => {
    reached.add(index)
    if (!isDeepStrictEqual(actual, expected)) {
      problems.push({ line: assertions[index]?.line, message: `is ${show(actual)}, not ${show(expected)}` })
    }
    return actual
  }
  Object.assign(globalThis, { $expect: expect })

  let giveUp = (_reason: unknown): void => {}
  const late = new Promise<never>((_, reject) => {
    giveUp = reject
  })
  const timer = setTimeout(() => giveUp(`it did not end within ${deadline / 1000} seconds`), deadline)
  process.on("uncaughtException", giveUp)
  try {
    await Promise.race([import(pathToFileURL(path).href), late])
    for (const [index, { expected, line }] of assertions.entries()) {
      if (!reached.has(index)) {
        problems.push({ line, message: `was never reached, so nothing shows that it is ${expected}` })
      }
    }
  } catch (error) {
    problems.push({ line: undefined, message: `failed: ${say(error)}` })
  } finally {
    clearTimeout(timer)
    process.off("uncaughtException", giveUp)
  }
  return { path, problems }
}

const [, , examples = "", outcomes = ""] = process.argv

await Service.start()

for (const example of JSON.parse(readFileSync(examples, "utf8"))) {
  appendFileSync(outcomes, JSON.stringify(await run(example)) + "\n")
}

// An example may leave a server or a timer behind.
process.exit()

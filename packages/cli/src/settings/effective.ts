/** The value of each setting that is in effect, and where it comes from. */
import { ForeignText } from "@effect-marketdata/core"
import { Effect } from "effect"
import * as ConfigDocument from "./configDocument.ts"
import * as ConfigFile from "./configFile.ts"
import { type Name, names, variable, variableOf } from "./settings.ts"

/** Where a value comes from. */
type Source = "environment" | "file" | "default"

/** The value of a setting that is in effect. */
export interface Effective {
  readonly name: Name
  /** The value as it may be shown; undefined where nothing sets it. */
  readonly value?: string
  readonly source: Source
  /** The name of the variable, or the path and line of the file. */
  readonly place?: string
  /** The line of the file. */
  readonly line?: number | undefined
  /** What is wrong with the value. */
  readonly problem?: string | undefined
}

const one = Effect.fnUntraced(function*(file: ConfigFile.File, name: Name): Effect.fn.Return<Effective> {
  const own = variableOf(name)
  const value = yield* variable(own)
  if (value !== undefined) {
    const problem = yield* ConfigDocument.problemOf(name, value)
    return { name, value: ConfigDocument.shown(name, value), source: "environment", place: own, problem }
  }
  const entry = file.entries.find((entry) => entry.name === name)
  if (entry === undefined) return { name, source: "default" }
  const { line, problem, text } = entry
  const place = `${ForeignText.line(file.path ?? "")}:${line}`
  return { name, value: ConfigDocument.shown(name, text), source: "file", place, line, problem }
})

/** What is wrong with the variables; the file says itself what is wrong with its values. */
export const problemsOfVariables = (settings: ReadonlyArray<Effective>): ReadonlyArray<string> =>
  settings.flatMap(({ place, problem, source }) =>
    problem === undefined || source === "file" ? [] : [`${place}: ${problem}`]
  )

/** All settings, and the file that was read for them. */
export const all = Effect.gen(function*() {
  const file = yield* ConfigFile.read
  return { file, settings: yield* Effect.forEach(names, (name) => one(file, name)) }
})

/** `marketdata config`: the settings, seen with the values that are in effect, and changed. */
import { ForeignText } from "@effect-marketdata/core"
import { Effect } from "effect"
import { command } from "../call/command.ts"
import { CommandError, wrong } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import { aside, Output } from "../output/output.ts"
import * as ConfigDocument from "../settings/configDocument.ts"
import * as ConfigFile from "../settings/configFile.ts"
import * as Place from "../settings/place.ts"
import { isName, type Name, names, settings, variable, variableOf } from "../settings/settings.ts"
import * as Flags from "../text/flags.ts"
import * as Grid from "../text/grid.ts"
import { means } from "../text/span.ts"

/** The value of a setting that is in effect: that of its variable, else that of the file. */
const effectiveOf = Effect.fnUntraced(function*(file: ConfigFile.File, name: Name) {
  const own = variableOf(name)
  const set = yield* variable(own)
  const entry = set === undefined ? file.entries.find((entry) => entry.name === name) : undefined
  const text = set ?? entry?.text
  return {
    name,
    /** The value as it may be shown; undefined where nothing sets it. */
    value: text === undefined ? undefined : ConfigDocument.shown(name, text),
    source: set !== undefined ? "environment" : entry !== undefined ? "file" : "default",
    /** The name of the variable, or the path and line of the file. */
    place: set !== undefined ? own : entry && `${ForeignText.line(file.path ?? "")}:${entry.line}`,
    /** The line of the file. */
    line: entry?.line,
    /** What is wrong with the value. */
    problem: set === undefined ? entry?.problem : yield* ConfigDocument.problemOf(name, set)
  }
})

type Effective = Effect.Success<ReturnType<typeof effectiveOf>>

/** What is wrong with the variables; the file says itself what is wrong with its values. */
const problemsOfVariables = (settings: ReadonlyArray<Effective>): ReadonlyArray<string> =>
  settings.flatMap(({ place, problem, source }) =>
    problem === undefined || source === "file" ? [] : [`${place}: ${problem}`]
  )

/** All settings with the values that are in effect, and the file that was read for them. */
export const effective = Effect.gen(function*() {
  const file = yield* ConfigFile.read
  return { file, settings: yield* Effect.forEach(names, (name) => effectiveOf(file, name)) }
})

/** A token on the command line stays in the history of the shell. */
const isToken = (name: string): boolean => /^(?:marketdata)?_?token$/i.test(name)

const noSetting = (name: string): CommandError =>
  isToken(name)
    ? wrong("TokenOnCommandLine", "token is not a setting", "keep it with `marketdata auth login`, which asks for it")
    : wrong("UnknownSetting", ConfigDocument.unknownName(name))

const named = (name: string) => isName(name) ? Effect.succeed(name) : Effect.fail(noSetting(name))

/** What is wrong with the settings: in the file, and in variables. */
const troubles = ({ file, settings }: Effect.Success<typeof effective>): ReadonlyArray<string> => [
  ...file.troubles.map((trouble) => ConfigFile.formatTrouble(file.path ?? "", trouble)),
  ...problemsOfVariables(settings)
]

/** Puts the rule of a setting, with its value, in the place of the client's message, which names a variable alone. */
export const naming = (failure: CommandError) =>
  Effect.map(effective, ({ settings }) => {
    const refused = settings.filter(({ place }) => place === failure.variable)
    const [message = failure.message] = problemsOfVariables(refused)
    return new CommandError({ ...failure, message })
  })

const jsonOf = (setting: Effective) => {
  const { name, place = null, problem = null, source, value = null } = setting
  const { meaning, otherwise } = settings[name]
  return { name, value, source, place, problem, variable: variableOf(name), meaning, otherwise }
}

/** A value for people; what holds where nothing sets it. */
const shownOf = ({ name, problem, value }: Effective) => {
  if (value === undefined) return means("aside", settings[name].otherwise)
  return problem === undefined ? value : means("bad", `${ForeignText.line(value, 50)} (refused)`)
}

/** The settings for people: the file is named once, below. */
const linesOf = ({ file, settings: all }: Effect.Success<typeof effective>, columns: number) => {
  const cells = all.map((setting) => {
    const { line, name, source } = setting
    return [name, shownOf(setting), line === undefined ? source : `line ${line}`, variableOf(name)]
  })
  const grid = Grid.format(["setting", { head: "value", widest: 64 }, "from", "variable"], cells, columns)
  const where = file.path === undefined ? [] : [`file: ${file.path}${file.exists ? "" : " (there is none yet)"}`]
  return [...grid, "", ...where]
}

/** Says that a variable hides what the file sets. */
const hidden = Effect.fnUntraced(function*(name: Name) {
  const own = variableOf(name)
  if ((yield* variable(own)) === undefined) return
  yield* aside(means("warning", `the variable ${own} is set too, and overrides the file`))
})

/** The new text of the file, from its current one. */
const changed = Effect.fnUntraced(function*(path: string, name: string, value: string | undefined) {
  const current = yield* ConfigFile.current(path)
  const changed = typeof current === "object"
    ? current
    : ConfigDocument.change(current ?? "", name, value, path.endsWith(".json"))
  if (typeof changed === "string") return changed
  const message = `${ConfigFile.formatTrouble(path, changed)}. Nothing was changed.`
  return yield* wrong("ConfigFile", message, "fix the file first")
})

/** Changes the file, and prints the new value. */
const change = Effect.fnUntraced(function*(name: string, value: string | undefined) {
  const path = yield* Place.required(Place.file)
  yield* ConfigFile.write(path, changed(path, name, value))
  const said = value === undefined ? "is no longer set" : `is ${ForeignText.line(value)}`
  const rows = Document.rows(["setting", "value", "file"], [[name, value ?? null, path]])
  const lines = [`${ForeignText.line(name)} ${said} in ${ForeignText.line(path)}`]
  yield* Document.print({ json: { file: path, name, value: value ?? null }, rows, lines })
})

const name = Flags.argument("name")("The name of a setting, such as mode")

const value = Flags.argument("value")("What it is from now on")

/** Shows every setting, its value and where it comes from, and fails where commands would. */
export const configList = command({
  examples: [["", "All settings"], ["--json", "As JSON, with what is wrong"], ["--format csv", "As CSV"]],
  flags: {},
  run: Effect.fnUntraced(function*() {
    const read = yield* effective
    const problems = troubles(read)
    yield* Document.print({
      json: { file: read.file.path, exists: read.file.exists, settings: read.settings.map(jsonOf), problems },
      rows: Document.records(
        ["setting", "value", "from", "variable", "meaning"],
        read.settings.map(jsonOf).map(({ name, otherwise, place, source, value, ...said }) => ({
          ...said,
          setting: name,
          value: value ?? otherwise,
          from: place ?? source
        }))
      ),
      lines: ({ columns }) => linesOf(read, columns)
    })
    const { format } = yield* Output
    yield* aside(...problems.map((problem) => means("warning", `problem: ${problem}`)))
    if (problems.length === 0) return
    const isOne = problems.length === 1
    const message = `commands that need settings fail until ${isOne ? "this is" : "these are"} fixed`
    const next = `see ${isOne ? "it" : "them"} with \`marketdata config list\``
    return yield* wrong("RefusedSettings", message, format === "table" ? undefined : next)
  })
})

/** Prints the value of one setting, and nothing where nothing sets it. */
export const configGet = command({
  examples: [
    ["mode", "The mode that commands ask for"],
    ["confirmAbove", "From how many credits on you are asked"],
    ["timeout --json", "With where it comes from"]
  ],
  flags: { name },
  run: Effect.fnUntraced(function*({ name: given }) {
    const name = yield* named(given)
    const { file, settings: all } = yield* effective
    const setting = all.find((setting) => setting.name === name)!
    const { place, problem, source, value } = setting
    const isHeld = value !== undefined && (source !== "file" || problem === undefined)
    if (!isHeld && file.troubles.length > 0) return yield* ConfigFile.failure(file)
    const rows = Document.rows(["setting", "value", "from"], [[name, value ?? null, place ?? source]])
    yield* Document.print({ json: jsonOf(setting), rows, lines: value === undefined ? [] : [value] })
    if (value === undefined) yield* aside(`${name} is not set: ${settings[name].otherwise}`)
  })
})

/** Sets a value in the file, if it may be one. */
export const configSet = command({
  examples: [
    ["mode cached", "Ask for cached data unless --mode says otherwise"],
    ["confirmAbove 500", "Be asked above 500 credits"],
    ["timeout 30s", "Stop every command after 30 seconds"]
  ],
  flags: { name, value },
  run: Effect.fnUntraced(function*({ name: given, value }) {
    const name = yield* named(given)
    const problem = yield* ConfigDocument.problemOf(name, value)
    if (problem !== undefined) return yield* wrong("InvalidSetting", problem)
    yield* change(name, value)
    yield* hidden(name)
  })
})

/** Removes a value from the file, also under a name that is not a setting. */
export const configUnset = command({
  examples: [
    ["mode", "Let the account's plan decide again"],
    ["timeout", "Wait as long as it takes"],
    ["confirmAbove --json", "As JSON"]
  ],
  flags: { name },
  run: Effect.fnUntraced(function*({ name }) {
    const path = yield* Place.required(Place.file)
    const current = yield* ConfigFile.current(path)
    const isSet = typeof current === "string" && ConfigDocument.namesIn(current).includes(name)
    if (!isSet && !isName(name)) return yield* noSetting(name)
    if (isSet || typeof current === "object") return yield* change(name, undefined)
    yield* aside(`${name} was not set in ${ForeignText.line(path)}`)
  })
})

/** Prints where the file is, whether or not there is one. */
export const configPath = command({
  examples: [["", "To open it in an editor"], ["--json", "And whether it exists"], ["--format csv", "As CSV"]],
  flags: {},
  run: Effect.fnUntraced(function*() {
    const file = yield* Place.required(Place.file)
    const exists = (yield* ConfigFile.current(file)) !== undefined
    const rows = Document.rows(["file", "exists"], [[file, exists]])
    yield* Document.print({ json: { file, exists }, rows, lines: [file] })
  })
})

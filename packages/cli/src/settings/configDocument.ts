/**
 * The file of settings as a text: YAML, of which JSON is a part. Read with the place of every value, changed with its comments kept. This module loads the
 * client, by whose `Config` values are checked, so it is imported only when there is a value to check.
 */
import { MarketDataConfig } from "@effect-marketdata/client"
import { ForeignText, HttpRequest, Problem } from "@effect-marketdata/core"
import { type Config, ConfigProvider, Effect } from "effect"
import { isMap, type YAMLMap } from "yaml"
import * as Yaml from "../text/yaml.ts"
import * as Settings from "./settings.ts"

/** A setting in the file. */
export interface Entry {
  readonly name: Settings.Name
  readonly text: string
  readonly line: number
  /** What is wrong with the value. */
  readonly problem: string | undefined
}

/** What is wrong in the file, and where; line and column count from 1. */
export type Trouble = Partial<Yaml.Position> & { readonly message: string }

const wrong = ({ column, line }: Yaml.Position, message: string): Trouble => ({
  line,
  column,
  message: ForeignText.line(message, 300)
})

/** What is wrong, in plain words where the message of the parser is of its own grammar. */
const meaningOf = ({ code, message }: Yaml.Source["errors"][number]): string => {
  const misplaced = "this does not belong here, or a bracket or quotation mark before it is not closed"
  return code === undefined
    ? message.replace(/\.$/, "")
    : `this is not YAML: ${code === "UNEXPECTED_TOKEN" ? misplaced : message}`
}

/** Reads a text, or says what is wrong with it. One slip causes several syntax errors: the first in the text is where it happened. */
const read = (text: string) => {
  const source = Yaml.read(text)
  if (source === undefined) return { message: "this is nested too deeply for settings: write names with values" }
  const { alias, document, errors, root, warnings } = source
  const [first] = [...errors, ...warnings].toSorted((a, b) => a.line - b.line || a.column - b.column)
  if (first !== undefined) return wrong(first, meaningOf(first))
  // A few aliases can expand to more than memory holds.
  if (alias !== undefined) return wrong(alias, "an alias is not allowed: write its value here")
  if (root._tag === "Map") return { document, entries: root.entries }
  return root._tag === "Plain" && root.value === null
    ? { document, entries: [] }
    : wrong({ line: 1, column: 1 }, "it must map names to values, e.g. mode: cached")
}

/** Refuses an unknown name. That of a token gets advice of its own; its value is never repeated. */
const wrongName = (name: string): string =>
  /token/i.test(name)
    ? `${Problem.shown(name)} does not belong here: keep the token with \`marketdata auth login\`, and delete this line`
    : unknownName(name)

/** Says that there is no such setting, and which one was probably meant. */
export const unknownName = (name: string): string => {
  const meant = Problem.nearest(name, Settings.names)
  return `there is no setting ${Problem.shown(name)}` +
    (meant === undefined ? "; `marketdata config list` shows all" : `; did you mean ${meant}?`)
}

/** A value as it may be shown: a base URL without what may be a secret in it. */
export const shown = (name: Settings.Name, text: string): string =>
  name === "baseUrl" ? HttpRequest.shownBaseUrl(text) : text

/** Says what is wrong with a value, if anything. */
export const problemOf = (name: Settings.Name, text: string): Effect.Effect<string | undefined> => {
  const reader: Config.Config<unknown> = Settings.isOwn(name) ? Settings.config(name) : MarketDataConfig.fromEnvironment
  const problem = Problem.format(`${name} ${Problem.shown(shown(name, text))}`, Settings.settings[name])
  // An empty variable is read as not set, so an empty value would pass.
  return text.trim() === ""
    ? Effect.succeed(problem)
    : reader.parse(ConfigProvider.fromEnvRecord({ [Settings.variableOf(name)]: text })).pipe(
      Effect.match({ onFailure: () => problem, onSuccess: () => undefined })
    )
}

/** Reads the settings of a text: what it sets, and what is wrong in it. */
export const parse = Effect.fnUntraced(function*(text: string) {
  const source = read(text)
  const entries: Array<Entry> = []
  const troubles: Array<Trouble> = []
  if ("message" in source) return { entries, troubles: [source] }
  for (const { key, value, ...place } of source.entries) {
    if (!Settings.isName(key)) troubles.push(wrong(place, wrongName(key)))
    else if (value._tag !== "Plain") troubles.push(wrong(value, `${key} must be a single value`))
    // `mode:` with nothing behind it sets nothing.
    else if (value.value !== null) {
      const written = String(value.value)
      const problem = yield* problemOf(key, written)
      entries.push({ name: key, text: written, line: value.line, problem })
      if (problem !== undefined) troubles.push(wrong(value, problem))
    }
  }
  return { entries, troubles }
})

/**
 * Sets a value in a text, or takes it out; gives what is wrong where the text cannot be changed. YAML gets a line for each setting, because a line that is
 * added by hand below braces would break it.
 */
export const change = (text: string, name: string, value: string | undefined, asJson: boolean): string | Trouble => {
  const source = read(text)
  if ("message" in source) return source
  const { document } = source
  if (!isMap(document.contents)) document.contents = document.createNode({}) as YAMLMap.Parsed
  if (value === undefined) document.delete(name)
  else document.set(name, /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value)
  if (asJson) return `${JSON.stringify(document.toJSON() ?? {}, undefined, 2)}\n`
  if (isMap(document.contents)) document.contents.flow = false
  const written = document.toString({ lineWidth: 0 })
  return written.replace(/^\{\}\n/m, "")
}

/** The names that a text sets, also those that are not settings. */
export const namesIn = (text: string): ReadonlyArray<string> => {
  const root = Yaml.read(text)?.root
  return root?._tag === "Map" ? root.entries.map(({ key }) => key) : []
}

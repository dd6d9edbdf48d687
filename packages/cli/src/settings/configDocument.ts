/** The file of settings as a text: YAML, of which JSON is a part. Read with the place of every value, changed with its comments kept. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Effect from "effect/Effect"
import * as Yaml from "yaml"
import * as Check from "./check.ts"
import type { Entry, File, Trouble } from "./configFile.ts"
import { isName, names } from "./settings.ts"

interface Read {
  readonly document: Yaml.Document.Parsed
  readonly lines: Yaml.LineCounter
}

/** Reads a text; what is nested too deeply is more than the reader can take. */
const read = (text: string): Read | Trouble => {
  const lines = new Yaml.LineCounter()
  try {
    const document = Yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" })
    return { document, lines }
  } catch {
    return { message: "this is not YAML: it cannot be read" }
  }
}

const troubleAt = ({ lines }: Read, offset: number, message: string): Trouble => {
  const { col, line } = lines.linePos(offset)
  return { line, column: col, message: ForeignText.line(message, 300) }
}

/** What is no YAML. One slip makes the reader say several things, of which the first is where it happened. */
const syntax = (made: Read): Trouble | undefined => {
  const [first] = [...made.document.errors, ...made.document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0])
  return first === undefined ? undefined : troubleAt(made, first.pos[0], `this is not YAML: ${meaningOf(first)}`)
}

/** What the reader says in the words of its code is put into plain ones. */
const meaningOf = ({ code, message }: Yaml.YAMLError): string =>
  code === "UNEXPECTED_TOKEN"
    ? "this does not belong here, or a bracket or quotation mark before it is not closed"
    : message

const notSettings = (made: Read): Trouble => troubleAt(made, 0, "there must be names with values, e.g. mode: cached")

/** The settings of a document; none where it is empty. */
const mapOf = ({ document: { contents } }: Read): Yaml.YAMLMap.Parsed | "empty" | "other" =>
  Yaml.isMap(contents)
    ? contents
    : contents === null || (Yaml.isScalar(contents) && contents.value === null)
    ? "empty"
    : "other"

/** A token does not belong here, and its text is not repeated. */
const wrongName = (name: string): string =>
  /token/i.test(name)
    ? `${Problem.shown(name)} does not belong here: keep the token with \`marketdata auth login\`, and delete this line`
    : unknownName(name)

/** Says that there is no such setting, and which one was probably meant. */
export const unknownName = (name: string): string => {
  const meant = Problem.nearest(name, names)
  return `there is no setting ${Problem.shown(name)}` +
    (meant === undefined ? "; `marketdata config list` shows all" : `; did you mean ${meant}?`)
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined

const nameIn = (key: unknown): string => Yaml.isScalar(key) ? textOf(key.value) ?? "" : ""

const offsetOf = (node: unknown): number => Yaml.isNode(node) ? node.range?.[0] ?? 0 : 0

/** Reads the settings of a text. */
export const parse = Effect.fnUntraced(function*(text: string): Effect.fn.Return<Pick<File, "entries" | "troubles">> {
  const made = read(text)
  if ("message" in made) return { entries: [], troubles: [made] }
  const broken = syntax(made)
  if (broken !== undefined) return { entries: [], troubles: [broken] }
  const map = mapOf(made)
  if (map === "empty") return { entries: [], troubles: [] }
  if (map === "other") return { entries: [], troubles: [notSettings(made)] }
  const entries: Array<Entry> = []
  const troubles: Array<Trouble> = []
  for (const { key, value } of map.items) {
    const name = nameIn(key)
    if (!isName(name)) {
      troubles.push(troubleAt(made, offsetOf(key), wrongName(name)))
      continue
    }
    // `mode:` with nothing behind it sets nothing.
    if (value === null || (Yaml.isScalar(value) && value.value === null)) continue
    const written = Yaml.isScalar(value) ? textOf(value.value) : undefined
    const problem = written === undefined ? `${name} must be one value` : yield* Check.problemOf(name, written)
    if (problem !== undefined) {
      const trouble = troubleAt(made, offsetOf(value), problem)
      troubles.push(written === undefined ? trouble : { ...trouble, refused: { name, text: written } })
    } else entries.push({ name, text: written!, line: made.lines.linePos(offsetOf(value)).line })
  }
  return { entries, troubles }
})

/**
 * Sets a value in a text, or takes it out; gives what is wrong where the text cannot be changed. YAML gets a line for each setting, because a line that is
 * added by hand below braces would break it.
 */
export const change = (
  text: string,
  name: string,
  value: string | undefined,
  asJson: boolean
): string | Trouble => {
  const made = read(text)
  if ("message" in made) return made
  const broken = syntax(made)
  if (broken !== undefined) return broken
  const map = mapOf(made)
  if (map === "other") return notSettings(made)
  const { document } = made
  if (map === "empty") document.contents = document.createNode({}) as Yaml.YAMLMap.Parsed
  if (value === undefined) document.delete(name)
  else document.set(name, /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value)
  if (asJson) return `${JSON.stringify(document.toJSON() ?? {}, undefined, 2)}\n`
  if (Yaml.isMap(document.contents)) document.contents.flow = false
  const written = document.toString({ lineWidth: 0 })
  return written.replace(/^\{\}\n/m, "")
}

/** The names that a text sets, also those that are no settings. */
export const namesIn = (text: string): ReadonlyArray<string> => {
  const made = read(text)
  const map = "message" in made ? "other" : mapOf(made)
  return typeof map === "string" ? [] : map.items.map(({ key }) => nameIn(key))
}

/** Texts in YAML, of which JSON is a part: settings and plans, with the line and column of everything in them. */
import * as Yaml from "yaml"

/** Where something stands; lines and columns count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** What is wrong at a place. */
export type Trouble = Position & { readonly message: string }

/** A value of the text. `text` is a plain value as it is written; `within` gives the place of a character of it. */
export type Node =
  & Position
  & {
    /** The place of a character of `text`, or of the whole value where escapes or folded lines shift it. */
    readonly within: (index: number) => Position
  }
  & (
    | { readonly _tag: "Plain"; readonly value: string | number | boolean | null; readonly text: string }
    | { readonly _tag: "List"; readonly items: ReadonlyArray<Node> }
    | { readonly _tag: "Map"; readonly entries: ReadonlyArray<Entry> }
  )

/** A key with its value. */
export interface Entry extends Position {
  readonly key: string
  readonly value: Node
}

/** A text that was read: its document, what is wrong with it, its values, and where the first alias among them is. */
export type Source = NonNullable<ReturnType<typeof read>>

/** The most that anything in a file of this program is nested. */
const deepest = 100

/** A bracket, or the signs of block collections that begin in one another on one line. */
const sign = new RegExp(String.raw`[[\]{}]|(?:[-?:][ \t]+){${deepest}}`, "g")

/** Whether a text nests too deeply for the parser, which is recursive: at some depth V8 ends the program instead of throwing. */
const isTooDeep = (text: string): boolean => {
  let depth = 0
  for (const [found] of text.matchAll(sign)) {
    depth = found === "[" || found === "{" ? depth + 1 : Math.max(0, depth - 1)
    if (found.length > 1 || depth > deepest) return true
  }
  return false
}

/** More than any plan has, and few enough to be read at once: aliases can make a short text endless. */
const mostNodes = 100_000

const tooMany = `there are more than ${mostNodes} values, or they nest more than 50 deep.`

const noString = "a key must be a string, e.g. tasks."

/** Reads a text; undefined where it nests too deeply. */
export const read = (text: string) => {
  if (isTooDeep(text)) return undefined
  const lines = new Yaml.LineCounter()
  const document = Yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "error" })
  const at = (offset: number): Position => {
    const { col, line } = lines.linePos(Math.max(0, Math.min(offset, text.length)))
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const told = ({ code, message, pos: [offset] }: Yaml.YAMLError) => ({
    ...at(offset),
    code,
    message: code === "MULTIPLE_DOCS" ? "a second document begins here, and a file has one" : message
  })
  const { alias, refused, root } = rootOf(document, text, at)
  const errors = document.errors.map(told)
  return {
    document,
    // What the parser does not understand may be why a value is refused.
    errors: refused === undefined || errors.length > 0 ? errors : [{ ...refused, code: undefined }],
    warnings: document.warnings.map(told),
    root,
    alias
  }
}

/** The values of a document, where the first alias among them is, and what is wrong with the first one that is refused. */
const rootOf = (document: Yaml.Document.Parsed, text: string, at: (offset: number) => Position) => {
  let count = 0
  let alias: Position | undefined
  let refused: Trouble | undefined
  const nodeOf = (node: unknown, around: Position, depth: number): Node => {
    const here = Yaml.isNode(node) && node.range ? at(node.range[0]) : around
    const place = { ...here, within: () => here }
    const nothing = { _tag: "Plain", value: null, text: "", ...place } as const
    const refuse = (message: string, { column, line }: Position = here) => {
      refused ??= { line, column, message }
      return nothing
    }
    if (++count > mostNodes || depth > 50) return refuse(tooMany)
    if (Yaml.isAlias(node)) {
      alias ??= here
      const target = node.resolve(document)
      if (target === undefined) return refuse(`*${node.source} is not the name of an anchor.`)
      return { ...nodeOf(target, here, depth + 1), ...place }
    }
    if (Yaml.isMap(node)) {
      const entries = node.items.map(({ key, value }): Entry => {
        const name = nodeOf(key, here, depth + 1)
        const { column, line, text } = name._tag === "Plain" ? name : refuse(noString, name)
        return { line, column, key: text, value: nodeOf(value, { line, column }, depth + 1) }
      })
      return { _tag: "Map", entries, ...place }
    }
    if (Yaml.isSeq(node)) {
      const items = node.items.map((item) => nodeOf(item, here, depth + 1))
      return { _tag: "List", items, ...place }
    }
    if (!Yaml.isScalar(node)) return nothing
    const { range, source, type, value } = node
    const known = typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null
    const written = typeof value === "string" ? value : source ?? String(known ?? "")
    const begin = (range?.[0] ?? 0) + (type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE" ? 1 : 0)
    const isAsWritten = text.startsWith(written, begin)
    return {
      ...nothing,
      value: known,
      text: known === null ? "" : written,
      within: (index) => isAsWritten ? at(begin + index) : here
    }
  }
  const root = nodeOf(document.contents, at(0), 0)
  return { root, alias, refused }
}

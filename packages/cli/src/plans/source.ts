/** A text in YAML, of which JSON is a part, with the line and column of everything in it. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Yaml from "yaml"
import type { Trouble } from "../failure/failure.ts"

/** Where something stands; lines and columns count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** All that is wrong with a text, in its order; at least one thing. */
export class SourceError extends Data.TaggedError("SourceError")<{
  readonly troubles: readonly [Trouble, ...ReadonlyArray<Trouble>]
}> {}

/** A value of the text. `text` is a plain value as it is written; `offset` tells positions within it. */
export type Node =
  & Position
  & {
    /** The position of a character of the text, where it is written as it is. */
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

/** More than any plan has, and few enough to be read at once: aliases can make a short text endless. */
const mostNodes = 100_000

/** Reads a text. */
export const read = (text: string): Result.Result<Node, SourceError> => {
  const lines = new Yaml.LineCounter()
  const document = Yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number): Position => {
    const { col, line } = lines.linePos(Math.max(0, Math.min(offset, text.length)))
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const [first, ...others] = document.errors.map(({ message, pos: [offset] }): Trouble => ({
    ...at(offset),
    message: sentence(message)
  }))
  return first === undefined
    ? new Reader(document, text, at).read()
    : Result.fail(new SourceError({ troubles: [first, ...others] }))
}

/** The first line of a message, which may go on with a picture of the text. */
const sentence = (message: string): string => `${message.split("\n")[0]!.replace(/[.:]?\s*$/, "")}.`

class Reader {
  private count = 0
  private readonly document: Yaml.Document.Parsed
  private readonly text: string
  private readonly at: (offset: number) => Position

  constructor(document: Yaml.Document.Parsed, text: string, at: (offset: number) => Position) {
    this.document = document
    this.text = text
    this.at = at
  }

  read(): Result.Result<Node, SourceError> {
    return this.node(this.document.contents, this.at(0), 0)
  }

  private refuse(position: Position, message: string): Result.Result<never, SourceError> {
    return Result.fail(new SourceError({ troubles: [{ ...position, message }] }))
  }

  private node(node: unknown, position: Position, depth: number): Result.Result<Node, SourceError> {
    const here = Yaml.isNode(node) && node.range ? this.at(node.range[0]) : position
    if (++this.count > mostNodes || depth > 50) {
      return this.refuse(here, `there are more than ${mostNodes} values, or they nest more than 50 deep.`)
    }
    if (Yaml.isAlias(node)) {
      const target = node.resolve(this.document)
      return target === undefined
        ? this.refuse(here, `*${node.source} is not the name of an anchor.`)
        : Result.map(
          this.node(target, here, depth + 1),
          (resolved): Node => ({ ...resolved, ...here, within: () => here })
        )
    }
    if (Yaml.isMap(node)) return this.map(node, here, depth)
    if (Yaml.isSeq(node)) {
      return Result.map(
        Result.all(node.items.map((item) => this.node(item, here, depth + 1))),
        (items): Node => ({ _tag: "List", items, ...here, within: () => here })
      )
    }
    return Result.succeed(this.plain(node, here))
  }

  private map(map: Yaml.YAMLMap, here: Position, depth: number): Result.Result<Node, SourceError> {
    const entries = map.items.map(({ key, value }): Result.Result<Entry, SourceError> => {
      const place = Yaml.isNode(key) && key.range ? this.at(key.range[0]) : here
      return Result.flatMap(this.node(key, place, depth + 1), (name) =>
        name._tag === "Plain"
          ? Result.map(this.node(value, place, depth + 1), (value) => ({ ...place, key: name.text, value }))
          : this.refuse(place, "a key must be a text, e.g. tasks."))
    })
    return Result.map(Result.all(entries), (entries): Node => ({ _tag: "Map", entries, ...here, within: () => here }))
  }

  private plain(node: unknown, here: Position): Node {
    if (!Yaml.isScalar(node)) return { _tag: "Plain", value: null, text: "", ...here, within: () => here }
    const { range, source, type, value } = node
    const known = typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null
    const text = typeof value === "string" ? value : source ?? String(known ?? "")
    const begin = (range?.[0] ?? 0) + (type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE" ? 1 : 0)
    const isAsWritten = this.text.startsWith(text, begin)
    return {
      _tag: "Plain",
      value: known,
      text: known === null ? "" : text,
      ...here,
      within: (index) => isAsWritten ? this.at(begin + index) : here
    }
  }
}

/** The value as data, for a schema. */
export const toData = (node: Node): unknown => {
  switch (node._tag) {
    case "Plain":
      return node.value
    case "List":
      return node.items.map(toData)
    case "Map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, toData(value)]))
  }
}

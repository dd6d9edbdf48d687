import type { ColumnKind } from "./ColumnKind.ts"
import type { ColumnSpec } from "./ColumnSpec.ts"
import type { Content } from "./content.ts"
import * as Bitmap from "./bitmap.ts"

/** Prints a table as one JSON object, a column a piece. */
export function* encode(spec: ColumnSpec, names: ReadonlyArray<string>, content: Content): Generator<string> {
  yield `{"s":"ok"`
  for (const name of names) {
    const elements = encodeElements(spec[name]!.kind, content.vectors[name], Bitmap.of(content.nulls, name))
    yield `,${JSON.stringify(name)}:[${elements}]`
  }
  yield "}"
}

const encodeElements = (kind: ColumnKind, vector: unknown, nulls: Bitmap.Bitmap | undefined): string => {
  const { lanes: [first, second], legend } = kind.pack(vector)
  const { storage } = kind
  if (storage._tag === "Numbers" && nulls === undefined) return first!.join(",")
  const texts = storage._tag === "Choices" ? storage.values.map((value) => JSON.stringify(value)) : legend.map(opened)
  const elementAt = storage._tag === "Numbers"
    ? (row: number) => String(first![row])
    : storage._tag === "Choices"
    ? (row: number) => texts[first![row]!]!
    : storage.digits === 0
    ? (row: number) => `${texts[first![row]!]}"`
    : (row: number) => `${texts[first![row]!]}${String(second![row]).padStart(storage.digits, "0")}"`
  return Array.from(
    first!,
    (_, row) => nulls !== undefined && Bitmap.has(nulls, row) ? "null" : elementAt(row)
  ).join(",")
}

/** A JSON string without its closing quote. */
const opened = (text: string): string => JSON.stringify(text).slice(0, -1)

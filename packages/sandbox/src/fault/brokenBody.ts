import { ConnectionReset } from "../wire/ConnectionReset.ts"
import * as SeededNoise from "../market/seededNoise.ts"
import type { SandboxReply } from "../wire/SandboxReply.ts"

type Body = SandboxReply["body"]

/** The parts of a body: a text would else be taken letter by letter. */
const partsOf = (body: Body): Iterable<string> => typeof body === "string" ? [body] : body

/** The first characters of a body; the rest is never made. */
export function* first(body: Body, characters: number): Generator<string> {
  let left = characters
  for (const part of partsOf(body)) {
    if (part.length >= left) return yield part.slice(0, left)
    left -= part.length
    yield part
  }
}

/** A body behind which the connection breaks. */
export function* thenReset(body: Iterable<string>): Generator<string> {
  yield* body
  throw new ConnectionReset({ when: "within the body" })
}

const letters = `{}[]",:0123456789abcdef\\ \u0000\u001b<>é€`

/** What is no JSON, and other nonsense with another seed. */
export const garbage = (seed: number): string => {
  let text = "}"
  for (let at = 0; at < 200; at++) {
    text += letters[Math.floor(SeededNoise.unit(SeededNoise.mix(seed, at)) * letters.length)]
  }
  return text
}

/** Changes the fields of a JSON object; whatever else there is stays as it is. */
const change = (body: Body, edit: (fields: Record<string, unknown>) => void): string => {
  const text = [...partsOf(body)].join("")
  try {
    const fields: unknown = JSON.parse(text)
    if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return text
    const edited: Record<string, unknown> = { ...fields }
    edit(edited)
    return JSON.stringify(edited)
  } catch {
    return text
  }
}

/** Takes the last element off the last column. */
export const raggedColumn = (body: Body): string =>
  change(body, (fields) => {
    const column = Object.entries(fields).findLast(([, value]) => Array.isArray(value) && value.length > 0)
    if (column !== undefined && Array.isArray(column[1])) fields[column[0]] = column[1].slice(0, -1)
  })

/** Makes the first strike zero. */
export const zeroStrike = (body: Body): string =>
  change(body, (fields) => {
    if (Array.isArray(fields["strike"])) fields["strike"] = fields["strike"].map((strike, at) => at === 0 ? 0 : strike)
  })

/** Adds a column that no contract has. */
export const extraField = (body: Body): string =>
  change(body, (fields) => {
    const column = Object.values(fields).find(Array.isArray)
    fields["vanna"] = column === undefined ? 0 : column.map(() => 0)
  })

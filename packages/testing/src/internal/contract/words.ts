/** How the suite speaks of what it received: in one line, bounded, and without what a terminal would obey. */
import * as Result from "effect/Result"
import type { Exchange } from "./exchange.ts"

const longest = 120

/** A text in one line; characters that cannot be seen are written as their code. */
export const visible = (text: string): string =>
  text.replaceAll(/\s+/g, " ").trim()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** A text as evidence: its beginning, in one line. */
export const excerpt = (text: string): string => {
  // What is cut off need not be looked at: a body may be long.
  const line = visible(text.slice(0, 8 * longest))
  return line.length > longest ? `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…` : line
}

/** A value as evidence, or as a caller gave it. */
export const shown = (value: unknown): string =>
  value === undefined || typeof value === "number"
    ? String(value)
    : excerpt(Result.getOrElse(Result.try(() => JSON.stringify(value) ?? typeof value), () => typeof value))

/** What came back, as evidence. */
export const received = ({ status, text }: Pick<Exchange, "status" | "text">): string =>
  `received status ${status} with ${text.trim() === "" ? "an empty body" : excerpt(text)}`

/** Alternatives, as in "200, 203 or 204". */
export const either = (alternatives: ReadonlyArray<number | string>): string =>
  alternatives.length < 2
    ? alternatives.join("")
    : `${alternatives.slice(0, -1).join(", ")} or ${alternatives[alternatives.length - 1]}`

export const count = (number: number, what: string): string =>
  `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`

/** What speaks against a status, where it is none of those expected. */
export const otherStatus = (
  reply: Pick<Exchange, "status" | "text">,
  ...expected: ReadonlyArray<number>
): string | undefined =>
  expected.includes(reply.status) ? undefined : `expected status ${either(expected)}, ${received(reply)}`

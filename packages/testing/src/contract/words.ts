/** Received values as evidence: one line, of bounded length, made printable by `ForeignText`. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Result from "effect/Result"
import type { Exchange } from "./exchange.ts"

const longest = 120

/** The beginning of a text as evidence. It is cut before it is made printable, because a body may be long. */
export const excerpt = (text: string): string =>
  ForeignText.line(text.slice(0, 8 * longest).replaceAll(/\s+/g, " ").trim(), longest)

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

/** Why a status is wrong; undefined if it is one of those expected. */
export const otherStatus = (
  reply: Pick<Exchange, "status" | "text">,
  ...expected: ReadonlyArray<number>
): string | undefined =>
  expected.includes(reply.status) ? undefined : `expected status ${either(expected)}, ${received(reply)}`

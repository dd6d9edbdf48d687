/** How long a candle is. */
import * as Result from "effect/Result"
import type { Problem } from "../text/Problem.ts"
import { matching, type Reader } from "./parameter.ts"

/** A number of units. */
export interface Resolution {
  readonly unit: "minute" | "day" | "week" | "month" | "year"
  readonly count: number
}

const units: Readonly<Record<string, readonly [unit: Resolution["unit"], count: number]>> = {
  "": ["minute", 1],
  minutely: ["minute", 1],
  h: ["minute", 60],
  d: ["day", 1],
  w: ["week", 1],
  m: ["month", 1],
  y: ["year", 1]
}

/** Reads a resolution as the service writes it, in letters of either case; `form` says which of them an endpoint has. */
export const reader = (form: RegExp, problem: Problem): Reader<Resolution> => (name, input) =>
  Result.map(matching(form, problem)(name, input), (text) => {
    const [, digits = "", letters = ""] = /^(\d*)(.*)$/.exec(text.toLowerCase())!
    // A word such as `daily` begins with its letter.
    const [unit, count] = units[letters] ?? units[letters[0]!]!
    return { unit, count: digits === "" ? count : count * Number(digits) }
  })

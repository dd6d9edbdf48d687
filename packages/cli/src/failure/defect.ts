/**
 * What the program says when it breaks by a mistake of its own.
 *
 * @since 0.1.0
 */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import { basename } from "node:path"

/**
 * Describes a defect in one line: what it was, where it happened, and how to report it. It holds no path of the machine, nothing that looks like
 * a token, and not the token however it is written.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (
  defect: unknown,
  { token, version }: { readonly version: string; readonly token: string | undefined }
): string => {
  const name = nameOf(defect)
  const described = token === undefined ? name : ForeignText.without(token)(name)
  return `error: marketdata ${version} broke, by a mistake of its own: ${ForeignText.line(described, 500)}. ` +
    "Please report this line and what you typed, but not your token, to the authors of @effect-marketdata/cli"
}

const nameOf = (defect: unknown): string => {
  if (!(defect instanceof Error)) return typeof defect === "string" ? defect : "an unknown value was thrown"
  const place = placeOf(defect.stack)
  return `${defect.name}: ${defect.message}${place === undefined ? "" : ` (${place})`}`
}

/** The function, file and line at the top of a stack: `ladderOf, ChainTable.ts:63`. */
const placeOf = (stack: string | undefined): string | undefined => {
  const frame = /^ +at (?:(.*?) \()?(?:file:\/\/)?([^()]*?):(\d+):\d+\)?$/m.exec(stack ?? "")
  if (frame === null) return undefined
  const [, name, path = "", line] = frame
  return `${name === undefined ? "" : `${name}, `}${basename(path)}:${line}`
}

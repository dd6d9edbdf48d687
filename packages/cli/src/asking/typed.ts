/** The command line as it was typed, so that what to type next is a whole command. */
import { Context } from "effect"

/** The words behind `marketdata`. */
export const Typed = Context.Reference<ReadonlyArray<string>>("@effect-marketdata/cli/Typed", {
  defaultValue: () => []
})

/** A flag and its value; one without a value is a switch, one without both is left out. */
export type Flags = Readonly<Record<string, string | true | undefined>>

const quoted = (word: string): string =>
  /^[\w./:,=+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A command that may be typed instead: its words behind `marketdata`, and what it comes to. */
export interface Instead {
  readonly words: ReadonlyArray<string>
  readonly price: string
}

/** A command as a shell reads it. */
export const line = (words: ReadonlyArray<string>): string => ["marketdata", ...words].map(quoted).join(" ")

/** The same command with other flags: what was typed of them before is left out. */
export const withFlags = (typed: ReadonlyArray<string>, flags: Flags): ReadonlyArray<string> => {
  const kept = typed.filter((word, index) => {
    const [name = ""] = word.split("=")
    if (Object.hasOwn(flags, name)) return false
    const before = typed[index - 1] ?? ""
    return !(Object.hasOwn(flags, before) && flags[before] !== true)
  })
  const added = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : value === true ? [name] : [name, value]
  )
  // What stands behind `--` is no flag.
  const end = kept.includes("--") ? kept.indexOf("--") : kept.length
  return kept.toSpliced(end, 0, ...added)
}

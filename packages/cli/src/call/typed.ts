/** The command line as it was typed, from which messages make whole commands to type next. */
import { Context } from "effect"

/** The words behind `marketdata`. */
export const Typed = Context.Reference<ReadonlyArray<string>>("@effect-marketdata/cli/Typed", {
  defaultValue: () => []
})

/** Flags with their values: `true` is a flag without a value, undefined removes the flag. */
export type Flags = Readonly<Record<string, string | true | undefined>>

const quoted = (word: string): string =>
  /^[\w./:,=+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A command that may be typed instead: its words after `marketdata`, and its price in words. */
export interface Instead {
  readonly words: ReadonlyArray<string>
  readonly price: string
}

/** A command, quoted for a shell. */
export const line = (words: ReadonlyArray<string>): string => ["marketdata", ...words].map(quoted).join(" ")

/** The same command with these flags in place of the typed ones of the same names. */
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
  // After `--` there are only arguments.
  const end = kept.includes("--") ? kept.indexOf("--") : kept.length
  return kept.toSpliced(end, 0, ...added)
}

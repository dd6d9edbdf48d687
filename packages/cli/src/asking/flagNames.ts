/** Core names an option as programs write it, `minBid`; on a command line it is the flag `--min-bid`. */
import type * as Credits from "@effect-marketdata/core/Credits"
import * as Query from "@effect-marketdata/core/Query"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as OwnWords from "../failure/ownWords.ts"

/** An option as a flag. */
export const flagOf = (option: string): string =>
  `--${option.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`

/** What stands on the line without a flag. */
const isArgument: ReadonlySet<string> = new Set([
  "underlying",
  "optionSymbol",
  "symbol",
  "symbols",
  "description",
  "resolution"
])

/** The options of all queries. */
const options = new Set(Object.values(Query.endpoints).flatMap(({ parameters }): ReadonlyArray<string> => parameters))

/** Writes a range of numbers as it is typed, not as programs write it. */
const asTyped = (text: string): string => text.replaceAll(/\{ ?"?from"?: ?([\d.]+), ?"?to"?: ?([\d.]+) ?\}/g, "$1-$2")

/** Names of several words are those of options; one of a single word may be a word, except where two options are compared. */
const withFlags = (text: string): string =>
  asTyped(OwnWords.of(text)).replaceAll(
    /\b[a-z]+(?:[A-Z][a-z]+)+\b|(?<=\b(?:combined with|like) )[a-z]+\b|(?<=\bafter )to\b(?= \()/g,
    (word) => options.has(word) ? flagOf(word) : word
  )

/** Says of a refused option which flag it is. */
export const named = (error: InvalidQuery): InvalidQuery =>
  error.parameter.startsWith("-") || error.parameter.includes(" ") || isArgument.has(error.parameter)
    ? error
    : new InvalidQuery({
      parameter: flagOf(error.parameter),
      value: asTyped(error.value),
      rule: withFlags(error.rule),
      example: withFlags(error.example)
    })

/** The options of a cheaper way to ask, as flags with their values. */
export const ofWay = ({ options }: Credits.Way): ReadonlyArray<readonly [name: string, value: string | undefined]> =>
  Object.entries(options).flatMap(([name, value]) =>
    typeof value !== "object"
      ? [[flagOf(name), value === undefined ? undefined : String(value)] as const]
      : "_tag" in value
      ? [["--mode", "cached"] as const]
      : Object.entries(value).map(([assumed, count]) => [flagOf(assumed), String(count)] as const)
  )

/** The name of a query in messages, for several of the same kind too. */
export const queryNames = ([first, ...others]: readonly [Query.Query, ...ReadonlyArray<Query.Query>]): string => {
  const subjects = [first, ...others].map(({ subject }) => subject).filter((subject) => subject !== "")
  const listed = subjects.length <= 3
    ? subjects.join(", ")
    : `${subjects.slice(0, 2).join(", ")} and ${subjects.length - 2} more`
  return `${OwnWords.of(first.endpoint.name)} ${listed}`.trimEnd()
}

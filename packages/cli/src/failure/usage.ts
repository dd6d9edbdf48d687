/** Mistakes on the command line, in two lines: what is wrong, and what was probably meant or where to read on. */
import { ForeignText, Problem } from "@effect-marketdata/core"
import { Console, Effect } from "effect"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import type * as HelpDoc from "effect/cli/HelpDoc"
import { classes, type CommandError, wrong } from "./failure.ts"

/** Flags of this program by the names that other programs have for them. */
const otherWords: Readonly<Record<string, ReadonlyArray<string>>> = {
  "--every": ["--when", "--watch"],
  "--interval": ["--when", "--watch"],
  "--expiry": ["--expiration"],
  "--last": ["--countback"]
}

/** A command below a group. */
export interface Place {
  readonly name: string
  readonly typed: string
}

const flagNames = ({ flags, globalFlags = [] }: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  [...flags, ...globalFlags].map(({ name }) => `--${name}`)

/** The flags that an unknown one may mean: by `otherWords`, else by spelling. Effect's own suggestions lack the global flags. */
const flagsMeant = (option: string, own: ReadonlyArray<string>, doc: HelpDoc.HelpDoc): ReadonlyArray<string> => {
  const names = flagNames(doc)
  const same = (otherWords[option] ?? []).filter((name) => names.includes(name))
  if (same.length > 0) return same
  const nearest = Problem.nearest(option, names)
  return nearest === undefined || own.includes(nearest) ? own : [...own, nearest]
}

/** What an unknown command may mean: a command of a group, or a symbol whose command is missing. */
const commandsMeant = (
  { subcommand: word, suggestions }: CliError.UnknownSubcommand,
  [, group]: ReadonlyArray<string>,
  places: ReadonlyArray<Place>
): ReadonlyArray<string> => {
  const nested = group === undefined ? places.filter(({ name }) => name === word) : []
  if (nested.length > 0) return nested.map(({ typed }) => `\`${typed}\``)
  if (/^[A-Za-z]{1,6}\d{5,8}[A-Za-z][\d.]*$/.test(word) && (group === undefined || group === "symbol")) {
    return [`\`marketdata symbol explain ${word}\``]
  }
  if (suggestions.length > 0) return suggestions
  return /^[A-Z]{1,5}$/.test(word) && (group === undefined || group === "estimate")
    ? [`\`marketdata ${group === undefined ? "" : `${group} `}chain ${word}\``]
    : []
}

/** What was probably meant. */
const suggestions = ({ commandPath, errors: [error], helpDoc }: Mistyped, places: ReadonlyArray<Place>) => {
  if (error?._tag === "UnrecognizedOption") return flagsMeant(error.option, error.suggestions, helpDoc)
  return error?._tag === "UnknownSubcommand" ? commandsMeant(error, commandPath, places) : []
}

/** A command line that cannot be read. */
type Mistyped = Pick<CliOutput.Presenter.InvalidInvocation, "commandPath" | "errors" | "helpDoc">

/** What is wrong. Effect adds what was probably meant, which is the second line here. */
const mistake = ({ message }: CliError.NonShowHelpErrors): string => {
  const [said = ""] = message.split("\n\n  Did you mean this?")
  const inWords = said.replace("Expected a string representing a finite number", "Expected a number, e.g. 50")
  return ForeignText.line(inWords.replace(/\s*\n\s*/g, " "), 500)
}

/** More than the names of commands have, and less than tokens. */
const longestWord = 12

/** A word that `auth` cannot use may be a token, so it is not repeated. */
const mayHoldToken = (commandPath: ReadonlyArray<string>, errors: ReadonlyArray<CliError.NonShowHelpErrors>): boolean =>
  commandPath[1] === "auth" &&
  errors.some((error) =>
    error._tag === "UnexpectedArgument" || error._tag === "InvalidValue" || error.message.includes("=") ||
    (error._tag === "UnknownSubcommand" && error.subcommand.length > longestWord)
  )

/** What is said of a token that was typed, wherever it stood. */
export const tokenOnCommandLine = wrong(
  "TokenOnCommandLine",
  "a token on the command line can be read by other programs and stays in the history of the shell. It was not used",
  "delete it there, and type `marketdata auth login`, which asks for it, or `marketdata auth login --with-token < FILE`"
)

const failureOf = (mistyped: Mistyped, places: ReadonlyArray<Place>): CommandError => {
  const { commandPath, errors } = mistyped
  if (mayHoldToken(commandPath, errors)) return tokenOnCommandLine
  const first = errors[0]!
  // Only the first mistake is reported; the others often follow from it: each letter of a value such as -5min is taken for a flag.
  const meant = suggestions(mistyped, places).map((name) => ForeignText.line(name)).join(" or ")
  const read = first._tag === "UnrecognizedOption" && commandPath.length === 1
    ? "flags stand after the command that they are for, as in `marketdata chain AAPL --mode cached`"
    : `see \`${commandPath.join(" ")} --help\``
  return wrong(first._tag, mistake(first), meant === "" ? read : `did you mean ${meant}?`)
}

/** The exit codes, as the help of the program lists them. */
const exitCodes = (): string => {
  const lines = Object.values(classes).map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`)
  return ["", "EXIT CODES", "  0    done", ...lines].join("\n")
}

/** Prints help as Effect does, adds the exit codes to that of the program, and prints mistakes by `tell`, as other failures. */
export const presenter = (
  tell: (failure: CommandError) => Effect.Effect<void>,
  places: ReadonlyArray<Place>
): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag === "InvalidInvocation") return tell(failureOf(event, places))
    const shown = CliOutput.defaultPresenter.present(event)
    const isOfProgram = event._tag === "Help" && event.commandPath.length === 1
    return isOfProgram ? Effect.andThen(shown, Console.log(exitCodes())) : shown
  }
})

/** The outcome of a command line that ran no command: a success if it asked for help. */
export const outcome = (error: CliError.CliError): Effect.Effect<void, CommandError> =>
  error._tag === "ShowHelp" && error.errors.length === 0 ? Effect.void : Effect.fail(wrong(error._tag, error.message))

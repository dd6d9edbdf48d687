/** Mistakes on the command line, in two lines: what is wrong, and what was probably meant or where to read on. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Problem from "@effect-marketdata/core/Problem"
import type * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { classes } from "./exit.ts"
import { CommandError } from "./failure.ts"
import * as Failure from "./failure.ts"

/** Whether JSON was asked for, of a command line that may not be readable. */
export const wantsJson = (arguments_: ReadonlyArray<string>): boolean =>
  arguments_.some((argument, index) =>
    argument === "--json" || argument === "--format=json" || argument === "--format=jsonl" ||
    (argument === "--format" && ["json", "jsonl"].includes(arguments_[index + 1] ?? ""))
  )

/** The flags of every command, which Effect leaves out where it says what was probably meant. */
const everywhere = ["--format", "--json", "--color", "--help", "--version", "--log-level", "--completions"]

/** What was probably meant, by the nearest names there are. */
const suggestions = (error: CliError.NonShowHelpErrors): ReadonlyArray<string> => {
  const own = "suggestions" in error ? error.suggestions : []
  const general = error._tag === "UnrecognizedOption" ? Problem.nearest(error.option, everywhere) : undefined
  return general === undefined ? own : [...own, general]
}

/** What is wrong. Effect adds what was probably meant, which is the second line here. */
const mistake = ({ message }: CliError.NonShowHelpErrors): string => {
  const [said = ""] = message.split("\n\n  Did you mean this?")
  return ForeignText.line(said.replace(/\s*\n\s*/g, " "), 500)
}

/** A word that `auth` cannot use may be a token, so it is not repeated. */
const mayHoldToken = (commandPath: ReadonlyArray<string>, errors: ReadonlyArray<CliError.NonShowHelpErrors>): boolean =>
  commandPath[1] === "auth" &&
  errors.some((error) =>
    error._tag === "UnexpectedArgument" || error._tag === "InvalidValue" || error.message.includes("=")
  )

/** What is said of a token that was typed, wherever it stood. */
export const tokenOnCommandLine = new CommandError({
  class: "usage",
  reason: "TokenOnCommandLine",
  message:
    "a token on the command line can be read by other programs and stays in the history of the shell. It was not used",
  next:
    "delete it there, and type `marketdata auth login`, which asks for it, or `marketdata auth login --with-token < FILE`"
})

const failureOf = (
  commandPath: ReadonlyArray<string>,
  errors: ReadonlyArray<CliError.NonShowHelpErrors>
): CommandError => {
  if (mayHoldToken(commandPath, errors)) return tokenOnCommandLine
  const meant = errors.flatMap(suggestions)
  const first = errors[0]!
  return new CommandError({
    class: "usage",
    reason: first._tag,
    message: mistake(first),
    next: meant.length === 0
      ? `see \`${commandPath.join(" ")} --help\``
      : `did you mean ${meant.map((name) => ForeignText.line(name)).join(" or ")}?`
  })
}

/** The exit codes, as the help of the program lists them. */
const exitCodes = (): string =>
  [
    "",
    "EXIT CODES",
    "  0    done",
    ...Object.values(classes).map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`)
  ].join("\n")

/** Prints help as Effect does, that of the program with the exit codes; and mistakes as other failures. */
export const presenter = (arguments_: ReadonlyArray<string>): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") {
      const isOfProgram = event._tag === "Help" && event.commandPath.length === 1
      return Effect.andThen(
        CliOutput.defaultPresenter.present(event),
        isOfProgram ? Console.log(exitCodes()) : Effect.void
      )
    }
    const failure = failureOf(event.commandPath, event.errors)
    return Console.error(wantsJson(arguments_) ? Failure.json(failure) : Failure.format(failure))
  }
})

/** How a command line ends that was not run: well where only help was wanted. */
export const outcome = (error: CliError.CliError): Effect.Effect<void, CommandError> =>
  error._tag === "ShowHelp" && error.errors.length === 0
    ? Effect.void
    : Effect.fail(new CommandError({ class: "usage", reason: error._tag, message: error.message }))

/** The scripts that complete a command line in a shell. Effect knows flags and their words; this adds columns, settings, and where a file is meant. */
import * as Query from "@effect-marketdata/core/Query"
import type * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import type { ArgumentDescriptor, CommandDescriptor, FlagDescriptor } from "effect/cli/Completions"
import * as Names from "../failure/names.ts"
import { settings } from "../settings/settings.ts"

const oneOf = (values: ReadonlyArray<string>) => ({ _tag: "Choice", values }) as const

/** The columns of what a command asks for, by its words. */
const columnsOf = (words: string): ReadonlyArray<string> =>
  Object.values(Query.endpoints).find(({ name }) => Names.commandOf(name) === words)?.columns ?? []

/** A flag or an argument of a command with the values that it may have. */
const known = (words: string) => <A extends FlagDescriptor | ArgumentDescriptor>(input: A): A => {
  switch (input.name) {
    case "columns":
    case "sort":
      return { ...input, type: oneOf(columnsOf(words)) }
    case "name":
      return words.startsWith("config ") ? { ...input, type: oneOf(Object.keys(settings)) } : input
    case "file":
    case "reply":
      return input.type._tag === "String" ? { ...input, type: { _tag: "Path", pathType: "file" } } : input
    default:
      return input
  }
}

const completed = (command: CommandDescriptor, words = ""): CommandDescriptor => ({
  ...command,
  flags: command.flags.map(known(words)),
  arguments: command.arguments.map(known(words)),
  subcommands: command.subcommands.map((below) =>
    completed(below, words === "estimate" ? below.name : `${words} ${below.name}`.trim())
  )
})

/** The script for a shell. */
export const script = (command: Command.Command.Any, shell: Completions.Shell): string =>
  Completions.generate(command.name, shell, completed(Completions.fromCommand(command)))

/** The scripts that complete a command line in a shell. Effect knows flags and their words; this adds columns, settings, and where a file is meant. */
import { Query } from "@effect-marketdata/core"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import { LogLevel } from "effect/cli/GlobalFlag"
import * as Names from "../failure/names.ts"
import { globalFlags } from "../output/output.ts"
import { settings } from "../settings/settings.ts"
import { presets } from "./options.ts"

const oneOf = (values: ReadonlyArray<string>) => ({ _tag: "Choice", values }) as const

/** The columns of what a command asks for, by its words. */
const columnsOf = (words: string): ReadonlyArray<string> =>
  Object.values(Query.endpoints).find(({ name }) => Names.commandOf(name) === words)?.columns ?? []

/** A flag or an argument of a command with the values that it may have. */
const known =
  (words: string) => <A extends Completions.FlagDescriptor | Completions.ArgumentDescriptor>(input: A): A => {
    switch (input.name) {
      case "columns":
        return { ...input, type: oneOf([...words === "chain" ? Object.keys(presets) : [], ...columnsOf(words)]) }
      case "sort":
        return { ...input, type: oneOf(columnsOf(words)) }
      case "name":
        return words.startsWith("config ") ? { ...input, type: oneOf(Object.keys(settings)) } : input
      case "file":
      case "output":
      case "reply": {
        if (input.type._tag !== "String") return input
        const pathType = words === "run" && input.name === "output" ? "directory" : "file"
        return { ...input, type: { _tag: "Path", pathType } }
      }
      default:
        return input
    }
  }

/** The flags of every command that take a value or have a use in scripts; Effect's scripts leave them out. */
const everywhere = Completions.fromCommand(
  Command.make("every", Object.fromEntries([...globalFlags, LogLevel].map(({ flag, id }) => [id, flag])))
).flags

const completed = (command: Completions.CommandDescriptor, words = ""): Completions.CommandDescriptor => ({
  ...command,
  flags: [...command.flags.map(known(words)), ...everywhere],
  arguments: command.arguments.map(known(words)),
  subcommands: command.subcommands.map((below) =>
    completed(below, words === "estimate" ? below.name : `${words} ${below.name}`.trim())
  )
})

/** The script for a shell. */
export const script = (command: Command.Command.Any, shell: Completions.Shell): string =>
  Completions.generate(command.name, shell, completed(Completions.fromCommand(command)))

/** Every command of the program, as its list has them: a new one is tried without being named here. */
import type * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { commands } from "../../src/commands/list.ts"

/** Commands by their words, with the examples of their help. */
const below = (
  list: ReadonlyArray<Command.Command.Any>,
  before: string
): ReadonlyArray<{ readonly name: string; readonly examples: ReadonlyArray<string> }> =>
  list.flatMap((command) => {
    const name = `${before} ${command.name}`.trim()
    const subcommands = command.subcommands.flatMap((group) => group.commands)
    return subcommands.length > 0
      ? below(subcommands, name)
      : [{ name, examples: command.examples.map((example) => example.command) }]
  })

// As completions need them: all.
export const everyCommand = below(await Effect.runPromise(commands(["--completions"])), "")

const unquoted = (word: string): string =>
  word.startsWith("\"") ? word.slice(1, -1).replaceAll(/\\(.)/g, "$1") : word.startsWith("'") ? word.slice(1, -1) : word

/** The words of a line, as a shell reads them. */
export const words = (text: string): ReadonlyArray<string> =>
  (text.match(/"(?:\\.|[^"])*"|'[^']*'|\S+/g) ?? []).map(unquoted)

/** Reads a line of one command as a shell does: the words behind `marketdata`, `echo TEXT |` before it, whose text is piped in, and `< FILE` behind it. */
export const read = (line: string) => {
  const [, piped, rest = "", file] = /^(?:echo ("(?:\\.|[^"])*"|\S+) \| )?marketdata ?(.*?)(?: < (\S+))?$/.exec(line) ??
    []
  return {
    words: words(rest),
    ...(piped === undefined ? {} : { piped: unquoted(piped) }),
    ...(file === undefined ? {} : { file })
  }
}

/**
 * A command that asks one query, and its twin under `estimate`, which only prices it: both are made of one declaration. What they need besides their
 * flags is loaded when they run.
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Flags from "./flags.ts"
import type { Questions } from "./question.ts"

/** The declaration of such a command. */
export interface Declaration<Config extends Command.Command.Config, Data> {
  readonly name: string
  /** The commands that it stands under: `stock` for `marketdata stock quote`. */
  readonly under?: string
  readonly description: string
  /** Three examples: what follows the name on the line, and what it is for. */
  readonly examples: ReadonlyArray<readonly [line: string, description: string]>
  /** The arguments and flags of the query. */
  readonly config: Config
  readonly load: () => Promise<Questions<Command.Command.Config.Infer<Config>, Data>>
}

/** Makes a declaration; the compiler holds the questions to its flags. */
export const declare = <const Config extends Command.Command.Config, Data>(
  declaration: Declaration<Config, Data>
): Declaration<Config, Data> => declaration

const described = (
  before: string,
  description: string,
  { examples, name, under }: Pick<Declaration<Command.Command.Config, unknown>, "examples" | "name" | "under">
) =>
<Name extends string, Input, E, R, ContextInput>(command: Command.Command<Name, Input, ContextInput, E, R>) =>
  command.pipe(
    Command.withDescription(description),
    Command.withExamples(examples.map(([line, description]) => ({
      command: ["marketdata", before, under ?? "", name, line].filter((word) => word !== "").join(" "),
      description
    })))
  )

/** Makes the command that asks. */
export const ask = <const Config extends Command.Command.Config, Data>(declaration: Declaration<Config, Data>) =>
  Command.make(
    declaration.name,
    { question: declaration.config, asking: Flags.flags },
    Effect.fnUntraced(function*(input) {
      const [questions, { ask }] = yield* Effect.promise(() => Promise.all([declaration.load(), import("./ask.ts")]))
      // TypeScript does not work out what nested flags give while they are still generic.
      const { asking, question } = input as unknown as Given<Config>
      yield* ask(questions.of(question), asking)
    })
  ).pipe(described("", declaration.description, declaration))

/** Makes the command that only prices. */
export const estimate = <const Config extends Command.Command.Config, Data>(declaration: Declaration<Config, Data>) =>
  Command.make(
    declaration.name,
    { question: declaration.config },
    Effect.fnUntraced(function*(input) {
      const [questions, { price }] = yield* Effect.promise(() => Promise.all([declaration.load(), import("./price.ts")]))
      const { question } = input as unknown as Given<Config>
      yield* price(questions.of(question))
    })
  ).pipe(described("estimate", `Price without sending: ${declaration.description}`, declaration))

interface Given<Config extends Command.Command.Config> {
  readonly question: Command.Command.Config.Infer<Config>
  readonly asking: Flags.Input
}

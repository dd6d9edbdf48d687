/** Asks the person at the terminal. What was typed before the prompt was there cannot be its answer, and is thrown away. */
import * as Prompt from "effect/cli/Prompt"
import { Effect, Queue, Terminal } from "effect"
import { CommandError } from "../failure/failure.ts"

/** How long keys are thrown away: a terminal hands over what it holds at once, and a person takes longer to read. */
const pending = "100 millis"

/** Throws away the keys that were pressed before. Ctrl-C among them is meant, whenever it was pressed. */
const discardTyped = Effect.scoped(Effect.gen(function*() {
  const terminal = yield* Terminal.Terminal
  const keys = yield* terminal.readInput
  const isOver = yield* Effect.timeoutOption(Effect.flip(Effect.forever(Queue.take(keys))), pending)
  if (isOver._tag === "Some") return yield* new Terminal.QuitError({})
}))

/** Asks. Who leaves the prompt has stopped the command; `consequence` says what that means, as in "Nothing was sent." */
export const ask = <A>(prompt: Prompt.Prompt<A>, consequence: string) =>
  Effect.andThen(discardTyped, Prompt.run(prompt)).pipe(
    Effect.catchTag("QuitError", () =>
      Effect.fail(
        new CommandError({ class: "interrupted", reason: "Interrupted", message: `stopped. ${consequence}` })
      ))
  )

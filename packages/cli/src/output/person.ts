/**
 * What a person at the terminal is shown and asked: the whole screen, drawn over in place, and a line of standard error that is replaced, which both leave
 * what was there before; and a prompt. What was typed before the prompt was there cannot be its answer, and is thrown away.
 */
import { Clock, Effect, Queue, Stdio, Stream, Terminal } from "effect"
import * as Prompt from "effect/cli/Prompt"
import { CommandError } from "../failure/failure.ts"
import * as Span from "../text/span.ts"
import * as Words from "../text/words.ts"
import { Output, type Size } from "./output.ts"

const orders = {
  /** Opens a screen beside the one with the lines so far, and hides the cursor. */
  enter: "\u001b[?1049h\u001b[?25l",
  leave: "\u001b[?25h\u001b[?1049l",
  home: "\u001b[H",
  eraseLine: "\u001b[K",
  eraseBelow: "\u001b[J"
}

/** Opens a screen for as long as the scope is open. Lines are drawn over those that were drawn before, as many as there is room for. */
export const open = Effect.gen(function*() {
  const { colours } = yield* Output
  const terminal = yield* Terminal.Terminal
  // A terminal that is gone is no reason to fail: what runs is ended by other means.
  const display = (text: string) => Effect.ignore(terminal.display(text))
  yield* Effect.acquireRelease(display(orders.enter), () => display(orders.leave))
  return (lines: ReadonlyArray<Span.Line>, size: Size) =>
    display(
      orders.home +
        lines.slice(0, size.rows).map((line) =>
          Span.format([Span.cut(line, size.columns)], colours.output) + orders.eraseLine
        ).join("\r\n") +
        orders.eraseBelow
    )
})

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

/** What is over before a person would wonder is not worth a line. */
const patience = "500 millis"

/**
 * Shows a line on standard error, which is replaced by one that is made anew of the seconds that have passed, for as long as something runs and where
 * there is somebody to look at it.
 */
export const beside = Effect.fnUntraced(function*<A, E, R, R2>(
  run: Effect.Effect<A, E, R>,
  line: (passed: number) => Effect.Effect<Span.Line, never, R2>
) {
  const { canAnimate, colours, isJson, size } = yield* Output
  if (!canAnimate || isJson) return yield* run
  const stdio = yield* Stdio.Stdio
  const replace = (text: string) =>
    Effect.ignore(Stream.run(Stream.make(`\r${text}${orders.eraseLine}`), stdio.stderr()))
  const shown = Effect.scoped(Effect.gen(function*() {
    const started = yield* Clock.currentTimeMillis
    yield* Effect.sleep(patience)
    yield* Effect.addFinalizer(() => replace(""))
    for (;;) {
      const next = yield* line(((yield* Clock.currentTimeMillis) - started) / 1000)
      yield* replace(Span.format([Span.cut(next, (yield* size).columns - 1)], colours.errors))
      yield* Effect.sleep("200 millis")
    }
  }))
  return yield* Effect.raceFirst(run, shown)
})

/** How long it may still take, by what it took so far. */
export const left = (done: number, of: number, passed: number): ReadonlyArray<string> =>
  done === 0 || done === of ? [] : [`about ${Words.age(Math.max(1, passed / done * (of - done)))} left`]

/**
 * What a person at the terminal is shown and asked: a screen that is redrawn in place, a line of progress on standard error, and a prompt. The first two
 * leave no trace behind. Keys that were pressed before a prompt appears cannot be its answer, and are discarded.
 */
import { Clock, Effect, Queue, Stdio, Stream, Terminal } from "effect"
import * as Prompt from "effect/cli/Prompt"
import { CommandError } from "../failure/failure.ts"
import * as Span from "../text/span.ts"
import * as Words from "../text/words.ts"
import { Output, type Size, widthOf } from "./output.ts"

const orders = {
  /** Switches to the alternate screen, and hides the cursor. */
  enter: "\u001b[?1049h\u001b[?25l",
  leave: "\u001b[?25h\u001b[?1049l",
  home: "\u001b[H",
  eraseLine: "\u001b[K",
  eraseBelow: "\u001b[J"
}

/**
 * Opens the alternate screen until the scope closes. Returns a function that draws lines over the last ones, as many as there is room for. While Ctrl-Z has
 * stopped the program, the shell has its own screen.
 */
export const open = Effect.gen(function*() {
  const { colours } = yield* Output
  const terminal = yield* Terminal.Terminal
  // A terminal that is gone is not a reason to fail: what runs is ended by other means.
  const display = (text: string) => Effect.ignore(terminal.display(text))
  yield* Effect.acquireRelease(display(orders.enter), () => display(orders.leave))
  const stop = Effect.andThen(display(orders.leave), Effect.sync(() => process.kill(process.pid, "SIGSTOP")))
  const stopped = () => Effect.runFork(stop)
  const continued = () => Effect.runFork(display(orders.enter))
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("SIGTSTP", stopped).on("SIGCONT", continued)),
    () => Effect.sync(() => process.off("SIGTSTP", stopped).off("SIGCONT", continued))
  )
  return (lines: ReadonlyArray<Span.Line>, { columns, rows }: Size) => {
    const shown = lines.slice(0, rows).map((line) => Span.format([Span.cut(line, columns)], colours.output))
    return display(orders.home + shown.map((line) => line + orders.eraseLine).join("\r\n") + orders.eraseBelow)
  }
})

/** How long keys are discarded: buffered keys arrive at once, and no person reads a prompt faster. */
const pending = "100 millis"

/** Discards the keys that were pressed before; Ctrl-C among them still quits. */
const discardTyped = Effect.scoped(Effect.gen(function*() {
  const keys = yield* Terminal.Terminal.use(({ readInput }) => readInput)
  const isOver = yield* Effect.timeoutOption(Effect.flip(Effect.forever(Queue.take(keys))), pending)
  if (isOver._tag === "Some") return yield* new Terminal.QuitError({})
}))

/** Runs a prompt after `first`. Quitting it fails as an interruption; `consequence` says what that means, such as "Nothing was sent." */
export const ask = <A>(prompt: Prompt.Prompt<A>, consequence: string, first = discardTyped) =>
  Effect.andThen(first, Prompt.run(prompt)).pipe(
    // The cursor is still behind the prompt.
    Effect.tapError(() => Output.use(({ note }) => note([""]))),
    Effect.mapError(() =>
      new CommandError({ class: "interrupted", reason: "Interrupted", message: `stopped. ${consequence}` })
    )
  )

/** How long nothing is shown: what is over by then needs no line. */
const patience = "500 millis"

/**
 * Shows a line of progress on standard error while an effect runs, made anew five times a second from the seconds that have passed; nothing if standard
 * error is not a terminal, or the format is JSON.
 */
export const beside = Effect.fnUntraced(function*<A, E, R, R2>(
  run: Effect.Effect<A, E, R>,
  line: (passed: number) => Effect.Effect<Span.Line, never, R2>
) {
  const { canAnimate, colours } = yield* Output
  if (!canAnimate) return yield* run
  const stdio = yield* Stdio.Stdio
  const width = widthOf(stdio.stderrIsTerminal, yield* Terminal.Terminal)
  const replace = (text: string) =>
    Effect.ignore(Stream.run(Stream.make(`\r${text}${orders.eraseLine}`), stdio.stderr()))
  const shown = Effect.scoped(Effect.gen(function*() {
    const started = yield* Clock.currentTimeMillis
    yield* Effect.sleep(patience)
    yield* Effect.addFinalizer(() => replace(""))
    for (;;) {
      const next = yield* line(((yield* Clock.currentTimeMillis) - started) / 1000)
      yield* replace(Span.format([Span.cut(next, (yield* width) - 1)], colours.errors))
      yield* Effect.sleep("200 millis")
    }
  }))
  return yield* Effect.raceFirst(run, shown)
})

/** How long it may still take, by what it took so far. */
export const left = (done: number, of: number, passed: number): ReadonlyArray<string> =>
  done === 0 || done === of ? [] : [`about ${Words.age(Math.max(1, passed / done * (of - done)))} left`]

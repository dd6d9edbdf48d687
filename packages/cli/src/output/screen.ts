/** The whole screen of a terminal, drawn over in place, and a line of standard error that is replaced. Both leave what was there before. */
import { Effect, Stdio, Stream, Terminal } from "effect"
import * as Span from "../text/span.ts"
import { Output, type Size } from "./output.ts"

const orders = {
  /** Opens a screen beside the one with the lines so far, and hides the cursor. */
  enter: "\u001b[?1049h\u001b[?25l",
  leave: "\u001b[?25h\u001b[?1049l",
  home: "\u001b[H",
  eraseLine: "\u001b[K",
  eraseBelow: "\u001b[J"
}

/** Draws lines over those that were drawn before, as many as there is room for. */
type Draw = (lines: ReadonlyArray<Span.Line>, size: Size) => Effect.Effect<void>

/** Opens a screen for as long as the scope is open. */
export const open = Effect.gen(function*() {
  const { colours } = yield* Output
  const terminal = yield* Terminal.Terminal
  // A terminal that is gone is no reason to fail: what runs is ended by other means.
  const display = (text: string) => Effect.ignore(terminal.display(text))
  yield* Effect.acquireRelease(display(orders.enter), () => display(orders.leave))
  const draw: Draw = (lines, size) =>
    display(
      orders.home +
        lines.slice(0, size.rows).map((line) =>
          Span.format([Span.cut(line, size.columns)], colours.output) + orders.eraseLine
        ).join("\r\n") +
        orders.eraseBelow
    )
  return draw
})

/** Shows a line on standard error in the place of the one before, until the scope is closed. */
export const status = Effect.gen(function*() {
  const { colours, size } = yield* Output
  const stdio = yield* Stdio.Stdio
  const write = (text: string) => Effect.ignore(Stream.run(Stream.make(text), stdio.stderr()))
  const replace = (line: Span.Line) =>
    Effect.flatMap(
      size,
      ({ columns }) => write(`\r${Span.format([Span.cut(line, columns - 1)], colours.errors)}${orders.eraseLine}`)
    )
  yield* Effect.addFinalizer(() => write(`\r${orders.eraseLine}`))
  return replace
})

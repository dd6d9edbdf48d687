/**
 * The one way from a command to the terminal: whatever a text holds, no terminal obeys it.
 *
 * Texts from outside pass `ForeignText.line` where they become part of a message, so that none of them can add a line. This is the second check, for
 * all commands and formats: the table, the report, JSON, a logged cause.
 *
 * @since 0.1.0
 */
import { ForeignText } from "@effect-marketdata/core"
import { Console, Effect, Layer } from "effect"
import { inspect } from "node:util"

/**
 * A console that shows as JSON would escape them the characters that a terminal obeys, the line feed excepted. JSON stays the JSON that it was.
 *
 * @category constructors
 * @since 0.1.0
 */
const make = (console: Console.Console): Console.Console =>
  new Proxy(console, {
    get: (target, name): unknown => {
      const member: unknown = Reflect.get(target, name)
      return typeof member === "function"
        ? (...values: ReadonlyArray<unknown>): unknown => Reflect.apply(member, target, values.map(shown))
        : member
    }
  })

/** Node shows other values than texts in its own way, which leaves some of what a terminal obeys. */
const shown = (value: unknown): unknown =>
  typeof value === "string" ? ForeignText.lines(value) : ForeignText.lines(inspect(value, { colors: false }))

/**
 * Puts it before the console there is.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<never> = Layer.effect(
  Console.Console,
  Console.consoleWith((console) => Effect.succeed(make(console)))
)

/**
 * A command that asks one query, and its twin under `estimate`, which only prices it: both are made of one declaration. What they need besides their
 * flags is loaded when they run.
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Flags from "./flags.ts"
import { priceFlags } from "./priceFlags.ts"
import type { Calls } from "./call.ts"

/** The name of a group of commands: `stock` for `marketdata stock quote`. */
export type Group = "stock" | "fund" | "market"

/** What follows the name on the line, and what it is for. */
type Example = readonly [line: string, description: string]

/** The declaration of such a command. */
export interface Declaration<Config extends Command.Command.Config, Display extends Command.Command.Config, Data> {
  readonly name: string
  readonly under?: Group
  readonly description: string
  /** The first one is that of the price, too. */
  readonly examples: readonly [Example, Example, Example]
  /** The arguments and flags of the query. */
  readonly config: Config
  /** The flags that say how the answer is shown; a price has no use for them. */
  readonly display?: Display
  readonly load: () => Promise<
    Calls<Command.Command.Config.Infer<Config>, Command.Command.Config.Infer<Display>, Data>
  >
}

/** A declaration whose flags and data nobody needs to know any more: what lists of commands hold. */
export interface Askable extends Declaration<Command.Command.Config, Command.Command.Config, unknown> {
  readonly load: () => Promise<Calls<unknown, unknown, unknown>>
}

/** The name of a command as it is typed, such as `stock quote`. */
export const nameOf = ({ name, under }: Askable): string => under === undefined ? name : `${under} ${name}`

/** Makes a declaration; the compiler holds the calls to its flags. */
export const declare = <
  const Config extends Command.Command.Config,
  Data,
  const Display extends Command.Command.Config = Command.Command.Config
>(
  declaration: Declaration<Config, Display, Data>
): Askable =>
  // Its own calls only ever get what its own flags give, and its own view only the data of its own query.
  declaration as unknown as Askable

const described =
  (before: string, description: string, examples: Askable["examples"], askable: Askable) =>
  <Name extends string, Input, E, R, ContextInput>(command: Command.Command<Name, Input, ContextInput, E, R>) =>
    command.pipe(
      Command.withDescription(description),
      Command.withExamples(examples.map(([line, description]) => ({
        command: ["marketdata", before, nameOf(askable), line].filter((word) => word !== "").join(" "),
        description
      })))
    )

/** What a price is asked for, of the query of the first example. */
const ofPrice = ({ examples: [[line]] }: Askable): Askable["examples"] => [
  [line, "The price in each mode"],
  [`${line} --when "every 1min"`.trim(), "Of a whole trading session, every minute"],
  [
    `${line} --budget 100 --fresh-within 5min`.trim(),
    "What 100 credits buy, and the cheapest mode that is fresh enough"
  ]
]

/** Makes the command that asks. */
export const ask = (askable: Askable) =>
  Command.make(
    askable.name,
    { call: askable.config, display: askable.display ?? {}, asking: Flags.flags },
    Effect.fnUntraced(function*({ asking, display, call }) {
      const [calls, { ask, show }] = yield* Effect.promise(() => Promise.all([askable.load(), import("./ask.ts")]))
      const saved = calls.savedReply?.(call, display)
      yield* saved === undefined ? ask(calls.of(call, display), asking) : show(saved, asking)
    })
  ).pipe(described("", askable.description, askable.examples, askable))

/** Makes the command that only prices. */
export const estimate = (askable: Askable) =>
  Command.make(
    askable.name,
    { call: askable.config, pricing: priceFlags },
    Effect.fnUntraced(function*({ pricing, call }) {
      const [calls, { price }] = yield* Effect.promise(() => Promise.all([askable.load(), import("../plans/price.ts")]))
      yield* price(askable, calls.of(call), pricing)
    })
  ).pipe(described("estimate", `Price without sending: ${askable.description}`, ofPrice(askable), askable))

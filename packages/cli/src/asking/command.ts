/**
 * What a command is once it is loaded. One that asks a query has a twin under `estimate`, which only prices it: both are made of one declaration.
 */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import type { Output } from "../output/output.ts"
import type { Made, SavedReply } from "./call.ts"
import * as Flags from "./flags.ts"

type Config = Command.Command.Config

/** A line of a help, and what it is for. What stands behind the name of the command is enough, if the line does not name the program. */
export type Example = readonly [line: string, description: string]

/** What a list of commands knows of one: its words, what it is for, and how to load the rest. */
export interface Row<out Loads> {
  readonly name: string
  readonly description: string
  readonly load: () => Promise<Loads>
}

/** The words of a command as the name of its export: `stock bulk-candles` is `stockBulkCandles`. */
type Export<Words extends string> = Words extends `${infer First} ${infer Rest}` ? `${First}${Capitalize<Export<Rest>>}`
  : Words extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Export<Rest>>}`
  : Words

/** Makes the rows of commands that a module exports, of their descriptions by their words. */
export const rows = <Words extends string, Module extends { readonly [Name in Export<Words>]: unknown }>(
  load: () => Promise<Module>,
  descriptions: { readonly [Name in Words]: string }
): ReadonlyArray<Row<Module[Export<Words>]>> =>
  Object.entries<string>(descriptions).map(([name, description]) => ({
    name,
    description,
    load: () => load().then((module) => module[exportOf(name) as Export<Words>])
  }))

const exportOf = (words: string): string => words.replaceAll(/[ -](.)/g, (_, letter: string) => letter.toUpperCase())

/** The flags and arguments of a command, the examples of its help, and what it does. */
interface Declared<Flags extends Config, E, R> {
  readonly flags: Flags
  readonly examples: readonly [Example, Example, Example]
  /** Its description where the one of the list is too short. */
  readonly help?: string
  readonly run: (input: Command.Command.Config.Infer<Flags>) => Effect.Effect<void, E, R>
}

/** What a command may fail with, and what it may need. */
type Told = { readonly _tag: string; readonly message: string }
type Needs = Output | Command.Environment

/** A command whose flags nobody needs to know any more. */
export interface Loaded extends Declared<Config, Told, Needs> {}

/** Makes a command; the compiler holds what it does to its flags. */
export const command = <const Flags extends Config, E extends Told, R extends Needs>(
  declared: Declared<Flags, E, R>
): Loaded => declared

/** The declaration of a command that asks: the first example is that of the price, too. */
interface Asks<Query extends Config, Display extends Config, Data> {
  readonly examples: readonly [Example, Example, Example]
  /** The arguments and flags of the query. */
  readonly flags: Query
  /** The flags that say how the answer is shown; a price has no use for them. */
  readonly display?: Display
  /** From the flags to the call. */
  readonly call: (
    input: Command.Command.Config.Infer<Query>,
    display?: Command.Command.Config.Infer<Display>
  ) => Made<Data>
  /** A saved reply that the flags name instead of a call. */
  readonly savedReply?: (
    input: Command.Command.Config.Infer<Query>,
    display: Command.Command.Config.Infer<Display>
  ) => SavedReply | undefined
}

/** A declaration whose flags and data nobody needs to know any more: what lists of commands hold. */
export interface Askable extends Asks<Config, Config, unknown> {}

/** Makes a declaration; the compiler holds the call to its flags. */
export const asks = <const Query extends Config, Data, const Display extends Config = Config>(
  declaration: Asks<Query, Display, Data>
): Askable =>
  // Its own call only ever gets what its own flags give, and its own view only the data of its own query.
  declaration as unknown as Askable

/** Makes the command that asks. */
export const ask = ({ call, display = {}, examples, flags, savedReply }: Askable): Loaded =>
  command({
    flags: { call: flags, display, asking: Flags.asking },
    examples,
    run: Effect.fnUntraced(function*(input) {
      const { ask, show } = yield* Effect.promise(() => import("./ask.ts"))
      const saved = savedReply?.(input.call, input.display)
      yield* saved === undefined ? ask(call(input.call, input.display), input.asking) : show(saved, input.asking)
    })
  })

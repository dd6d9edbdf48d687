/**
 * What a command is once its module is loaded, and the call that its flags make: the query, and how its data are shown. A command that asks the service has
 * another of the same name under `estimate`, which only prices it: both are made from one declaration.
 */
import type { Answer } from "@effect-marketdata/core/Answer"
import type { Query } from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import { Context, type Duration, Effect, type FileSystem, type Path, type Stdio } from "effect"
import type * as Command from "effect/cli/Command"
import type { ConfigError } from "effect/Config"
import type { CommandError, Tagged } from "../failure/failure.ts"
import * as Output from "../output/output.ts"
import type { Given } from "../text/flags.ts"
import type { AnyChain } from "../views/ladder.ts"
import type { View } from "../views/table.ts"
import type { Connection } from "./connection.ts"

/** A query and its answer. */
export interface Answered<out Data> {
  readonly query: Query<Data>
  readonly answer: Answer<Data>
}

/** A query, the view of its data, and the consent to live data after a cached miss. */
export interface Call<in out Data = unknown> {
  readonly query: Query<Data>
  /** More queries of the same kind, for a command that takes a list. */
  readonly others?: ReadonlyArray<Query<Data>>
  /** How the data of a list become one. */
  readonly join?: (parts: ReadonlyArray<Answered<Data>>) => Data
  readonly view: View<Data>
  /** Handles the data of a command that neither prints nor saves a table, such as a page. */
  readonly deliver?: (data: Data, told: {
    readonly answers: readonly [Answer<Data>, ...ReadonlyArray<Answer<Data>>]
    readonly connection: Connection["Service"]
    readonly now: number
  }) => Effect.Effect<void, CommandError, Output.Output | FileSystem.FileSystem | Path.Path>
  readonly fallbackUpTo?: number | undefined
  /** How often to ask again, until the budget is used up. */
  readonly every?: Duration.Duration | undefined
}

/** All queries of a call. */
export const queriesOf = <Data>({ others = [], query }: Pick<Call<Data>, "others" | "query">) =>
  [query, ...others] as const

/** A reply that was saved, ready to be shown. */
export interface Saved {
  readonly name: string
  readonly data: AnyChain
  readonly view: View<AnyChain>
}

/** The call that flags make, or why they make none. */
export type Made<Data> = Effect.Effect<Call<Data>, InvalidQuery | ConfigError | CommandError>

/** Reads a saved reply. */
export type SavedReply = Effect.Effect<Saved, CommandError, Stdio.Stdio>

type Config = Command.Command.Config

/** An example in a help page, and what it does. A line without the name of the program gets that and the name of the command. */
export type Example = readonly [line: string, description: string]

/** A command in the list of commands: its name, its description, and how to load it. */
export interface Row<out Loads> {
  readonly name: string
  readonly description: string
  readonly load: () => Promise<Loads>
}

/** The flags and arguments of a command, the examples of its help, and what it does. */
interface Declared<Flags extends Config, E, R> {
  readonly flags: Flags
  readonly examples: readonly [Example, Example, Example]
  /** A longer description than that of the list. */
  readonly help?: string
  readonly run: (input: Given<Flags>) => Effect.Effect<void, E, R>
}

/** Every command that asks a query, in the order of the help: each is also a command under `estimate`, and a task of a plan. The list of commands has them. */
export class QueryCommands extends Context.Service<QueryCommands, ReadonlyArray<Row<Askable>>>()("cli/QueryCommands") {}

/** What a command may need. */
type Needs = Output.Output | QueryCommands | Command.Environment

/** A command whose types of flags are erased. */
export interface Loaded extends Declared<Config, Tagged, Needs> {}

/** Checks that `run` fits the flags, then erases their types. */
export const loaded = <const Flags extends Config, E extends Tagged, R extends Needs>(
  declared: Declared<Flags, E, R>
): Loaded => declared

/** Makes a command that prints text. */
export const command = <const Flags extends Config, E extends Tagged, R extends Needs>(
  declared: Declared<Flags, E, R>
): Loaded => loaded({ ...declared, run: (input) => Effect.andThen(Output.text, declared.run(input)) })

/** The declaration of a command that asks; `estimate` shows its first example too. */
interface Asks<Query extends Config, Display extends Config, Data> {
  readonly examples: readonly [Example, Example, Example]
  /** The arguments and flags of the query. */
  readonly flags: Query
  /** The flags that say how the answer is shown; a price has no use for them. */
  readonly display?: Display
  readonly call: (input: Given<Query>, display?: Given<Display>) => Made<Data>
  /** A saved reply that the flags name instead of a call. */
  readonly savedReply?: (input: Given<Query>, display: Given<Display>) => SavedReply | undefined
}

/** A declaration whose types of flags and data are erased, as the list of commands has it. */
export interface Askable extends Asks<Config, Config, unknown> {}

/** Checks that the call fits the flags, then erases their types. */
export const asks = <const Query extends Config, Data, const Display extends Config = Config>(
  declaration: Asks<Query, Display, Data>
): Askable =>
  // Its own call only ever gets what its own flags give, and its own view only the data of its own query.
  declaration as unknown as Askable

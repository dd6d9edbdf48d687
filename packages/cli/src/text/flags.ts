/** The flags and arguments that commands are made of. One that is left out is undefined, unless its help says what holds then. */
import { Problem } from "@effect-marketdata/core"
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { identity } from "effect/Function"

/** What flags give. */
export type Given<Flags extends Command.Command.Config> = Command.Command.Config.Infer<Flags>

/** Lets a flag be left out. */
export const optional = Flag.withDefault(undefined)

const described = <A>(flag: Flag.Flag<A>, metavar: string, description: string) =>
  flag.pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

/** An argument. */
export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

/** A text that must be there. */
export const required = (name: string, metavar: string, description: string) =>
  described(Flag.String(name), metavar, description)

/** A text. */
export const text = (name: string, metavar: string, description: string) =>
  optional(required(name, metavar, description))

/** Where to write to. */
export const output = (metavar: string, description: string) =>
  text("output", metavar, description).pipe(Flag.withAlias("o"))

/** A text, as often as wanted. */
export const texts = (name: string, metavar: string, description: string) =>
  Flag.atLeast(required(name, metavar, description), 0)

type Kept = (flag: Flag.Flag<number>) => Flag.Flag<number>

/** A whole number that keeps a rule; without one the query checks its range. */
export const whole = (name: string, metavar: string, description: string, kept: Kept = identity) =>
  optional(described(kept(Flag.Int(name)), metavar, description))

/** Any number that keeps a rule. */
export const finite = (name: string, metavar: string, description: string, kept: Kept = identity) =>
  optional(described(kept(Flag.Finite(name)), metavar, description))

/** A rate a year, as a fraction: 0.04 is 4 %. */
export const fraction = (name: string, description: string) =>
  finite(
    name,
    "FRACTION",
    description,
    keeping((value) => Math.abs(value) <= 1, { rule: "must be a fraction from -1 to 1: 4 % is 0.04", example: "0.04" })
  )

/** One of some words. */
export const oneOf = <const Words extends ReadonlyArray<string>>(name: string, words: Words, description: string) =>
  Flag.Literals(name, words).pipe(Flag.withDescription(description), optional)

/** Yes, no, or left out. */
export const yesOrNo = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), optional)

/** A switch. */
export const isOn = (name: string, description: string, otherwise = false) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(otherwise))

/** Says yes to what a command would ask. */
export const yes = (description: string) => isOn("yes", description).pipe(Flag.withAlias("y"))

/** Refuses a number that breaks a rule. */
export const keeping = (is: (value: number) => boolean, problem: Problem.Problem): Kept =>
  Flag.filter(is, (value: number) => Problem.format(String(value), problem))

/** A whole number, from the least one. */
export const count = (name: string, least: 0 | 1, example: string, metavar: string, description: string) => {
  const rule = least === 0 ? "must be 0 or a positive integer" : "must be a positive integer"
  return whole(name, metavar, description, keeping((value) => value >= least, { rule, example }))
}

/** Whole credits. */
export const credits = (name: string, description: string) => count(name, 0, "500", "CREDITS", description)

/** A count of at least one. */
export const positive = (name: string, example: string, description: string) =>
  count(name, 1, example, "COUNT", description)

/** Describes a flag and gives it a default, which the description ends with. */
export const defaultTo =
  <const Default extends string | number>(description: string, value: Default) =>
  <A>(flag: Flag.Flag<A>): Flag.Flag<A | Default> =>
    flag.pipe(Flag.withDescription(`${description}; ${value} by default`), Flag.withDefault(value))

import * as Result from "effect/Result"
import type { InvalidQuery } from "../reason/Reason.ts"
import { nearest } from "../text/Problem.ts"
import { type Reader, refuse } from "./parameter.ts"
import * as Problem from "../text/Problem.ts"
import * as Rules from "./rules.ts"
import * as Untyped from "../text/untyped.ts"

/** Who reads each option, by the option's name. */
export type Readers = Readonly<Record<string, Reader<unknown>>>

/** A reader for each option of a type; the compiler asks for all of them. */
export type ReadersOf<Options> = { readonly [Name in keyof Options]-?: Reader<unknown> }

/** What the options say, each read; those that were left out are missing. */
export type Given<R extends Readers> = { readonly [Name in keyof R]?: R[Name] extends Reader<infer A> ? A : never }

/**
 * Reads options that no type may have seen. Every option is checked by its reader, and a name that no reader has is refused: a misspelt
 * filter would silently choose nothing. `what` is how the whole is called in messages, `prefix` what they put before the name of an option.
 */
export const read = <R extends Readers>(
  what: string,
  input: unknown,
  readers: R,
  prefix = ""
): Result.Result<Given<R>, InvalidQuery> => {
  const given = Untyped.entries(input)
  if (given === undefined) return refuse(what, input, Rules.object(Object.keys(readers)))
  for (const [name, value] of given) {
    if (!Object.hasOwn(readers, name)) return unknown(prefix, name, value, Object.keys(readers))
  }
  const all: Record<string, unknown> = {}
  // Prices are estimated several times a query, and mostly with nothing assumed.
  if (given.size === 0) return Result.succeed(all as Given<R>)
  for (const [name, reader] of Object.entries(readers)) {
    if (!given.has(name)) continue
    const value = reader(prefix + name, given.get(name))
    if (Result.isFailure(value)) return Result.fail(value.failure)
    all[name] = value.success
  }
  return Result.succeed(all as Given<R>)
}

const unknown = (prefix: string, name: string, value: unknown, known: ReadonlyArray<string>) => {
  const meant = nearest(name, known)
  return refuse(
    prefix + (/^\w{1,40}$/.test(name) ? name : Problem.shown(name)),
    value,
    Rules.unknownOption(meant, known)
  )
}

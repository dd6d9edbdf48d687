/** Reads the arguments and flags of a command from values by name, as of a plan or a tool, by the parsers of the command line. */
import { Effect, Result } from "effect"
import type * as CliError from "effect/cli/CliError"
import type * as Command from "effect/cli/Command"
import * as Param from "effect/cli/Param"

type Wrapped = Param.Any & { readonly param?: Param.Any }

/** The argument or flag itself, without the wrappers that make it optional or variadic. */
export const singleOf = (param: Wrapped): Param.Single<Param.ParamKind, unknown> =>
  param.param === undefined ? param as Param.Single<Param.ParamKind, unknown> : singleOf(param.param)

const is = (tag: Param.Any["_tag"], param: Wrapped): boolean =>
  param._tag === tag || (param.param !== undefined && is(tag, param.param))

/** An argument or flag, whether it takes several values, whether it may be left out, and where its value belongs in the input of its command. */
const named = (path: ReadonlyArray<string>, param: Param.Any) => {
  const { kind, name } = singleOf(param)
  return { path, kind, name, param, isVariadic: is("Variadic", param), isOptional: is("Optional", param) }
}

export type Named = ReturnType<typeof named>

/** All arguments and flags of a declaration, in their order; those of a group have its name in their path. */
export const namedOf = (config: Command.Command.Config, under: ReadonlyArray<string> = []): ReadonlyArray<Named> =>
  Object.entries(config).flatMap(([field, param]): ReadonlyArray<Named> => {
    const path = [...under, field]
    return Param.isParam(param) ? [named(path, param)] : namedOf(param as Command.Command.Config, path)
  })

const put = (input: Record<string, unknown>, [field = "", ...rest]: ReadonlyArray<string>, value: unknown): void => {
  if (rest.length === 0) input[field] = value
  else put((input[field] ??= {}) as Record<string, unknown>, rest, value)
}

const valueOf = ({ kind, name, param }: Named, given: ReadonlyArray<string>) => {
  const typed = kind === "argument" ? { flags: {}, arguments: given } : { flags: { [name]: given }, arguments: [] }
  return Effect.result(param.parse(typed))
}

/**
 * Makes a reader of values by name. It returns the input of the command, and all values that cannot be read; a missing one is read as a missing flag. A value
 * that is the same as in the last call is not read again: a plan of thousands of days differs in the day alone.
 */
export const reader = (flags: Command.Command.Config) => {
  const named = namedOf(flags)
  const last = new Map<string, readonly [given: unknown, result: Effect.Success<ReturnType<typeof valueOf>>]>()
  const read = Effect.fnUntraced(function*(values: ReadonlyMap<string, ReadonlyArray<string>>) {
    const input: Record<string, unknown> = {}
    const refused: Array<{ readonly name: string; readonly error: CliError.CliError }> = []
    for (const one of named) {
      const { name, path } = one
      const given = values.get(name)
      const known = last.get(name)
      const result = known !== undefined && known[0] === given ? known[1] : yield* valueOf(one, given ?? [])
      last.set(name, [given, result])
      if (Result.isFailure(result)) refused.push({ name, error: result.failure })
      else put(input, path, result.success[1])
    }
    return { input, refused }
  })
  return { named, read }
}

export type Reader = ReturnType<typeof reader>

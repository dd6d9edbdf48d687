/** The arguments and flags of a declaration, given by name instead of on a command line: each is read as the command line reads it. */
import type * as CliError from "effect/cli/CliError"
import type * as Command from "effect/cli/Command"
import type * as Param from "effect/cli/Param"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** One argument or flag. */
export interface Named {
  readonly field: string
  readonly kind: Param.ParamKind
  readonly name: string
  readonly param: Param.Any
  /** Whether it takes several values. */
  readonly isVariadic: boolean
  readonly isBoolean: boolean
}

type Wrapped = Param.Any & { readonly param?: Param.Any }

const singleOf = (param: Wrapped): Param.Single<Param.ParamKind, unknown> =>
  param.param === undefined ? param as Param.Single<Param.ParamKind, unknown> : singleOf(param.param)

const isVariadic = (param: Wrapped): boolean =>
  param._tag === "Variadic" || (param.param !== undefined && isVariadic(param.param))

const isParam = (field: unknown): field is Param.Any => typeof field === "object" && field !== null && "parse" in field

/** All arguments and flags of a declaration, in their order. */
export const namedOf = (config: Command.Command.Config): ReadonlyArray<Named> =>
  Object.entries(config).flatMap(([field, param]) => {
    if (!isParam(param)) return []
    const { kind, name, primitiveType } = singleOf(param)
    return [{ field, kind, name, param, isVariadic: isVariadic(param), isBoolean: primitiveType._tag === "Boolean" }]
  })

/** Why a value cannot be read, by the name of its argument or flag. */
export interface Refused {
  readonly name: string
  readonly error: CliError.CliError
}

/** Reads values by name: what the command would get, or all that cannot be read. One that is left out is as on a command line without it. */
export const read = Effect.fnUntraced(function*(
  named: ReadonlyArray<Named>,
  values: ReadonlyMap<string, ReadonlyArray<string>>
) {
  const input: Record<string, unknown> = {}
  const refused: Array<Refused> = []
  for (const { field, kind, name, param } of named) {
    const given = values.get(name) ?? []
    const result = yield* Effect.result(param.parse(
      kind === "argument" ? { flags: {}, arguments: given } : { flags: { [name]: given }, arguments: [] }
    ))
    if (Result.isFailure(result)) refused.push({ name, error: result.failure })
    else input[field] = result.success[1]
  }
  return { input, refused }
})

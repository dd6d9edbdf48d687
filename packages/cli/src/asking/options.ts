/** From the flags that were given to the options of a query. */
import * as Option from "effect/Option"

/** Flags that may be left out, as the options of a query: a flag that was left out is an option that is. */
export const optionsOf = <const Flags extends Readonly<Record<string, unknown>>>(
  flags: Flags
): {
  readonly [Name in keyof Flags]: Flags[Name] extends Option.Option<infer Value> ? Value | undefined : Flags[Name]
} =>
  Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, Option.isOption(flag) ? Option.getOrUndefined(flag) : flag])
  ) as never

/** Flags whose help says what holds where they are left out. */
import * as Flag from "effect/cli/Flag"

/** Describes a flag and gives it a default, which the description ends with. */
export const defaultTo =
  <const Default extends string | number>(description: string, value: Default) =>
  <A>(flag: Flag.Flag<A>): Flag.Flag<A | Default> =>
    flag.pipe(Flag.withDescription(`${description}; ${value} where it is left out`), Flag.withDefault(value))

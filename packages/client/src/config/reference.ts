import * as Context from "effect/Context"

/** Makes a reference of this package: its name, and its default value. */
export const reference = <A>(name: string, usual: () => A): Context.Reference<A> =>
  Context.Reference(`@effect-marketdata/client/${name}`, { defaultValue: usual })

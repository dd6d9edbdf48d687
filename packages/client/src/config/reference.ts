import * as Context from "effect/Context"

/** What the client looks up where a call is made, by its name in this package, and what it is where nothing else is provided. */
export const reference = <A>(name: string, usual: () => A): Context.Reference<A> =>
  Context.Reference(`@effect-marketdata/client/${name}`, { defaultValue: usual })

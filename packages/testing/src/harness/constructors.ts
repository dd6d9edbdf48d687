import * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"

const all: Readonly<Record<string, unknown>> = { ...Query }

/** Calls the constructor of an endpoint by its name, without types. */
export const ask = (
  name: Query.EndpointName,
  ...args: ReadonlyArray<unknown>
): Result.Result<Query.Query, InvalidQuery> => {
  const made = all[name]
  return typeof made === "function" ? made(...args) : Result.succeed(made as Query.Query)
}

import * as Query from "@effect-marketdata/core/Query"
import type { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Result from "effect/Result"

const all: Readonly<Record<string, unknown>> = { ...Query }

/** Asks an endpoint by its name, as code without types does: the list of endpoints says which there are, and each has a constructor of that name. */
export const ask = (
  name: Query.EndpointName,
  ...args: ReadonlyArray<unknown>
): Result.Result<Query.Query, InvalidQuery> => {
  const made = all[name]
  return typeof made === "function" ? made(...args) : Result.succeed(made as Query.Query)
}

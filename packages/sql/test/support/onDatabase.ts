/** Tests of what is done in a database. */
import { Effect, Layer, type Scope } from "effect"
import { it, steps, type Test } from "../../../core/test/support/it.ts"
import { type Database, kind } from "./databases.ts"

/** A test on an empty database. Its name says of which kind: continuous integration asks for those of a server. */
export const test = <R = never>(
  name: string,
  run: Test<R | Scope.Scope, [Database]>,
  given: Layer.Layer<R, unknown, Scope.Scope> = Layer.empty as unknown as Layer.Layer<R>
): void => it.effect(`${name}, on ${kind.name}`, () => Effect.flatMap(kind.make, steps(run)), given)

import * as Effect from "effect/Effect"
import { isSqlError } from "effect/sql/SqlError"
import { detailOf } from "./failed.ts"

/** What is wrong with the database takes nothing from a query: then there is nothing in it. */
export const quietly = <A, B>(self: Effect.Effect<A, unknown>, otherwise: B, what: string): Effect.Effect<A | B> =>
  self.pipe(
    Effect.catchDefect(Effect.fail),
    Effect.catch((error) =>
      Effect.as(
        Effect.logDebug(
          `${what} cannot be read or written`,
          isSqlError(error) ? detailOf(error) : "the database's client broke"
        ),
        otherwise
      )
    )
  )

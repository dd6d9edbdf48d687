/** The flag that orders the rows of a table. */
import * as Flag from "effect/cli/Flag"

export const sortFlag = {
  sort: Flag.String("sort").pipe(
    Flag.withMetavar("COLUMN"),
    Flag.withDescription(
      "List the contracts in the order of a column: volume, or volume:asc for the least first; json keeps the order of the reply"
    ),
    Flag.optional
  )
}

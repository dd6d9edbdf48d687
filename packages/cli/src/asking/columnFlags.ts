/** The flag that says which columns are asked for. */
import * as Flag from "effect/cli/Flag"

const names = (text: string): ReadonlyArray<string> => text.split(",").map((name) => name.trim())

export const columnFlags = {
  columns: Flag.String("columns").pipe(
    Flag.withMetavar("A,B"),
    Flag.withDescription("Only these columns, by their names; all of them where it is left out"),
    Flag.map(names),
    Flag.optional
  )
}

/** `marketdata symbol parse`: the parts of each symbol. */
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import type { OptionSymbolError } from "@effect-marketdata/core/OptionSymbolError"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { CommandError } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import * as Given from "./given.ts"
import { read } from "./read.ts"
import * as SymbolRows from "./rows.ts"

/** Says of texts that are no symbols which is the first, how many more there are, and where to read more. */
const refused = ([first, ...others]: ReadonlyArray<OptionSymbolError>): CommandError =>
  new CommandError({
    class: "usage",
    reason: first!.reason._tag,
    message: first!.message + (others.length === 0 ? "" : ` ${others.length} more are wrong.`),
    next: "see why with `marketdata symbol explain`"
  })

/** Prints the parts of what is a symbol, and fails with the first text that is not one. */
export const run = Effect.fnUntraced(function*(arguments_: ReadonlyArray<string>) {
  const symbols: Array<OptionSymbol.OptionSymbol> = []
  const errors: Array<OptionSymbolError> = []
  for (const text of yield* Given.symbols(arguments_)) {
    const result = read(text)
    if (Result.isSuccess(result)) symbols.push(result.success)
    else errors.push(result.failure)
  }
  const rows = SymbolRows.of(symbols)
  if (symbols.length > 0) yield* Document.print({ json: { symbols: SymbolRows.objects(rows) }, rows })
  if (errors.length > 0) return yield* refused(errors)
})

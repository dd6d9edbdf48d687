/** `marketdata symbol format`: a symbol from its parts. */
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Effect from "effect/Effect"
import { CommandError } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import * as SymbolRows from "./rows.ts"

/** The parts, as they were written. */
export interface Parts {
  readonly root: string
  readonly expiration: string
  readonly side: OptionSymbol.Side
  readonly strike: string
  readonly padded: boolean
}

/** Prints the symbol. */
export const run = Effect.fnUntraced(function*({ expiration, padded, root, side, strike }: Parts) {
  const symbol = yield* Effect.mapError(
    Effect.fromResult(OptionSymbol.make({ root, expiration, side, strike })),
    (error) => new CommandError({ class: "usage", reason: error._tag, message: error.message })
  )
  const rows = SymbolRows.of([symbol])
  yield* Document.print({
    json: { symbols: SymbolRows.objects(rows) },
    rows,
    lines: [padded ? OptionSymbol.formatOsi(symbol) : OptionSymbol.format(symbol)]
  })
})

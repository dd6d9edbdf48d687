/** The argument that names a stock, a fund or an underlying. The service knows symbols in capitals only, so that is how they are asked for. */
import * as Argument from "effect/cli/Argument"

export const symbolArgument = (description: string) =>
  Argument.String("symbol").pipe(
    Argument.withDescription(description),
    Argument.map((symbol) => symbol.toUpperCase())
  )

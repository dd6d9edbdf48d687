/** The flags of commands about candles. */
import * as Flag from "effect/cli/Flag"
import { defaultTo } from "../text/defaultTo.ts"
import { positive } from "./flags.ts"

/** The flag of a candle's length; `lengths` says which there are. */
export const resolution = (lengths: string) =>
  Flag.String("resolution").pipe(
    Flag.withAlias("r"),
    Flag.withMetavar("LENGTH"),
    defaultTo(`How long a candle is: ${lengths}, with a number or without`, "D")
  )

/** The flag of an expected number. */
export const candles = positive("candles", "1000").pipe(
  Flag.withDescription("How many candles you expect at most; it bounds the price where the days do not"),
  Flag.optional
)

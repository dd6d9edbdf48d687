/** From the flags of a mode to the mode; some only have a meaning together. */
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Own from "../settings/own.ts"
import * as Duration from "../text/duration.ts"
import type { ModeInput, UncachedInput } from "./modeFlags.ts"

const cachedOnly = (flag: string, value: string | number) =>
  Effect.fail(
    InvalidQuery.of(flag, value, { rule: "is for cached data only", example: `--mode cached ${flag} ${value}` })
  )

/** The mode that the settings name where a command names none. Where nothing is cached the setting `cached` does not apply. */
const configured = (isCached: boolean) =>
  Effect.map(Config.option(Own.mode), Option.filter((mode) => isCached || mode !== "cached"))

/** Reads the mode of an endpoint that has cached data, of the present but not of past days. */
export const modeOf = Effect.fnUntraced(function*({ fallbackUpTo, maxAge, mode }: ModeInput, isPast = false) {
  const named = Option.isSome(mode) ? mode : yield* configured(!isPast)
  if (Option.isSome(named) && named.value === "cached") {
    const options = {
      maxAge: Option.isNone(maxAge)
        ? undefined
        : yield* Effect.mapError(
          Effect.fromResult(MaxAge.parse(Duration.spaced(maxAge.value))),
          (error) => InvalidQuery.of("--max-age", maxAge.value, error)
        )
    }
    return Option.isSome(fallbackUpTo) ? DataMode.cachedOrLive(options) : DataMode.cached(options)
  }
  if (Option.isSome(maxAge)) return yield* cachedOnly("--max-age", maxAge.value)
  if (Option.isSome(fallbackUpTo)) return yield* cachedOnly("--fallback-up-to", fallbackUpTo.value)
  return Option.isSome(named) ? DataMode.fromParameter(named.value) : undefined
})

/** Reads the mode of an endpoint that has no cached data. */
export const uncachedModeOf = Effect.fnUntraced(function*({ mode }: UncachedInput) {
  const named = Option.isSome(mode) ? mode : yield* configured(false)
  switch (Option.getOrUndefined(named)) {
    case "live":
      return DataMode.live
    case "delayed":
      return DataMode.delayed
    default:
      return undefined
  }
})

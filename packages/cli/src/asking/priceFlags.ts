/** The flags of every command that only prices. */
import * as Problem from "@effect-marketdata/core/Problem"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Duration from "../text/duration.ts"
import { credits } from "./flags.ts"

export const priceFlags = {
  when: Flag.String("when").pipe(
    Flag.withMetavar("SCHEDULE"),
    Flag.withDescription(
      "Price it for a schedule: \"every 1min\" is a whole trading session; or \"every 5min from 10:00 to 12:00 on trading days of 2026-11-23..2026-11-27\""
    ),
    Flag.optional
  ),
  budget: credits("budget").pipe(
    Flag.withDescription("Say what these credits buy, and which narrower query they cover"),
    Flag.optional
  ),
  freshWithin: Flag.String("fresh-within").pipe(
    Flag.withMetavar("DURATION"),
    Flag.withDescription("Name the cheapest mode whose data are no older than this, such as 5min"),
    Flag.filterMap(Duration.read, (text) => Problem.format(Problem.shown(text), { ...Duration.rule, example: "5min" })),
    Flag.optional
  ),
  mayMiss: Flag.Boolean("may-miss").pipe(
    Flag.withDescription("Count modes that may bring no data as fresh enough, too"),
    Flag.withDefault(false)
  ),
  hitRate: Flag.Finite("hit-rate").pipe(
    Flag.withMetavar("SHARE"),
    Flag.withDescription(
      "The share of cached requests that hit, from 0 to 1: the cheapest mode is then chosen by what is expected"
    ),
    Flag.filter(
      (share) => share >= 0 && share <= 1,
      (share) => Problem.format(String(share), { rule: "must be from 0 to 1", example: "0.9" })
    ),
    Flag.optional
  )
}

/** What these flags give. */
export type PriceInput = Command.Command.Config.Infer<typeof priceFlags>

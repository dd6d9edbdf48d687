/** The flags that say which data are asked for. */
import * as Flag from "effect/cli/Flag"
import type * as Command from "effect/cli/Command"
import { credits } from "./flags.ts"

const named = {
  mode: Flag.Literals("mode", ["live", "cached", "delayed"]).pipe(
    Flag.withDescription(
      "Which data to ask for; where it is left out, the setting `mode`, else the account's plan decides"
    ),
    Flag.optional
  )
}

/** The flag of an endpoint that has no cached data. */
export const uncachedFlags = {
  mode: Flag.Literals("mode", ["live", "delayed"]).pipe(
    Flag.withDescription("Which data to ask for; where it is left out, the account's plan decides"),
    Flag.optional
  )
}

/** The flags of an endpoint that has cached data. */
export const modeFlags = {
  ...named,
  maxAge: Flag.String("max-age").pipe(
    Flag.withMetavar("AGE"),
    Flag.withDescription(
      "How old the entry in the service's cache may be, such as 5min or 1h; its quotes may be older. Only with --mode cached"
    ),
    Flag.optional
  ),
  fallbackUpTo: credits("fallback-up-to").pipe(
    Flag.withDescription(
      "After a cached miss ask for live data, and consent to this many credits for it at most; only with --mode cached"
    ),
    Flag.optional
  )
}

/** What these flags give. */
export type ModeInput = Command.Command.Config.Infer<typeof modeFlags>

/** What the flag of an endpoint without cached data gives. */
export type UncachedInput = Command.Command.Config.Infer<typeof uncachedFlags>

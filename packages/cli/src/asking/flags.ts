/** The flags of every command that asks the service: what may be spent, how long it may take, and which sandbox stands in for the service. */
import * as Problem from "@effect-marketdata/core/Problem"
import * as Flag from "effect/cli/Flag"
import { defaultTo } from "../text/defaultTo.ts"
import type * as Command from "effect/cli/Command"
import * as Duration from "../text/duration.ts"

/** A flag of whole numbers, from the least one. */
export const count = (name: string, least: number, example: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= least,
      (value) =>
        Problem.format(String(value), {
          rule: least === 0 ? "must be 0 or a positive integer" : "must be a positive integer",
          example
        })
    )
  )

/** A flag of whole credits. */
export const credits = (name: string) => count(name, 0, "500").pipe(Flag.withMetavar("CREDITS"))

/** A flag that counts something, from one. */
export const positive = (name: string, example: string) => count(name, 1, example).pipe(Flag.withMetavar("COUNT"))

/** Which sandbox stands in for a service that nobody named. */
export const sandboxFlags = {
  seed: Flag.Int("seed").pipe(
    defaultTo("The market of the embedded sandbox; another seed, other prices", 1)
  ),
  plan: Flag.Literals("plan", ["paid", "trial", "free"]).pipe(
    defaultTo("The plan of the embedded sandbox's account", "paid")
  )
}

export const flags = {
  budget: credits("budget").pipe(
    Flag.withDescription("The most credits that this command may cost, retries included"),
    Flag.optional
  ),
  yes: Flag.Boolean("yes").pipe(
    Flag.withAlias("y"),
    Flag.withDescription("Send it whatever it costs"),
    Flag.withDefault(false)
  ),
  timeout: Flag.String("timeout").pipe(
    Flag.withMetavar("DURATION"),
    Flag.withDescription("Stop after this time, such as 30s or 2min"),
    Flag.filterMap(Duration.read, (text) => Problem.format(Problem.shown(text), Duration.rule)),
    Flag.optional
  ),
  cache: Flag.Boolean("cache").pipe(
    Flag.withDescription(
      "Let replies answer that this machine has kept, at no cost, for as long as they hold; --no-cache asks the service"
    ),
    Flag.withDefault(true)
  ),
  verbose: Flag.Boolean("verbose").pipe(
    Flag.withDescription("Show each request that was sent, and every finding"),
    Flag.withDefault(false)
  ),
  ...sandboxFlags
}

/** What these flags give. */
export type Input = Command.Command.Config.Infer<typeof flags>

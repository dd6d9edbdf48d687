import * as Faults from "@effect-marketdata/sandbox/Faults"
import type { Chance } from "./Chance.ts"

/**
 * What goes wrong with an exchange.
 *
 * - `Fault`: a fault of the sandbox
 * - `Proxy`: a proxy on the way replies with a status of its own
 * - `Mangling`: a proxy on the way changes the target, so that the service refuses it
 */
export type Mishap =
  | { readonly _tag: "Fault"; readonly kind: Faults.Kind }
  | { readonly _tag: "Proxy"; readonly status: number }
  | { readonly _tag: "Mangling" }

/** The name under which a mishap is counted. */
export const nameOf = (mishap: Mishap): Name => mishap._tag === "Fault" ? mishap.kind._tag : mishap._tag

/** The name under which a mishap is counted. */
export type Name = Faults.Kind["_tag"] | "Proxy" | "Mangling"

/** All names. */
export const names: ReadonlyArray<Name> = [
  ...Faults.Kind.members.map(({ fields }) => fields._tag.schema.literal),
  "Proxy",
  "Mangling"
]

const hour = 3600

const chainPath = "/v1/options/chain/"

/** Draws the mishap of a request; undefined if nothing goes wrong. */
export const draw = (chance: Chance, target: string): Mishap | undefined => {
  // A 204 for live data is rare, and has a reason of its own.
  if (target.includes("mode=live") && chance.is(0.03)) return { _tag: "Proxy", status: 204 }
  // The charge of a lost reply is unknown: consent has to cover it.
  if (target.includes("mode=live") && chance.is(0.2)) return { _tag: "Fault", kind: { _tag: "Reset" } }
  if (!chance.is(0.17)) return undefined
  // Drawn more often for chains, because only they have strikes.
  const name = target.startsWith(chainPath) && chance.is(0.25) ? "ZeroStrike" : chance.pick(names)
  switch (name) {
    case "Proxy":
      return { _tag: "Proxy", status: chance.pick([204, 302, 400, 403, 413, 418]) }
    case "Mangling":
      return { _tag: "Mangling" }
    default:
      return { _tag: "Fault", kind: kindOf(chance, name, target) }
  }
}

const kindOf = (chance: Chance, name: Faults.Kind["_tag"], target: string): Faults.Kind => {
  switch (name) {
    case "Latency":
      return { _tag: "Latency", millis: chance.pick([50, 700, 5000, 90_000]) }
    case "ResetWithinBody":
    case "Truncation":
      return { _tag: name, after: chance.pick([0, 1, 20, 300]) }
    case "WrongLength":
      return { _tag: "WrongLength", by: chance.pick([7, -7]) }
    case "Status":
      return { _tag: "Status", status: chance.pick([500, 502, 503, 504]) }
    case "ClockSkew":
      // A day only two days back may not be a past day yet.
      return { _tag: "ClockSkew", seconds: chance.pick([hour, -2, -48 * hour]) }
    case "ZeroStrike":
      // A reply that has no strikes deviates in another way.
      return target.startsWith(chainPath) ? { _tag: "ZeroStrike" } : { _tag: "ExtraField" }
    default:
      return { _tag: name }
  }
}

/** The target after `Mangling`: its option symbol or its date format is invalid. */
export const mangle = (target: string): string =>
  target.startsWith("/v1/options/quotes/")
    ? target.replace(/[CP]\d{8}/, "X1")
    : `${target}${target.includes("?") ? "&" : "?"}dateformat=julian`

/** The target of a chain that grows: in every second hour the chain of one expiration has only its first strike. */
export const grow = (target: string, now: number): string =>
  target.startsWith(chainPath) && target.includes("dte=") && Math.floor(now / (hour * 1000)) % 2 === 0
    ? `${target}&strikeLimit=1`
    : target

import { of, type Seam } from "../seam.ts"

const IpRule = of(() => import("@effect-marketdata/core/IpRule"))

/** What the rule of one address could get wrong, on either side. */
export const faults: ReadonlyArray<Seam> = [
  IpRule("5.6-single-ip", "blockSeconds", (seconds) => seconds - 1),
  // A request that is refused counts as a move.
  IpRule("5.6-single-ip", "judge", (judge) => (rule, address, now) => {
    const judged = judge(rule, address, now)
    return { ...judged, rule: { ...judged.rule, address } }
  }),
  // Requests of two addresses are in flight together.
  IpRule("5.6-simultaneous", "admit", (admit) => (traffic, ...from) => admit({ ...traffic, inFlight: 0 }, ...from)),
  // 5:00 sharp is safe.
  IpRule("5.6-simultaneous", "safeAfter", (safeAfter) => (...asked) => safeAfter(...asked) - 1),
  // A switch is dated by its departure.
  IpRule("5.6-simultaneous", "settle", (settle) => (traffic, _now, answered) => settle(traffic, 0, answered))
]

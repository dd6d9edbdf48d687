import { of, type Seam } from "../seam.ts"

const IpRule = of(() => import("@effect-marketdata/core/IpRule"))

/** What the rule of one address could get wrong, on either side. */
export const faults: ReadonlyArray<Seam> = [
  IpRule("5.6-single-ip", "window", (window) => window - 1),
  // A request that is refused counts as a move.
  IpRule("5.6-single-ip", "judge", (judge) => (egress, address, now) => {
    const judged = judge(egress, address, now)
    return { ...judged, egress: { ...judged.egress, address } }
  }),
  // Requests of two addresses are in flight together.
  IpRule("5.6-simultaneous", "admit", (admit) => (traffic, ...from) => admit({ ...traffic, inFlight: 0 }, ...from)),
  // 5:00 sharp is safe.
  IpRule("5.6-simultaneous", "safeAfter", (safeAfter) => (...asked) => safeAfter(...asked) - 1),
  // A switch is dated by its departure.
  IpRule("5.6-simultaneous", "settle", (settle) => (traffic, _now, answered) => settle(traffic, 0, answered))
]

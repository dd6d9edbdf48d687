import { of, type Seam } from "../seam.ts"

const Egress = of(() => import("@effect-marketdata/core/Egress"))

/** What the rule of one address could get wrong, on either side. */
export const faults: ReadonlyArray<Seam> = [
  Egress("5.6-single-ip", "window", (window) => window - 1),
  // A request that is refused counts as a move.
  Egress("5.6-single-ip", "judge", (judge) => (egress, address, now) => {
    const judged = judge(egress, address, now)
    return { ...judged, egress: { ...judged.egress, address } }
  }),
  // Requests of two addresses are in flight together.
  Egress("5.6-simultaneous", "admit", (admit) => (traffic, ...from) => admit({ ...traffic, inFlight: 0 }, ...from)),
  // 5:00 sharp is safe.
  Egress("5.6-simultaneous", "safeAfter", (safeAfter) => (...asked) => safeAfter(...asked) - 1),
  // A switch is dated by its departure.
  Egress("5.6-simultaneous", "settle", (settle) => (traffic, _now, answered) => settle(traffic, 0, answered))
]

import type { Fault } from "../fault.ts"

const file = "packages/core/src/Egress.ts"

/** What the rule of one address could get wrong, on either side. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "5.6-single-ip",
    file,
    find: "self.switched?.from === address && now <= self.switched.at + window",
    replace: "self.switched?.from === address && now < self.switched.at + window"
  },
  {
    clause: "5.6-simultaneous",
    file,
    find: "if (now <= time) return",
    replace: "if (now < time) return"
  },
  {
    clause: "5.6-simultaneous",
    file,
    find: "isSwitch && self.inFlight > 0",
    replace: "isSwitch && self.inFlight > 1"
  },
  {
    clause: "5.6-simultaneous",
    file,
    find: "{ ...self.egress.switched, at: now }",
    replace: "{ ...self.egress.switched }"
  }
]

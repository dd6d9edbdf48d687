import type { Fault } from "../fault.ts"

const file = "packages/core/src/reply/Egress.ts"

/** What the rule of one address could get wrong, on either side. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "5.6-single-ip",
    file,
    find: "return now <= leftAt + window",
    replace: "return now < leftAt + window"
  },
  { clause: "5.6-single-ip", file, find: "if (now <= until) return", replace: "if (now < until) return" },
  {
    clause: "5.6-single-ip",
    file,
    find: "if (now <= until) return { egress: self, verdict: { _tag: \"Blocked\", until } }",
    replace: "if (now <= until) return block(self, address, now)"
  },
  {
    clause: "5.6-single-ip",
    file,
    find: "return { egress: { ...self, blocks }, verdict",
    replace: "return { egress: { ...self, address, blocks }, verdict"
  },
  {
    clause: "5.6-single-ip",
    file,
    find: "new Map([...self.blocks].filter(([, until]) => now <= until))",
    replace: "new Map<string, number>()"
  },
  { clause: "5.6-single-ip", file, find: "new Map(recent).set(from, now)", replace: "new Map([[from, now]])" },
  {
    clause: "5.6-simultaneous",
    file,
    find: "!(now > time)",
    replace: "!(now >= time)"
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
    find: "self.switching ? seenUntil(self.egress, now) : self.egress",
    replace: "self.egress"
  },
  { clause: "5.6-simultaneous", file, find: "self.switching && !answered", replace: "false" },
  { clause: "5.6-simultaneous", file, find: "at === self.switchedAt ? switchedAt : at", replace: "at" },
  {
    clause: "5.6-simultaneous",
    file,
    find: "isReturn ? self.switchedAt + window",
    replace: "isReturn ? self.left.get(address)! + window"
  },
  {
    clause: "5.6-simultaneous",
    file,
    find: "egress: block(self.egress, address, now).egress",
    replace: "egress: self.egress"
  }
]

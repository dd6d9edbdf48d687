import type { Fault } from "../fault.ts"

const account = "packages/core/src/account/Account.ts"
const profile = "packages/core/src/account/Profile.ts"

/** What the rules about accounts could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "1-kinds",
    file: account,
    find: "older(dataTypeOfPlan(self, profile), dataTypeOfUser(self.user))",
    replace: "dataTypeOfPlan(self, profile)"
  },
  {
    clause: "1-kinds",
    file: account,
    find: `if (asked.historical === true) return "historical"`,
    replace: ""
  },
  {
    clause: "1-kinds",
    file: account,
    find: "return older(entitled, freshestOfMode[mode])",
    replace: "return freshestOfMode[mode]"
  },
  {
    clause: "1-kinds",
    file: account,
    find: `if (mode === "cached") return "cached"`,
    replace: `if (mode === "cached") return entitled`
  },
  {
    clause: "4.1-data-type-table",
    file: account,
    find: `user.type === "nonProfessional" ? user.row : "historical"`,
    replace: `user.type === "nonProfessional" ? user.row : "delayed"`
  },
  {
    clause: "4.1-data-type-table",
    file: account,
    find: "ages[Math.max(ages.indexOf(a), ages.indexOf(b))]!",
    replace: "ages[Math.min(ages.indexOf(a), ages.indexOf(b))]!"
  },
  {
    clause: "4.1-delayed-condition",
    file: account,
    find: `user.type === "nonProfessional" ? user.row : "historical"`,
    replace: `user.type === "nonProfessional" ? "realTime" : "historical"`
  },
  {
    clause: "4.1-delayed-condition",
    file: account,
    find: `nonProfessional(isOpraSigned ? "realTime" : "delayed")`,
    replace: `nonProfessional(isOpraSigned ? "delayed" : "realTime")`
  },
  {
    clause: "5.8-premium-mode",
    file: account,
    find: `const modeServed = self.plan === "paid" ? modeAsked ?? ownMode : ownMode`,
    replace: "const modeServed = modeAsked ?? ownMode"
  },
  {
    clause: "5.8-premium-mode",
    file: account,
    find: `return { _tag: "Served", modeAsked, modeServed, dataType:`,
    replace: `return { _tag: "Served", modeAsked: modeServed, modeServed, dataType:`
  },
  {
    clause: "5.8-premium-mode",
    file: profile,
    find: `contract: ["cached"],`,
    replace: `contract: ["cached", "live"],`
  },
  {
    clause: "8.2-default",
    file: account,
    find: `plan === "paid"\n    ? DataMode.live`,
    replace: `plan !== "free"\n    ? DataMode.live`
  },
  {
    clause: "8.2-default",
    file: profile,
    find: `where none is named",\n    contract: "delayed",`,
    replace: `where none is named",\n    contract: "historical",`
  },
  {
    clause: "8.2-access",
    file: account,
    find: `if (self.plan !== "paid" && modeAsked !== undefined`,
    replace: `if (self.plan === "free" && modeAsked !== undefined`
  },
  {
    clause: "8.2-access",
    file: account,
    find: `if (self.plan !== "paid" && modeAsked !== undefined`,
    replace: `if (modeAsked !== undefined`
  },
  {
    clause: "8.5-not-shown",
    file: account,
    find:
      `return profile === "public" && self.publicPlan !== undefined ? publicPlans[self.publicPlan].allowance : undefined`,
    replace: `return self.publicPlan !== undefined ? publicPlans[self.publicPlan].allowance : undefined`
  },
  {
    clause: "8.5-not-shown",
    file: account,
    find: "if (self.allowance !== undefined) return self.allowance",
    replace: ""
  }
]

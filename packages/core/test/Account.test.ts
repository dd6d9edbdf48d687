import { Account, DataMode } from "@effect-marketdata/core"
import type { Profile } from "@effect-marketdata/core/Profile"
import { assert, describe, it } from "@effect/vitest"

const plans = ["free", "trial", "paid"] as const satisfies ReadonlyArray<Account.Plan>
const nonProfessionals = [Account.nonProfessional("realTime"), Account.nonProfessional("delayed")]
const users: ReadonlyArray<Account.User> = [...nonProfessionals, Account.professional, Account.unknown]
const publicPlanNames = Object.keys(Account.publicPlans) as ReadonlyArray<Account.PublicPlanName>

const real = Account.nonProfessional("realTime")
const account = (plan: Account.Plan, user = real) => Account.make({ plan, user })

/** The mode that answers, or the status that refuses. */
const served = (plan: Account.Plan, mode: DataMode.DataMode | undefined, profile?: Profile) => {
  const answer = Account.serve(account(plan), { mode }, profile)
  return answer._tag === "Served" ? answer.modeServed : answer._tag === "NotInPlan" ? answer.status : answer._tag
}

describe("the user's data type", () => {
  it("[4.1-data-type-table] follows the four rows of the contract", () => {
    assert.deepStrictEqual(users.map(Account.dataTypeOfUser), ["realTime", "delayed", "historical", "historical"])
    for (const [index, expected] of (["realTime", "delayed", "historical", "historical"] as const).entries()) {
      assert.strictEqual(Account.dataType(account("paid", users[index])), expected)
    }
  })

  it("[4.1-delayed-condition] takes the second row from the caller, by the contract as by the public service", () => {
    for (const row of ["realTime", "delayed"] as const) {
      assert.deepStrictEqual(Account.nonProfessional(row), { type: "nonProfessional", row })
      assert.strictEqual(Account.dataTypeOfUser(Account.nonProfessional(row)), row)
    }
    assert.deepStrictEqual(Account.nonProfessionalBySignature(true), Account.nonProfessional("realTime"))
    assert.deepStrictEqual(Account.nonProfessionalBySignature(false), Account.nonProfessional("delayed"))
    // @ts-expect-error the row is not stated, and so cannot be left out
    const unstated: Account.User = { type: "nonProfessional" }
    assert.notProperty(unstated, "row")
  })
})

it("dataType knows the public service's plans under its profile only", () => {
  const starter = Account.fromPublicPlan("Starter", real)
  assert.deepStrictEqual([Account.dataType(starter), Account.dataType(starter, "public")], ["realTime", "delayed"])
  assert.strictEqual(Account.dataType(Account.fromPublicPlan("Commercial", real), "public"), "historical")
  assert.strictEqual(Account.dataType(Account.fromPublicPlan("Quant", real), "public"), "realTime")
  assert.strictEqual(Account.dataType(account("free"), "public"), "historical")
  assert.strictEqual(Account.dataType(account("paid"), "public"), "realTime")
})

describe("serve", () => {
  it("[8.2-default] is live for paid accounts and delayed for free and trial ones", () => {
    assert.deepStrictEqual(plans.map((plan) => Account.defaultMode(plan)._tag), ["Delayed", "Delayed", "Live"])
    assert.deepStrictEqual(plans.map((plan) => served(plan, undefined)), ["delayed", "delayed", "live"])
  })

  it("[5.8-premium-mode] serves delayed data to a free or trial account that asks for live ones, and shows both modes", () => {
    for (const plan of ["free", "trial"] as const) {
      const delayed = { _tag: "Served", requestedMode: "live", modeServed: "delayed", dataType: "delayed" } as const
      assert.deepStrictEqual(Account.serve(account(plan), { mode: DataMode.live }), delayed)
      assert.strictEqual(served(plan, DataMode.delayed), "delayed")
    }
  })

  it("[1-kinds] gives real-time, delayed, cached or historical data, by plan, entitlement and parameters", () => {
    const type = (plan: Account.Plan, user: Account.User, asked: Account.Asked) => {
      const answer = Account.serve(account(plan, user), asked)
      return answer._tag === "Served" ? answer.dataType : answer._tag
    }
    const modes = [DataMode.live, undefined, DataMode.delayed, DataMode.cached()]
    const types = modes.map((mode) => type("paid", real, { mode }))
    assert.deepStrictEqual(types, ["realTime", "realTime", "delayed", "cached"])
    assert.strictEqual(type("paid", real, { mode: DataMode.live, historical: true }), "historical")
    assert.strictEqual(type("paid", Account.professional, { mode: DataMode.live }), "historical")
    assert.strictEqual(type("free", Account.unknown, { mode: undefined }), "historical")
    assert.strictEqual(type("paid", real, { mode: DataMode.eod }), "historical")
    assert.strictEqual(type("paid", real, { mode: DataMode.historical }), "historical")
    assert.strictEqual(type("paid", real, { mode: DataMode.cached(), historical: true }), "Unavailable")
  })
})

describe("allowance", () => {
  it("[8.5-not-shown] is what was configured, and none by itself, whatever plan the account has", () => {
    for (const plan of plans) assert.isUndefined(Account.allowance(account(plan)))
    for (const name of publicPlanNames) {
      assert.isUndefined(Account.allowance(Account.fromPublicPlan(name, real)))
      assert.isUndefined(Account.allowance(Account.fromPublicPlan(name, real), "contract"))
    }
    const configured: Account.Allowance = { credits: 5000, window: "day" }
    const own = Account.allowance(Account.make({ plan: "paid", user: real, allowance: configured }))
    assert.deepStrictEqual(own, configured)
  })

  it("[8.5-not-shown] knows the figures of the public service's plans under its profile, below the caller's own", () => {
    const starter = Account.fromPublicPlan("Starter", real)
    assert.deepStrictEqual(Account.allowance(starter, "public"), { credits: 10_000, window: "day" })
    const prime = Account.allowance(Account.fromPublicPlan("Prime", real), "public")
    assert.deepStrictEqual(prime, { credits: 100_000, window: "minute" })
    assert.isUndefined(Account.allowance(account("paid"), "public"))
    const own: Account.Allowance = { credits: 1, window: "none" }
    assert.deepStrictEqual(Account.allowance(Account.fromPublicPlan("Starter", real, own), "public"), own)
  })
})

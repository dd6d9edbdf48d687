import * as Account from "@effect-marketdata/core/Account"
import * as Accounts from "@effect-marketdata/testing/Accounts"
import { assert, describe, it } from "@effect/vitest"
import { sample } from "../support/drawn.ts"

describe("Accounts", () => {
  it("are of every plan and user", () => {
    const kinds = new Set(sample(Accounts.account).map(({ plan, user }) => `${plan} ${Account.dataTypeOfUser(user)}`))
    assert.strictEqual(kinds.size, 9)
  })
})

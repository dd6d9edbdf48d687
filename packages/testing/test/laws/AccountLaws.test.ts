import * as Account from "@effect-marketdata/core/Account"
import * as AccountLaws from "@effect-marketdata/testing/AccountLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("AccountLaws", () => {
  const changed = (
    change: (
      served: ReturnType<AccountLaws.Serve>,
      ...asked: Parameters<AccountLaws.Serve>
    ) => ReturnType<AccountLaws.Serve>
  ) => AccountLaws.of((account, asked) => change(Account.serve(account, asked), account, asked))
  const refusal = Account.serve(Account.make({ plan: "free", user: Account.unknown }), {
    mode: { _tag: "Cached", maxAge: undefined },
    historical: false
  })

  it("of finds every mistake of a service", () => {
    assertAllBroken({
      "live is refused": changed((served, { plan }, { mode }) =>
        plan === "free" && mode?._tag === "Live" ? refusal : served
      ),
      "everything is served, as fresh as can be": changed((_, { plan }, { mode }) => ({
        ...Account.serve(Account.make({ plan: "paid", user: Account.nonProfessional("realTime") }), {
          mode: plan === "trial" && mode === undefined ? { _tag: "Delayed" } : { _tag: "Live" },
          historical: false
        })
      })),
      "the default of trials is live": changed((served, account, { historical, mode }) =>
        account.plan === "trial" && mode === undefined
          ? Account.serve(Account.make({ ...account, plan: "paid" }), { historical, mode })
          : served
      )
    })
  })
})

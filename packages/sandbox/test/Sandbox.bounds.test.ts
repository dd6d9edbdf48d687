import * as Law from "@effect-marketdata/testing/Law"
import * as BillLaws from "@effect-marketdata/testing/BillLaws"
import { describe, it } from "@effect/vitest"
import { runs } from "../../core/test/support/depth.ts"

describe("Sandbox, against estimates", () => {
  for (const profile of ["contract", "public"] as const) {
    for (const law of BillLaws.of(BillLaws.core(profile))) {
      const clauses = law.clauses.map((clause) => `[${clause}]`).join(" ")
      it(`${clauses} ${law.name}, by the profile ${profile}`, () => Law.check(law, { runs: runs(300, 6), seed: 4_1 }))
    }
  }
})

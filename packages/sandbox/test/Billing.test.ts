import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Billing from "@effect-marketdata/sandbox/Billing"
import { assert, it } from "@effect/vitest"

const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

const asked = { target: "/", status: 200 }
const entry = (time: number, credits: number, account = "a"): Billing.Entry => ({ ...asked, time, account, credits })

it("sums up a window, and begins anew with the next one", () => {
  const billing = Billing.make()
  billing.record(entry(noon, 3), "minute")
  billing.record(entry(noon + 59, 4), "minute")
  assert.strictEqual(billing.spent("a", "minute", noon + 59), 7)
  assert.strictEqual(billing.spent("a", "minute", noon + 60), 0)
  billing.record(entry(noon + 60, 5), "minute")
  assert.deepStrictEqual([billing.spent("a", "minute", noon + 60), billing.billed()], [5, 12])
})

it("finds the sum of a window again after the clock went back, and forgets windows that nobody wrote in for long", () => {
  const billing = Billing.make()
  for (const minute of [0, 1, 0, -1, 0]) billing.record(entry(noon + 60 * minute, 3), "minute")
  assert.deepStrictEqual([-1, 0, 1].map((minute) => billing.spent("a", "minute", noon + 60 * minute)), [3, 9, 3])
  for (let minute = 2; minute < 150; minute++) {
    for (const at of [0, minute]) billing.record(entry(noon + 60 * at, 1), "minute")
  }
  assert.deepStrictEqual([1, 0].map((minute) => billing.spent("a", "minute", noon + 60 * minute)), [0, 157])
})

it("stays as large as it was: its logs forget the oldest, its sums nothing", () => {
  const billing = Billing.make({ remembered: 100 })
  for (let index = 0; index < 100_000; index++) billing.record(entry(noon + index, 1), undefined)
  const times = billing.entries().map(({ time }) => time - noon)
  assert.deepStrictEqual(times, Array.from({ length: 100 }, (_, at) => 99_900 + at))
  assert.deepStrictEqual([billing.spent("a", undefined, noon), billing.requests()], [100_000, 100_000])
  const none = Billing.make({ remembered: 0 })
  none.record(entry(noon, 1), undefined)
  assert.deepStrictEqual([none.entries(), none.billed()], [[], 1])
})

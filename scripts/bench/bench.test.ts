import { assert, it } from "@effect/vitest"
import * as Report from "./report.ts"

it.each<[isBroken: boolean, ReadonlyArray<number>, Report.Bounds]>([
  [false, [0.3, 0.2, 0.9], { limit: 0.3 }],
  [true, [0.3, 0.2, 0.9], { limit: 0.29 }],
  [false, [4], { aim: 5 }],
  [true, [0.4], { floor: 0.5 }],
  [true, [NaN], { limit: 1 }]
])("a row is broken by its median and by a bound that is there: %s for %s within %j", (isBroken, figures, bounds) => {
  assert.strictEqual(Report.isBroken({ case: "a", unit: "ms", figures, ...bounds }), isBroken)
})

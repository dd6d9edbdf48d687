/** Virtual time, beside which a database answers in its own. */
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { soon } from "../../../sql/test/support/databases.ts"

/** Lets a number of milliseconds go by, and the database answer. */
export const step = (millis: number): Effect.Effect<void> => Effect.andThen(TestClock.adjust(millis), soon)

/** Lets a number of seconds go by in steps, and the database answer after each. */
export const pass = (seconds: number, stepsPerSecond = 1): Effect.Effect<void> =>
  Effect.forEach(Array.from({ length: seconds * stepsPerSecond }), () => step(1000 / stepsPerSecond), { discard: true })

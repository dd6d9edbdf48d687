/**
 * `npm run interplay`: plants each fault of interplay, one at a time, runs the tests that should find it, and says how many were
 * caught. Words choose the faults whose names hold one of them. Exits with 1 where one was missed.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { dirname } from "node:path"
import * as Fault from "./faults/fault.ts"
import * as Planting from "./faults/planting.ts"

const root = dirname(import.meta.dirname)
const words = process.argv.slice(2)

const faults = (await Fault.loadInterplay(root))
  .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  .map((fault) => ({ ...fault, text: () => Fault.plant(root, fault) }))

Planting.tryAll(root, "interplay", faults).pipe(
  Effect.tapError(({ message }) => Console.error(`interplay: ${message}`)),
  NodeRuntime.runMain({ disableErrorReporting: true })
)

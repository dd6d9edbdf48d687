/** `npm run interplay`: plants each fault of interplay, one at a time, and runs the tests that should find it. */
import * as Effect from "effect/Effect"
import * as Fault from "./faults/fault.ts"
import * as Planting from "./faults/planting.ts"
import * as Script from "./shared/script.ts"

Script.run(
  {
    name: "interplay",
    what:
      "Plants each fault of interplay, one at a time, and runs the tests that should find it. Fails where one was missed.",
    examples: [
      ["", "all of them"],
      ["deadline", "those with that word in their names"]
    ]
  },
  { words: Planting.words },
  Effect.fnUntraced(function*({ words }) {
    const faults = yield* Effect.promise(() => Fault.loadInterplay(Script.root))
    const planted = faults.map((fault) => ({ ...fault, text: () => Fault.plant(Script.root, fault) }))
    return yield* Planting.tryAll(Script.root, "interplay", planted, words)
  })
)

/** `npm run interplay`: plants each fault of interplay, one at a time, and runs the tests that should find it. */
import * as Effect from "effect/Effect"
import * as Fault from "./faults/fault.ts"
import * as Trials from "./faults/trials.ts"
import * as Script from "./shared/script.ts"

Script.run(
  {
    name: "interplay",
    what:
      "Plants each fault of interplay, one at a time, and runs the tests that should find it. Fails where one was missed.",
    examples: [
      ["", "all of them"],
      ["sql:", "those of a package"],
      ["deadline", "those with that word in their names"]
    ]
  },
  { words: Script.words("word", "Faults whose names hold one of these; all without") },
  Effect.fnUntraced(function*({ words }) {
    const faults = yield* Effect.promise(() => Fault.ofInterplay(Script.root))
    return yield* Trials.tryAll({ root: Script.root, minutes: 8 }, Trials.named(faults, words))
  })
)

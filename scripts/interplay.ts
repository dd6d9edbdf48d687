/** `npm run interplay`: plants each fault of interplay, one at a time, and runs the tests that should find it. */
import * as Argument from "effect/cli/Argument"
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
  {
    words: Argument.String("word").pipe(
      Argument.withDescription("Faults whose names hold one of these; all without"),
      Argument.variadic()
    )
  },
  Effect.fnUntraced(function*({ words }) {
    const faults = yield* Effect.promise(() => Fault.loadInterplay(Script.root))
    const planted = faults.map((fault) => ({ ...fault, text: () => Fault.plant(Script.root, fault) }))
    return yield* Planting.tryAll(Script.root, "interplay", planted, words)
  })
)

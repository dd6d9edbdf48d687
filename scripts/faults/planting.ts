/** Plants faults that no clause names, one at a time, and runs the tests that should find them. */
import * as Argument from "effect/cli/Argument"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Trials from "../conformance/trials.ts"

/** A fault, and the tests that should find it, from the root of the repository. */
export interface Planted extends Pick<Trials.Planted, "file" | "text"> {
  readonly name: string
  readonly tests: ReadonlyArray<string>
}

/** Says that not all faults were caught. */
class Missed extends Data.TaggedError("Missed")<{ readonly message: string }> {}

/** Which of them are tried. */
export const words = Argument.String("word").pipe(
  Argument.withDescription("Faults whose names hold one of these; all without"),
  Argument.variadic()
)

/** Tries those whose names hold one of the words, or all; prints each verdict as it falls, and fails where one was missed. */
export const tryAll = Effect.fnUntraced(
  function*(root: string, what: string, all: ReadonlyArray<Planted>, words: ReadonlyArray<string>) {
    const faults = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
      .map((fault) => {
        const targets = fault.tests.map((file) => ({ package: file.split("/")[1] ?? "", file }))
        return { ...fault, clauses: [], targets }
      })
    const missed = yield* Trials.run({
      root,
      faults,
      minutes: 8,
      onVerdict: ({ name }, { detail, outcome }) => Console.log(`${outcome.padEnd(7)} ${name}: ${detail}`)
    })
    yield* Console.log(`Faults of ${what}: ${faults.length - missed} of ${faults.length} caught`)
    return missed === 0 ? true : yield* new Missed({ message: `${missed} were not` })
  }
)

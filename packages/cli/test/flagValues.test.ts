/** Flags by name are read as the command line reads them, however often. */
import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { queryCommands } from "../src/commands/list.ts"
import * as FlagValues from "../src/plans/flagValues.ts"
import { servicesOf } from "./support/printed.ts"

const at = (value: unknown, field: string) => (value as Record<string, unknown>)[field]

it.effect.each(queryCommands.map(({ load, name }) => ({ load, name })))(
  "$name: what is left out reads as its own reader says, also after it was given",
  ({ load }) =>
    Effect.gen(function*() {
      const { named, read } = FlagValues.reader((yield* Effect.promise(load)).flags)
      for (let turn = 0; turn < 2; turn++) {
        yield* read(new Map(named.map(({ name }) => [name, ["1"]])))
        const { input, refused } = yield* read(new Map())
        for (const { name, param, path } of named) {
          const own = yield* Effect.result(param.parse({ flags: {}, arguments: [] }))
          const [said] = refused.filter((one) => one.name === name)
          if (Result.isFailure(own)) assert.strictEqual(said?.error._tag, own.failure._tag)
          else assert.deepStrictEqual(path.reduce<unknown>(at, input), own.success[1])
        }
      }
    }).pipe(Effect.provide(servicesOf({})))
)

import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import * as fc from "fast-check"
import { runs, seed } from "../../core/test/support/depth.ts"
import { Keychain, KeychainError } from "../src/settings/keychain.ts"
import { hostile, play, type Run, telling } from "./support/hostileFiles.ts"
import { printed } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const baseUrl = await Started.sandbox()

const none = Effect.fail(new KeychainError({ message: "there is none" }))
const services = Context.make(Keychain, { read: () => none, write: () => none, remove: () => none })

const run: Run = (words, variables) => printed(words, { variables, services })

describe("a program in the place of whose files others left something", () => {
  it("answers rightly or says what is wrong, and touches nothing of theirs, whatever it is and wherever", async () => {
    const drawn = fc.sample(hostile, { seed, numRuns: runs(12, 1) })
    assert.deepStrictEqual((await play([...telling, ...drawn], run, baseUrl)).problems, [], `seed ${seed}`)
  })
})

/**
 * V8 frees what was made lately in short collections, unless something older refers to it. A generator function that is made for one call is such a
 * thing: whatever it refers to is kept until the whole heap is collected, tables of megabytes among it. Where V8 puts what it makes depends on all
 * that ran before: a process of its own has nothing before it.
 */
import { assert, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { join } from "node:path"

it("run leaves nothing of a call that waits for a collection of the whole heap", () => {
  const program = join(import.meta.dirname, "support", "shortLivedCalls.ts")
  const flags = ["--expose-gc", "--conditions=@effect-marketdata/source"]
  const counted = (): Record<string, number> =>
    JSON.parse(execFileSync(process.execPath, [...flags, program], { encoding: "utf8" }))
  // V8 keeps for longer what is there at two of its own short collections, which may come in between. What is always left is in each process.
  const processes = [counted(), counted(), counted(), counted(), counted()]
  for (const name of ["a call", "a call that others may join"]) {
    // The last ones may be held by what V8 has learned of the functions that took them.
    assert.isAtMost(Math.min(...processes.map((left) => left[name]!)), 5, name)
  }
})

import { assert, describe, it } from "@effect/vitest"
import { printed } from "./support/printed.ts"

describe("what bounds a price", () => {
  const boundOf = async (...flags: ReadonlyArray<string>): Promise<unknown> => {
    const { out } = await printed(["estimate", "chain", "SPX", "--mode", "live", ...flags, "--json"])
    return JSON.parse(out).cost.max
  }

  it("[4.1-cost-live] a limit is the service's promise, and one expiration and its strikes bound it as well", async () => {
    assert.strictEqual(await boundOf(), "Infinity")
    assert.strictEqual(await boundOf("--limit", "7"), 7)
    assert.strictEqual(await boundOf("--dte", "30", "--strike", "6500", "--side", "put", "--pm", "--no-am"), 1)
    assert.isBelow((await boundOf("--dte", "30", "--strike-limit", "10")) as number, 100)
  })
})

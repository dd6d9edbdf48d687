import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { marketdata } from "./support/printed.ts"

const call = "AAPL261218C00350000"
const put = "AAPL261218P00350000"

describe("marketdata quote", () => {
  it.effect("falls back to live data only within the ceiling, which holds for each of them", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      const variables = { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid" }
      const { code, errors } = yield* marketdata(`quote ${call} ${put} --mode cached --fallback-up-to 1`, { variables })
      assert.strictEqual(code, 0)
      assert.match(errors, /charge: {5}2 credits/)
    }).pipe(Effect.provide(Layer.provide(SandboxServer.layer(), Sandbox.layer()))))
})

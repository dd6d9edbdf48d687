/** Stands in for the service: the examples that ask it a question ask a sandbox, over HTTP, as the environment tells them to. */
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Starts a sandbox that lives as long as this process, and names it in the environment. */
export const start = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const serve = Effect.gen(function*() {
      const { baseUrl } = yield* SandboxServer.SandboxServer
      Object.assign(process.env, { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid" })
      resolve()
      return yield* Effect.never
    }).pipe(Effect.provide(Layer.provide(SandboxServer.layer(), Sandbox.layer())))
    Effect.runPromise(serve).catch(reject)
  })

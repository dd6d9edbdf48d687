/** The sandbox on a free port of this machine. */
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The address of the sandbox that runs. */
export const baseUrl = Effect.map(SandboxServer.SandboxServer, ({ baseUrl }) => baseUrl)

/** Runs it; another seed, another market. */
export const layer = (seed: number) => SandboxServer.layer().pipe(Layer.provide(Sandbox.layer({ seed })))

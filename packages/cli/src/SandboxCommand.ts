/**
 * `marketdata sandbox`: the simulated service on a port of this machine, to develop and test against.
 *
 * @since 0.1.0
 */
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const flags = {
  port: Flag.Int("port").pipe(Flag.withDescription("The port to listen on; 0 picks a free one"), Flag.withDefault(0)),
  seed: Flag.Int("seed").pipe(Flag.withDescription("The market; another seed, other prices"), Flag.withDefault(1))
}

/**
 * The command; it runs until it is stopped.
 *
 * @category commands
 * @since 0.1.0
 */
export const command = Command.make("sandbox", flags, ({ port, seed }) =>
  Effect.gen(function*() {
    const { baseUrl } = yield* SandboxServer.SandboxServer
    yield* Console.log(`the sandbox listens on ${baseUrl} (synthetic data, seed ${seed}); Ctrl-C stops it`)
    yield* Console.log(
      `point a client at it: MARKETDATA_BASE_URL=${baseUrl} MARKETDATA_TOKEN=sandbox-paid marketdata chain SPX`
    )
    return yield* Effect.never
  }).pipe(
    Effect.provide(Layer.provide(SandboxServer.layer({ port }), Sandbox.layer({ seed })))
  )).pipe(Command.withDescription("Serve the simulated service on this machine"))

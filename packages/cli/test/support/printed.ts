/** What the command line prints, run by itself: no other test's clock, no variables but those given. */
import * as Main from "@effect-marketdata/cli/Main"
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import * as TestConsole from "effect/testing/TestConsole"

/** What came of a command: everything that reached the console, by stream. */
export interface Printed {
  readonly failed: boolean
  /** What the program exits with. */
  readonly code: number
  readonly out: string
  readonly errors: string
}

/** Runs a command line. `columns` may stand for how the width of the terminal is found out, and `stdin` for standard input. */
export const printed = (
  arguments_: ReadonlyArray<string>,
  options: {
    readonly variables?: Readonly<Record<string, string>>
    readonly columns?: Effect.Effect<number>
    readonly stdin?: Stdio.Stdio["stdin"]
  } = {}
): Promise<Printed> => {
  const { columns, stdin, variables = {} } = options
  const streams = Layer.mergeAll(
    Layer.effect(
      Terminal.Terminal,
      Effect.map(Terminal.Terminal, (terminal) => columns === undefined ? terminal : { ...terminal, columns })
    ),
    Layer.effect(Stdio.Stdio, Effect.map(Stdio.Stdio, (stdio) => stdin === undefined ? stdio : { ...stdio, stdin }))
  )
  const services = Layer.mergeAll(
    Layer.provideMerge(streams, NodeServices.layer),
    TestConsole.layer,
    ConfigProvider.layer(ConfigProvider.fromEnvRecord(variables))
  )
  return Effect.runPromise(
    Effect.gen(function*() {
      const exit = yield* Effect.exit(Main.run(arguments_))
      return {
        failed: Exit.isFailure(exit),
        code: yield* Effect.callback<number>((resume) =>
          Runtime.defaultTeardown(exit, (code) => resume(Effect.succeed(code)))
        ),
        out: (yield* TestConsole.logLines).join("\n"),
        errors: (yield* TestConsole.errorLines).join("\n")
      }
    }).pipe(
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts: 1, base: 1, cap: 1 })),
      Effect.provide(services)
    )
  )
}

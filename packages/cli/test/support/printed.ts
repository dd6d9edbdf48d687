/** What the command line prints and exits with, run in this process: with the variables that are given and no others. */
import * as RetryPolicy from "@effect-marketdata/client/RetryPolicy"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { type Cause, ConfigProvider, Console, Context, Effect, type Exit, FileSystem, Layer } from "effect"
import { Option, Queue, Runtime, Sink, Stdio, Stream, Terminal } from "effect"
import { TestClock, TestConsole } from "effect/testing"
import { patient } from "../../../client/test/support/keptReplies.ts"
import { QueryCommands } from "../../src/call/command.ts"
import { queryCommands } from "../../src/commands/list.ts"
import * as Main from "../../src/Main.ts"
import * as Output from "../../src/output/output.ts"
import { Environment } from "../../src/settings/settings.ts"

/** What came of a command: its exit code, and everything that reached the console, by stream. */
export type Printed = Effect.Success<ReturnType<typeof run>>

/** Where a command runs. */
export interface Place {
  readonly variables?: Readonly<Record<string, string>>
  /** How the width of the terminal is found out. */
  readonly columns?: Effect.Effect<number>
  /** How many lines the terminal has. */
  readonly rows?: Effect.Effect<number>
  /** Takes what is drawn on the terminal beside the lines of the console. */
  readonly drawn?: Array<string>
  /** Takes what is written to standard error beside the lines of the console. */
  readonly status?: Array<string>
  /** Takes what is written to standard output beside the lines of the console. */
  readonly written?: Array<string>
  /** Whether all three streams are a terminal, or those of output alone. */
  readonly isTerminal?: boolean | "output"
  /** The keys that are pressed at it, when a question is there. */
  readonly keys?: ReadonlyArray<string>
  /** Those that were pressed before. */
  readonly typedBefore?: ReadonlyArray<string>
  /** What standard input holds, as a text. */
  readonly input?: string
  readonly stdin?: Stdio.Stdio["stdin"]
  readonly stdout?: Stdio.Stdio["stdout"]
  /** How the client asks again; once is enough for most tests. */
  readonly retries?: RetryPolicy.RetryPolicy["Service"]
  /** What the disk does otherwise. */
  readonly files?: (files: FileSystem.FileSystem) => Partial<FileSystem.FileSystem>
  /** Takes what is shown by the pager; where nothing takes it, there is no pager. */
  readonly paged?: Array<string>
  /** What stands in for parts of the system. */
  readonly services?: Context.Context<never>
}

const unmodified = { ctrl: false, meta: false, shift: false }

/** Queues of pressed keys: whoever reads first gets what was typed before, and then whoever reads next the answer. */
const pressing = (before: ReadonlyArray<string>, keys: ReadonlyArray<string>): Terminal.Terminal["readInput"] => {
  let isFirst = true
  return Effect.gen(function*() {
    const queue = yield* Queue.unbounded<Terminal.UserInput, Cause.Done>()
    const pressed = isFirst && before.length > 0 ? before : keys
    isFirst = false
    for (const name of pressed) {
      // At Ctrl-C a terminal gives no more keys.
      if (name === "ctrl-c") yield* Queue.end(queue)
      else yield* Queue.offer(queue, { input: Option.some(name), key: { name, ...unmodified } })
    }
    return queue
  })
}

export const asText = (text: string | Uint8Array): string =>
  typeof text === "string" ? text : new TextDecoder().decode(text)

/** A stream of output that is the console's. */
const asLines = () => Sink.forEach((text: string | Uint8Array) => Console.log(asText(text).replace(/\n$/, "")))

/** A stream of output that adds to texts. */
const adding = (all: Array<string>) => () =>
  Sink.forEach((text: string | Uint8Array) => Effect.sync(() => void all.push(asText(text))))

/** What is given of some parts; what is not leaves the part that was there. */
const given = <Parts extends object>(parts: Parts) =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as {
    readonly [Name in keyof Parts]?: Exclude<Parts[Name], undefined>
  }

/** A service of the system, of which something is otherwise. */
export const changed = <Id, Service>(service: Context.Service<Id, Service>, change: (was: Service) => Service) =>
  Layer.effect(service, Effect.map(service, change))

/** The system as a command finds it. */
export const servicesOf = (place: Place) => {
  const { columns, drawn, files = () => ({}), isTerminal = false, keys, paged, rows, status, typedBefore = [] } = place
  const { input, stdin = input === undefined ? undefined : Stream.make(new TextEncoder().encode(input)) } = place
  const seen = Effect.succeed(isTerminal !== false)
  const streams = Layer.mergeAll(
    changed(FileSystem.FileSystem, (system) => ({ ...system, ...files(system) })),
    changed(Terminal.Terminal, (terminal) => ({
      ...terminal,
      ...given({
        columns,
        rows,
        readInput: keys && pressing(typedBefore, keys),
        display: (drawn ?? keys) && ((text: string) => Effect.sync(() => void drawn?.push(text)))
      })
    })),
    changed(Stdio.Stdio, (stdio) => ({
      ...stdio,
      ...given({
        stdin,
        stdout: place.written ? adding(place.written) : place.stdout ?? asLines,
        stderr: status && adding(status)
      }),
      stdinIsTerminal: Effect.succeed(isTerminal === true),
      stdoutIsTerminal: seen,
      stderrIsTerminal: seen
    }))
  )
  const environment = ConfigProvider.fromEnvRecord({ MARKETDATA_HOME: "/proc/nowhere/marketdata", ...place.variables })
  return Layer.mergeAll(
    Layer.provideMerge(streams, NodeServices.layer),
    Layer.succeed(Output.Pager, (text) => Effect.sync(() => paged !== undefined && paged.push(text) > 0)),
    // Nothing of the user who runs the tests: neither are settings read, nor is anything kept. No folder can be made in /proc, not even by root.
    ConfigProvider.layer(environment),
    Layer.succeed(Environment, environment),
    Layer.succeed(QueryCommands, queryCommands)
  )
}

/** Retries cost a test its time. */
const once = RetryPolicy.make({ attempts: 1, base: 1, cap: 1 })

/** What a program that ends so exits with. */
export const codeOf = (exit: Exit.Exit<unknown, unknown>): number => {
  let code = 0
  Runtime.defaultTeardown(exit, (number) => code = number)
  return code
}

/** Lets what happens in real time go on, such as a request on its way. */
export const turn = Effect.promise(() => new Promise(setImmediate))

/** Runs a command line in the test that calls it. */
export const run = Effect.fnUntraced(function*(arguments_: ReadonlyArray<string>, place: Place = {}) {
  const before = { out: (yield* TestConsole.logLines).length, errors: (yield* TestConsole.errorLines).length }
  const exit = yield* Effect.exit(Main.run(arguments_)).pipe(
    Effect.provideService(RetryPolicy.RetryPolicy, place.retries ?? once),
    Effect.provide([servicesOf(place), patient]),
    Effect.provideContext(place.services ?? Context.empty())
  )
  return {
    code: codeOf(exit),
    out: (yield* TestConsole.logLines).slice(before.out).join("\n"),
    errors: (yield* TestConsole.errorLines).slice(before.errors).join("\n")
  }
})

/** Friday at noon in New York, in the middle of a session. */
export const noon = NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0)

/** Runs a command line at noon; its words stand between single spaces. */
export const marketdata = (line: string, place: Place = {}) =>
  Effect.andThen(TestClock.setTime(noon * 1000), run(line.split(" ").filter((word) => word !== ""), place))

/** Does something by itself from a time on, on a clock that only it moves, with a console of its own. */
export const from = <A>(time: number, steps: Effect.Effect<A>): Promise<A> =>
  Effect.andThen(TestClock.setTime(time * 1000), steps).pipe(
    Effect.provide(Layer.merge(TestClock.layer(), TestConsole.layer)),
    Effect.runPromise
  )

/** Runs a command line by itself at noon. */
export const atNoon = (arguments_: ReadonlyArray<string>, place: Place = {}): Promise<Printed> =>
  from(noon, run(arguments_, place))

/** Runs a command line by itself: no other test's clock or console. */
export const printed = (arguments_: ReadonlyArray<string>, place: Place = {}): Promise<Printed> =>
  Effect.runPromise(Effect.provide(run(arguments_, place), TestConsole.layer))

/** Runs scripts: their arguments, `--help`, refusals of wrong arguments, and failures, which are one line and exit code 1. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { Argument, CliConfig, Command, Flag, GlobalFlag } from "effect/cli"
import { basename, dirname } from "node:path"

/** The repository. */
export const root = dirname(dirname(import.meta.dirname))

/** The condition under which packages are their sources. */
export const fromSource = "--conditions=@effect-marketdata/source"

/** The help of a script: its description, and examples of arguments with what they do. */
export interface About {
  readonly what: string
  readonly examples: ReadonlyArray<readonly [args: string, what: string]>
}

/** A failure that says in its message what to do: no stack is printed. */
export class ScriptError extends Error {}

/** The main function of a script; false is exit code 1. */
type Main<Options> = (options: Options) => Promise<boolean> | Effect.Effect<boolean, { readonly message: string }>

/** The name of the script in `npm run`, which is that of its file. */
const name = basename(process.argv[1] ?? "", ".ts")

/** Runs a script with the arguments of the process. */
export const run = <const Config extends Command.Command.Config>(
  { examples, what }: About,
  config: Config,
  main: Main<Command.Command.Config.Infer<Config>>
): void => {
  const handler = (options: Command.Command.Config.Infer<Config>) =>
    Effect.suspend(() => {
      const running = main(options)
      return Effect.isEffect(running) ? running : Effect.promise(() => running)
    }).pipe(
      Effect.tapError(({ message }) => Console.error(`${name}: ${message}`)),
      Effect.tapDefect((defect) =>
        Console.error(defect instanceof ScriptError ? `${name}: ${defect.message}` : defect)
      ),
      Effect.map((holds) => {
        process.exitCode = holds ? 0 : 1
      })
    )
  const shown = examples.map(([args, description]) => ({ command: `npm run ${name} -- ${args}`, description }))
  Command.make(name, config, handler).pipe(
    Command.withDescription(what),
    Command.withExamples(shown),
    Command.run({ version: "" }),
    Effect.provideService(CliConfig.CliConfig, { builtIns: [GlobalFlag.Help] }),
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain({ disableErrorReporting: true })
  )
}

/** Any number of words. */
export const words = (name: string, what: string) =>
  Argument.String(name).pipe(Argument.withDescription(what), Argument.variadic())

/** A flag that is there or is not. */
export const toggle = (name: string, what: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDescription(what), Flag.withDefault(false))

/** A text; `otherwise` is its default. */
export const text = <const Otherwise extends string | undefined = undefined>(
  name: string,
  what: string,
  otherwise?: Otherwise
) => Flag.String(name).pipe(Flag.withDescription(what), Flag.withDefault(otherwise as Otherwise))

/** A number that satisfies a condition; a positive, finite default is added to the description. */
const number = <const Otherwise extends number | undefined>(
  flag: Flag.Flag<number>,
  [holds, must]: readonly [holds: (value: number) => boolean, must: string],
  what: string,
  otherwise: Otherwise
) => {
  const isTold = otherwise !== undefined && otherwise > 0 && otherwise < Infinity
  return flag.pipe(
    Flag.filter(holds, (value) => `must be ${must}, not ${value}`),
    Flag.withDescription(isTold ? `${what}; ${otherwise} by default` : what),
    Flag.withDefault(otherwise)
  )
}

/** A whole number, at least `least`; `otherwise` is its default. */
export const whole = <const Otherwise extends number | undefined = undefined>(
  name: string,
  what: string,
  otherwise?: Otherwise,
  least = 1
) =>
  number(Flag.Int(name), [(value) => value >= least, `a whole number from ${least} on`], what, otherwise as Otherwise)

/** A number above 0. */
export const positive = (name: string, what: string, otherwise: number) =>
  number(Flag.Finite(name), [(value) => value > 0, "a positive number, such as 2"], what, otherwise)

/** The seed of what is drawn: the same one draws the same again. */
export const seed = whole("seed", "Seed of what is drawn; another one each time by default", undefined, 0).pipe(
  Flag.map((given) => given ?? Math.floor(Math.random() * 2 ** 32))
)

/** Reports the progress of a long run, at most every `everySeconds`. */
export const progress = (everySeconds: number) => {
  const started = performance.now()
  let told = started
  const elapsed = (): number => performance.now() - started
  const seconds = (): string => `${(elapsed() / 1000).toFixed(0)} s`
  return {
    /** The milliseconds since the beginning, and the seconds in words. */
    elapsed,
    seconds,
    tell: (say: (text: string) => void, text: () => string): void => {
      if (performance.now() - told < everySeconds * 1000) return
      told = performance.now()
      say(`${seconds()}: ${text()}`)
    }
  }
}

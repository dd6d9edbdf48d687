/**
 * `marketdata sandbox`: the simulated service on a port of this machine, to develop and test against.
 *
 * @since 0.1.0
 */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Faults from "@effect-marketdata/sandbox/Faults"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** Reads `YYYY-MM-DD` of the market's years, alone or with a time of New York behind it, as epoch seconds. */
const timeOf = (text: string): Option.Option<number> => {
  const [, day = "", hour = "0", minute = "0", second = "0"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?)?$/.exec(text) ?? []
  return Result.getSuccess(CalendarDate.parse(day)).pipe(
    Option.map((date) => NewYork.at(date, Number(hour), Number(minute), Number(second))),
    Option.filter((at) => at >= SandboxClock.earliest && at <= SandboxClock.latest)
  )
}

const flags = {
  port: Flag.Int("port").pipe(
    Flag.withDescription("The port to listen on; 0 picks a free one"),
    Flag.filter(
      (port) => port >= 0 && port <= 65_535,
      (port) => Problem.format(`${port}`, { rule: "must be a port from 0 to 65535", example: "8080" })
    ),
    Flag.withDefault(0)
  ),
  host: Flag.String("host").pipe(
    Flag.withDescription("The address to listen on; one that others can reach needs --any-host too"),
    Flag.withDefault("127.0.0.1")
  ),
  anyHost: Flag.Boolean("any-host").pipe(
    Flag.withDescription("Let other machines in"),
    Flag.withDefault(false)
  ),
  allowedHosts: Flag.String("allowed-host").pipe(
    Flag.withMetavar("NAME"),
    Flag.withDescription(
      "Another name that requests may call it by, such as that of its container; once for each. It refuses all but localhost and its address"
    ),
    Flag.atLeast(0)
  ),
  seed: Flag.Int("seed").pipe(
    Flag.withDescription("The market and the faults; another seed, other prices and other mishaps"),
    Flag.withDefault(1)
  ),
  clock: Flag.Literals("clock", ["frozen", "real", "fast"]).pipe(
    Flag.withDescription("How time passes in the market"),
    Flag.withDefault("real")
  ),
  at: Flag.String("at").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription(
      "When the market's time begins, in New York, such as 2026-11-20T12:00; now where it is left out"
    ),
    Flag.filterMap(
      timeOf,
      (text) =>
        Problem.format(Problem.shown(text), {
          rule: "must be a day or time in New York of the years 2000 to 2095",
          example: "2026-11-20T12:00"
        })
    ),
    Flag.optional
  ),
  speed: Flag.Finite("speed").pipe(
    Flag.withDescription("How many times as fast the fast clock is"),
    Flag.filter(
      (speed) => speed > 0,
      (speed) => Problem.format(`${speed}`, { rule: "must be a positive number", example: "60" })
    ),
    Flag.withDefault(60)
  ),
  plan: Flag.Literals("plan", ["paid", "trial", "free"]).pipe(
    Flag.withDescription("The plan of the account to point a client at; there is one of each"),
    Flag.withDefault("paid")
  ),
  profile: Flag.Literals("profile", ["contract", "public"]).pipe(
    Flag.withDescription("Which reading holds where the contract and the public service differ"),
    Flag.withDefault("contract")
  ),
  mostInFlight: Flag.Int("max-in-flight").pipe(
    Flag.withMetavar("COUNT"),
    Flag.withDescription(
      "How many requests of an account may be in flight before it is answered with 429; 50 as the public service, else any number"
    ),
    Flag.filter(
      (count) => count >= 1,
      (count) => Problem.format(`${count}`, { rule: "must be a positive integer", example: "10" })
    ),
    Flag.optional
  ),
  faults: Flag.FileSchema("faults", Faults.Script, { format: "json" }).pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(`What goes wrong, as JSON: [{"count": 2, "kind": {"_tag": "Status", "status": 503}}]`),
    Flag.optional
  ),
  faultRate: Flag.Finite("fault-rate").pipe(
    Flag.withMetavar("SHARE"),
    Flag.withDescription("The share of requests that something goes wrong with by chance, from 0 to 1"),
    Flag.filter(
      (share) => share >= 0 && share <= 1,
      (share) => Problem.format(`${share}`, { rule: "must be a number from 0 to 1", example: "0.1" })
    ),
    Flag.withDefault(0)
  )
}

type Input = Command.Command.Config.Infer<typeof flags>

/** The server of a command line: faults before the sandbox, and a clock below both. */
const serverOf = (input: Input) =>
  SandboxServer.layer({
    port: input.port,
    host: input.host,
    anyHost: input.anyHost,
    allowedHosts: input.allowedHosts
  }).pipe(
    Layer.provide(Faults.layer({
      seed: input.seed,
      faults: [
        ...Option.getOrElse(input.faults, () => []),
        ...(input.faultRate === 0 ? [] : Faults.random(input.faultRate))
      ]
    })),
    Layer.provide(Sandbox.layer({
      seed: input.seed,
      profile: input.profile,
      mostInFlight: Option.getOrUndefined(input.mostInFlight)
    })),
    Layer.provideMerge(
      SandboxClock.layer({ pace: input.clock, at: Option.getOrUndefined(input.at), speed: input.speed })
    )
  )

const announce = Effect.fnUntraced(function*({ plan, profile, seed, speed }: Input) {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const { now, pace } = yield* SandboxClock.SandboxClock
  const time = pace === "frozen" ? "stands still" : pace === "fast" ? `passes ${speed} times as fast` : "passes"
  yield* Console.log(
    `the sandbox listens on ${baseUrl} (synthetic data, seed ${seed}, ${profile} profile); Ctrl-C stops it`
  )
  yield* Console.log(`its time is ${NewYork.format(yield* now)}, and ${time}`)
  yield* Console.log(
    `point a client at it: MARKETDATA_BASE_URL=${baseUrl} MARKETDATA_TOKEN=sandbox-${plan} marketdata chain SPX`
  )
})

/**
 * The command; it runs until it is stopped.
 *
 * @category constructors
 * @since 0.1.0
 */
export const command = Command.make(
  "sandbox",
  flags,
  (input) => Effect.andThen(announce(input), Effect.never).pipe(Effect.provide(serverOf(input)))
).pipe(
  Command.withDescription("Serve the simulated service on this machine"),
  Command.withExamples([
    { command: "marketdata sandbox --port 8080", description: "On a port that you know" },
    {
      command: "marketdata sandbox --clock frozen --at 2026-11-20T12:00",
      description: "The same market at every start, in the middle of a session"
    },
    { command: "marketdata sandbox --clock fast", description: "A session in six and a half minutes" },
    { command: "marketdata sandbox --fault-rate 0.1", description: "Every tenth request goes wrong somehow" }
  ])
)

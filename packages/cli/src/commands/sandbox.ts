/** `marketdata sandbox`: the simulated service on a port of this machine, to develop and test against. It runs until it is stopped. */
import { CalendarDate, NewYork, Problem } from "@effect-marketdata/core"
import { Faults, Sandbox, SandboxClock, SandboxServer } from "@effect-marketdata/sandbox"
import { Effect, Layer, Option, Result, Schema } from "effect"
import * as Flag from "effect/cli/Flag"
import { command } from "../call/command.ts"
import { wrong } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import { Output } from "../output/output.ts"
import * as Flags from "../text/flags.ts"

const usualSpeed = 60

const notShare = { rule: "must be a number from 0 to 1", example: "0.1" }

const notPositive = { rule: "must be a positive number", example: "60" }

const flags = {
  port: Flags.usually(Flags.port("8080"), 0)("The port to listen on; 0 is any free one"),
  host: Flags.usually(Flag.String("host"), "127.0.0.1")(
    "The address to listen on; one that others can reach needs --any-host too"
  ),
  anyHost: Flags.isOn("any-host")("Let other machines in"),
  allowedHosts: Flags.texts("allowed-host", "NAME")(
    "Another name that requests may call it by, such as that of its container; once for each. It refuses all but localhost and its address"
  ),
  seed: Flags.usually(Flag.Int("seed"), 1)(
    "The market and the faults; another seed gives other prices and other mishaps"
  ),
  clock: Flags.usually(Flag.Literals("clock", ["frozen", "real", "fast"]), "real")("How time passes in the market"),
  at: Flags.text("at", "TIME")("When the market's time begins, in New York, such as 2026-11-20T12:00; now by default"),
  speed: Flags.usually(Flags.keeping(Flag.Finite("speed"), (speed) => speed > 0, notPositive), usualSpeed)(
    "With --clock fast: how many times as fast the market's time passes"
  ),
  plan: Flags.usually(Flag.Literals("plan", ["paid", "trial", "free"]), "paid")(
    "The plan of the account to point a client at; there is one of each"
  ),
  profile: Flags.usually(Flag.Literals("profile", ["contract", "public"]), "contract")(
    "Which reading holds where the contract and the public service differ"
  ),
  mostInFlight: Flags.positive("max-in-flight", "10")(
    "How many requests of an account may be in flight before it is answered with 429; by default 50 with --profile public, else any number"
  ),
  faults: Flags.described(Flag.withMetavar(Flag.FileParse("faults", { format: "json" }), "FILE"))(
    `What goes wrong, as JSON: [{"count": 2, "kind": {"_tag": "Status", "status": 503}}]`
  ),
  faultRate: Flags.keeping(Flag.Finite("fault-rate"), (share) => share >= 0 && share <= 1, notShare).pipe(
    Flag.withMetavar("SHARE"),
    Flag.withDescription("The share of requests that something goes wrong with by chance, from 0 to 1"),
    Flag.withDefault(0)
  )
}

type Input = Flags.Given<typeof flags>

/** Reads `YYYY-MM-DD` of the market's years, alone or with a time of New York behind it, as epoch seconds. */
const timeOf = (text: string): Option.Option<number> => {
  const [, day = "", hour = "0", minute = "0", second = "0"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?)?$/.exec(text) ?? []
  return Result.getSuccess(CalendarDate.parse(day)).pipe(
    Option.map((date) => NewYork.at(date, Number(hour), Number(minute), Number(second))),
    Option.filter((at) => at >= SandboxClock.earliest && at <= SandboxClock.latest)
  )
}

const startOf = Effect.fnUntraced(function*({ at, clock, speed }: Input) {
  if (clock !== "fast" && speed !== usualSpeed) {
    return yield* wrong("UnusedFlag", `--speed says nothing without --clock fast, e.g. --clock fast --speed ${speed}.`)
  }
  if (at === undefined) return undefined
  const time = timeOf(at)
  if (Option.isSome(time)) return time.value
  const rule = "must be a day or time in New York of the years 2000 to 2095"
  const message = Problem.format(`--at ${Problem.shown(at)}`, { rule, example: "2026-11-20T12:00" })
  return yield* wrong("InvalidTime", message)
})

const faultsOf = Effect.fnUntraced(function*({ faultRate, faults }: Input) {
  const script = faults === undefined ? [] : yield* Schema.decodeUnknownEffect(Faults.Script)(faults).pipe(
    Effect.mapError((error) => wrong("InvalidFaults", `--faults: ${error.message}`))
  )
  return [...script, ...(faultRate === 0 ? [] : Faults.random(faultRate))]
})

/** The server of a command line: faults before the sandbox, and a clock below both. */
const serverOf = (input: Input) =>
  Layer.unwrap(Effect.gen(function*() {
    const at = yield* startOf(input)
    const faults = yield* faultsOf(input)
    const { allowedHosts, anyHost, host, port } = input
    return SandboxServer.layer({ port, host, anyHost, allowedHosts }).pipe(
      Layer.provide(Faults.layer({ seed: input.seed, faults })),
      Layer.provide(Sandbox.layer({ seed: input.seed, profile: input.profile, mostInFlight: input.mostInFlight })),
      Layer.provideMerge(SandboxClock.layer({ pace: input.clock, at, speed: input.speed }))
    )
  }))

const announce = Effect.fnUntraced(function*({ plan, profile, seed, speed }: Input) {
  const { format, note, write } = yield* Output
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const { now, pace } = yield* SandboxClock.SandboxClock
  const time = NewYork.format(yield* now)
  const token = `sandbox-${plan}`
  if (format !== "table") {
    const told = { baseUrl, token, seed, profile, plan, time, pace }
    return yield* Document.print({ json: told, rows: Document.records(Object.keys(told), [told]) })
  }
  const passes = pace === "frozen" ? "stands still" : pace === "fast" ? `passes ${speed} times as fast` : "passes"
  yield* write([
    `the sandbox listens on ${baseUrl} (synthetic data, seed ${seed}, ${profile} profile)`,
    `its time is ${time}, and ${passes}`,
    `point a client at it: MARKETDATA_BASE_URL=${baseUrl} MARKETDATA_TOKEN=${token} marketdata chain SPX`
  ].join("\n"))
  yield* note(["Ctrl-C stops it"])
})

/** Serves until it is stopped. */
export const sandbox = command({
  examples: [
    ["--port 8080", "On a port that you know"],
    ["--clock frozen --at 2026-11-20T12:00", "The same market at every start, in the middle of a session"],
    ["--fault-rate 0.1", "Every tenth request goes wrong somehow"]
  ],
  flags,
  run: (input) => Effect.andThen(announce(input), Effect.never).pipe(Effect.provide(serverOf(input)))
})

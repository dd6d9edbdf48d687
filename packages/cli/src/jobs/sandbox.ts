/** Serves the sandbox, and says where, when and how to point a client at it. */
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Faults from "@effect-marketdata/sandbox/Faults"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxClock from "@effect-marketdata/sandbox/SandboxClock"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Input } from "../commands/sandbox.ts"
import { CommandError } from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import { Output } from "../output/output.ts"

/** Reads `YYYY-MM-DD` of the market's years, alone or with a time of New York behind it, as epoch seconds. */
const timeOf = (text: string): Option.Option<number> => {
  const [, day = "", hour = "0", minute = "0", second = "0"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?)?$/.exec(text) ?? []
  return Result.getSuccess(CalendarDate.parse(day)).pipe(
    Option.map((date) => NewYork.at(date, Number(hour), Number(minute), Number(second))),
    Option.filter((at) => at >= SandboxClock.earliest && at <= SandboxClock.latest)
  )
}

const startOf = Effect.fnUntraced(function*({ at }: Input) {
  if (Option.isNone(at)) return undefined
  const time = timeOf(at.value)
  if (Option.isSome(time)) return time.value
  return yield* new CommandError({
    class: "usage",
    reason: "InvalidTime",
    message: Problem.format(`--at ${Problem.shown(at.value)}`, {
      rule: "must be a day or time in New York of the years 2000 to 2095",
      example: "2026-11-20T12:00"
    })
  })
})

const faultsOf = Effect.fnUntraced(function*({ faultRate, faults }: Input) {
  const script = Option.isNone(faults) ? [] : yield* Schema.decodeUnknownEffect(Faults.Script)(faults.value).pipe(
    Effect.mapError((error) =>
      new CommandError({ class: "usage", reason: "InvalidFaults", message: `--faults: ${error.message}` })
    )
  )
  return [...script, ...(faultRate === 0 ? [] : Faults.random(faultRate))]
})

/** The server of a command line: faults before the sandbox, and a clock below both. */
const serverOf = (input: Input) =>
  Layer.unwrap(Effect.gen(function*() {
    const at = yield* startOf(input)
    const faults = yield* faultsOf(input)
    return SandboxServer.layer({
      port: input.port,
      host: input.host,
      anyHost: input.anyHost,
      allowedHosts: input.allowedHosts
    }).pipe(
      Layer.provide(Faults.layer({ seed: input.seed, faults })),
      Layer.provide(Sandbox.layer({
        seed: input.seed,
        profile: input.profile,
        mostInFlight: Option.getOrUndefined(input.mostInFlight)
      })),
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
    return yield* write(JSON.stringify({ version: Document.version, baseUrl, token, seed, profile, plan, time, pace }))
  }
  yield* write([
    `the sandbox listens on ${baseUrl} (synthetic data, seed ${seed}, ${profile} profile)`,
    `its time is ${time}, and ${
      pace === "frozen" ? "stands still" : pace === "fast" ? `passes ${speed} times as fast` : "passes"
    }`,
    `point a client at it: MARKETDATA_BASE_URL=${baseUrl} MARKETDATA_TOKEN=${token} marketdata chain SPX`
  ].join("\n"))
  yield* note(["Ctrl-C stops it"])
})

/** Serves until it is stopped. */
export const serve = (input: Input) =>
  Effect.andThen(announce(input), Effect.never).pipe(Effect.provide(serverOf(input)))

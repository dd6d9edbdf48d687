/** `marketdata sandbox`: the simulated service on a port of this machine, to develop and test against. */
import * as Problem from "@effect-marketdata/core/Problem"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { defaultTo } from "../text/defaultTo.ts"
import * as Effect from "effect/Effect"
import { positive } from "../asking/flags.ts"

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
    defaultTo("The address to listen on; one that others can reach needs --any-host too", "127.0.0.1")
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
    defaultTo("The market and the faults; another seed, other prices and other mishaps", 1)
  ),
  clock: Flag.Literals("clock", ["frozen", "real", "fast"]).pipe(
    defaultTo("How time passes in the market", "real")
  ),
  at: Flag.String("at").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription(
      "When the market's time begins, in New York, such as 2026-11-20T12:00; now where it is left out"
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
    defaultTo("The plan of the account to point a client at; there is one of each", "paid")
  ),
  profile: Flag.Literals("profile", ["contract", "public"]).pipe(
    defaultTo("Which reading holds where the contract and the public service differ", "contract")
  ),
  mostInFlight: positive("max-in-flight", "10").pipe(
    Flag.withDescription(
      "How many requests of an account may be in flight before it is answered with 429; 50 as the public service, else any number"
    ),
    Flag.optional
  ),
  faults: Flag.FileParse("faults", { format: "json" }).pipe(
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

/** What these flags give. */
export type Input = Command.Command.Config.Infer<typeof flags>

/** The command; it runs until it is stopped. */
export const command = Command.make(
  "sandbox",
  flags,
  Effect.fnUntraced(function*(input) {
    const { serve } = yield* Effect.promise(() => import("../jobs/sandbox.ts"))
    return yield* serve(input)
  })
).pipe(
  Command.withDescription("Serve the simulated service on this machine, until Ctrl-C stops it"),
  Command.withExamples([
    { command: "marketdata sandbox --port 8080", description: "On a port that you know" },
    {
      command: "marketdata sandbox --clock frozen --at 2026-11-20T12:00",
      description: "The same market at every start, in the middle of a session"
    },
    { command: "marketdata sandbox --fault-rate 0.1", description: "Every tenth request goes wrong somehow" }
  ])
)

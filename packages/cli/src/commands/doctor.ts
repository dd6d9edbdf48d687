/** `marketdata doctor`: what stands between a command and its data. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"

const flags = {
  offline: Flag.Boolean("offline").pipe(
    Flag.withDescription("Look at this machine alone, and send nothing"),
    Flag.withDefault(false)
  )
}

export const command = Command.make(
  "doctor",
  flags,
  (input) => Effect.flatMap(Effect.promise(() => import("../jobs/doctor.ts")), ({ run }) => run(input))
).pipe(
  Command.withDescription(
    "Look for what stands between you and your data: settings, token, network, clock, account. It costs no credits. Exits with 1 where " +
      "something has to be mended"
  ),
  Command.withExamples([
    { command: "marketdata doctor", description: "Everything" },
    { command: "marketdata doctor --json", description: "For a report of a mistake: it holds no token" },
    { command: "marketdata doctor --offline", description: "Without a request" }
  ])
)

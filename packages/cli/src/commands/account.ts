/** `marketdata account`: what the service says of the account. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { sandboxFlags } from "../asking/flags.ts"

export const command = Command.make(
  "account",
  sandboxFlags,
  (input) => Effect.flatMap(Effect.promise(() => import("../jobs/account.ts")), ({ run }) => run(input))
).pipe(
  Command.withDescription(
    "Show the credits that are left, when they are full again, and what the account may see. It is free"
  ),
  Command.withExamples([
    { command: "marketdata account", description: "Credits and entitlement" },
    { command: "marketdata account --json", description: "As JSON" },
    { command: "marketdata account --plan free", description: "Of the free account of the embedded sandbox" }
  ])
)

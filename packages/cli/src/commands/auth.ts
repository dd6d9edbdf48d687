/** `marketdata auth`: the token of the account, kept, forgotten and looked at. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"

const job = Effect.promise(() => import("../jobs/auth.ts"))

const check = Flag.Boolean("check").pipe(
  Flag.withDescription("Ask the service whether it accepts the token, which is free; --no-check sends nothing"),
  Flag.withDefault(true)
)

const flags = {
  withToken: Flag.Boolean("with-token").pipe(
    Flag.withDescription("Read the token from standard input, as a script does"),
    Flag.withDefault(false)
  ),
  file: Flag.Boolean("file").pipe(
    Flag.withDescription("Keep the token in a file that only you can read, though this system has a keychain"),
    Flag.withDefault(false)
  ),
  check,
  // Nobody is to use it: it is there so that a token on the command line is refused without being repeated.
  token: Flag.String("token").pipe(Flag.withHidden, Flag.optional)
}

/** What the flags of `login` give. */
export type LoginInput = Command.Command.Config.Infer<typeof flags>

const login = Command.make("login", flags, (input) => Effect.flatMap(job, ({ login }) => login(input))).pipe(
  Command.withDescription(
    "Keep the token of your account: in the keychain of this system, else in a file that only you can read. It is asked for, " +
      "or read from standard input; never type it on the command line, where others can read it"
  ),
  Command.withExamples([
    { command: "marketdata auth login", description: "You are asked for the token" },
    { command: "marketdata auth login --with-token < token.txt", description: "From a file" },
    {
      command: "marketdata auth login --with-token --no-check --file < token.txt",
      description: "Without the service and without a keychain"
    }
  ])
)

const logout = Command.make("logout", {}, () => Effect.flatMap(job, ({ logout }) => logout)).pipe(
  Command.withDescription("Forget the token that `auth login` kept"),
  Command.withExamples([
    { command: "marketdata auth logout", description: "Forget it" },
    { command: "marketdata auth logout --json", description: "As JSON" },
    { command: "marketdata auth logout --format csv", description: "As CSV" }
  ])
)

const status = Command.make("status", { check }, (input) => Effect.flatMap(job, ({ status }) => status(input))).pipe(
  Command.withDescription(
    "Say whether there is a token, where it is kept, and whether the service accepts it. The token is never shown"
  ),
  Command.withExamples([
    { command: "marketdata auth status", description: "Ask the service, which is free" },
    { command: "marketdata auth status --no-check", description: "Send nothing" },
    { command: "marketdata auth status --no-check --json", description: "As JSON" }
  ])
)

export const command = Command.make("auth").pipe(
  Command.withDescription("Keep the token of your account, or forget it"),
  Command.withSubcommands([login, logout, status])
)

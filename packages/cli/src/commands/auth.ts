/** `marketdata auth`: the token of the account, kept, forgotten and looked at. It is never printed. */
import { MarketDataConfig } from "@effect-marketdata/client"
import { ForeignText } from "@effect-marketdata/core"
import { ConfigProvider, Effect, Redacted, Stdio, Stream } from "effect"
import * as Flag from "effect/cli/Flag"
import * as Prompt from "effect/cli/Prompt"
import { command } from "../call/command.ts"
import * as Connection from "../call/connection.ts"
import * as Failure from "../failure/failure.ts"
import * as Usage from "../failure/usage.ts"
import * as Document from "../output/document.ts"
import { aside, Output } from "../output/output.ts"
import * as Person from "../output/person.ts"
import { address, tokenVariable, variable, variableOf } from "../settings/settings.ts"
import * as TokenStore from "../settings/tokenStore.ts"
import * as Flags from "../text/flags.ts"
import { means } from "../text/span.ts"

/** The most chunks that are read of standard input: what is piped in by mistake may never end. */
const mostPieces = 64

/** The token from standard input, which holds nothing else. */
const piped = Effect.gen(function*() {
  const { stdin } = yield* Stdio.Stdio
  const text = Stream.mkString(Stream.decodeText(Stream.take(stdin, mostPieces)))
  return (yield* Effect.orElseSucceed(text, () => "")).trim()
})

const asked = Effect.gen(function*() {
  const { canAsk } = yield* Output
  const hidden = Prompt.Hidden({ message: "Token (it is not shown):" })
  // A token may be pasted before the prompt is there.
  if (canAsk) return Redacted.value(yield* Person.ask(hidden, "No token was kept.", Effect.undefined)).trim()
  const next = "pipe it in: `marketdata auth login --with-token < FILE`"
  return yield* Failure.wrong("NoTerminal", "there is no terminal to ask for the token on", next)
})

/** Fails where the text cannot be a token, by the rule of the client; the text is not in the message. */
const valid = Effect.fnUntraced(function*(text: string) {
  const refused = (why: string) => Failure.wrong("InvalidToken", why, "copy it from your account's page at the service")
  if (text === "") return yield* refused("there is no token")
  const rule = "it must be at most 4096 characters of printable ASCII without spaces, braces or quotes"
  const read = MarketDataConfig.fromEnvironment.parse(ConfigProvider.fromEnvRecord({ [tokenVariable]: text }))
  yield* Effect.mapError(read, () => refused(`this cannot be a token; ${rule}`))
  return Redacted.make(text)
})

/** Checks a token by asking the service. A failure other than a refusal says how to keep the token unchecked. */
const checked = (token: Redacted.Redacted) =>
  Effect.mapError(Connection.accountOf(token), (error) => {
    const failure = Failure.of(error)
    return Failure.changed(failure, {
      message: `${failure.message} The token is not kept.`,
      next: failure.class === "account"
        ? "copy the token again from your account's page at the service"
        : `${failure.next === undefined ? "" : `${failure.next}, or `}keep the token unchecked with --no-check`
    })
  })

const keptIn = (kept: TokenStore.Kept) => ({ in: kept.in, path: kept.in === "file" ? kept.path : null })

const check = Flags.isOn("check", true)(
  "Ask the service whether it accepts the token, which is free; --no-check sends nothing"
)

/** Says how to name the service for all commands, if only a variable of this shell does. */
const namedByVariable = Effect.fnUntraced(function*(service: string) {
  if ((yield* variable(variableOf("baseUrl"))) === undefined) return
  const next = `name it for all commands with \`marketdata config set baseUrl ${ForeignText.line(service)}\``
  yield* aside(`only the variable ${variableOf("baseUrl")} names this service: ${next}`)
})

/** Asks for the token, checks it, and keeps it. */
export const authLogin = command({
  examples: [
    ["", "You are asked for the token"],
    ["--with-token < token.txt", "From a file"],
    ["--with-token --no-check --file < token.txt", "Without the service and without a keychain"]
  ],
  flags: {
    withToken: Flags.isOn("with-token")("Read the token from standard input, as a script does"),
    file: Flags.isOn("file")("Keep the token in a file that only you can read, even if this system has a keychain"),
    check,
    // Hidden: it exists so that a token on the command line is refused without being printed.
    token: Flag.String("token").pipe(Flag.withHidden, Flags.optional)
  },
  run: Effect.fnUntraced(function*({ check, file, token: typed, withToken }) {
    if (typed !== undefined) return yield* Usage.tokenOnCommandLine
    const token = yield* valid(yield* withToken ? piped : asked)
    const service = yield* address
    const account = check ? yield* checked(token) : undefined
    const { kept, without } = yield* TokenStore.write({ token, service }, file ? "file" : "keychain")
    const unasked = "the service was not asked whether it accepts it"
    const told = account === undefined ? unasked : `account: ${Connection.describeAccount(account)}`
    yield* Document.print({
      json: { kept: keptIn(kept), service, checked: check, account: account ?? null },
      rows: Document.rows(["kept", "path", "service", "checked"], [[kept.in, keptIn(kept).path, service, check]]),
      lines: [`the token is kept in ${TokenStore.describe(kept)}, for ${ForeignText.line(service)} alone`, told]
    })
    if (without !== undefined) {
      yield* aside(`it is not in a keychain: ${without}. The file has mode 600: only you can read it`)
    }
    if ((yield* variable(tokenVariable)) !== undefined) {
      yield* aside(means("warning", `the variable ${tokenVariable} is set too, and counts before it`))
    }
    yield* namedByVariable(service)
  })
})

/** Forgets the kept token. */
export const authLogout = command({
  examples: [["", "Forget it"], ["--json", "As JSON"], ["--format csv", "As CSV"]],
  flags: {},
  run: Effect.fnUntraced(function*() {
    const removed = yield* TokenStore.remove
    const isSet = (yield* variable(tokenVariable)) !== undefined
    yield* Document.print({
      json: { removed: removed === undefined ? null : keptIn(removed), variable: isSet ? tokenVariable : null },
      rows: Document.rows(["removed", "path"], removed === undefined ? [] : [[removed.in, keptIn(removed).path]]),
      lines: [removed === undefined ? "no token was kept" : `the token is no longer in ${TokenStore.describe(removed)}`]
    })
    if (isSet) {
      yield* aside(means("warning", `the variable ${tokenVariable} is still set: commands still use its token`))
    }
  })
})

/** Says where the token comes from, and what the service says of it. */
export const authStatus = command({
  examples: [["", "Ask the service, which is free"], ["--no-check", "Send nothing"], ["--no-check --json", "As JSON"]],
  flags: { check },
  run: Effect.fnUntraced(function*({ check }) {
    const fromVariable = (yield* variable(tokenVariable)) !== undefined
    const kept = yield* TokenStore.kept
    if (!fromVariable && kept === undefined) {
      const next = "log in with `marketdata auth login`, or set MARKETDATA_TOKEN"
      return yield* Failure.notAllowed("NoToken", "there is no token", next)
    }
    // Reads the kept token, and fails if it cannot be read, before it is said to be there.
    const found = fromVariable ? undefined : yield* TokenStore.read
    const where = fromVariable ? `the variable ${tokenVariable}` : TokenStore.describe(kept!)
    const account = check ? yield* Connection.ownAccount : undefined
    const service = check ? String((yield* MarketDataConfig.fromEnvironment).baseUrl) : undefined
    yield* Document.print({
      json: {
        token: fromVariable ? { in: "variable", path: null } : keptIn(kept!),
        kept: kept === undefined ? null : keptIn(kept),
        for: found?.service ?? null,
        service: service ?? null,
        account: account ?? null
      },
      rows: Document.records(["token", "service", "creditsRemaining", "creditsLimit", "optionsData"], [
        { ...account, token: fromVariable ? "variable" : kept!.in, service }
      ]),
      lines: [
        `the token is in ${where}${found === undefined ? "" : `, for ${ForeignText.line(found.service)} alone`}`,
        ...fromVariable && kept !== undefined
          ? [`another one is kept in ${TokenStore.describe(kept)}, and is not used`]
          : [],
        ...account === undefined || service === undefined
          ? ["the service was not asked"]
          : [`accepted by ${ForeignText.line(service)}`, `account: ${Connection.describeAccount(account)}`]
      ]
    })
  })
})

/**
 * `marketdata doctor`: checks what a command depends on, in order: this machine, the connection to the service, its clock, the account. It sends free queries
 * only, with an allowance of 0, and shows no token.
 */
import { MarketData, MarketDataConfig, RetryPolicy } from "@effect-marketdata/client"
import { ForeignText, HttpRequest, ServiceStatus } from "@effect-marketdata/core"
import { Clock, ConfigProvider, Effect, Result } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import { lookup } from "node:dns/promises"
import { connect, isIP, type Socket } from "node:net"
import { connect as connectSafely } from "node:tls"
import { command } from "../call/command.ts"
import * as Connection from "../call/connection.ts"
import * as Http from "../call/http.ts"
import * as Kept from "../call/kept.ts"
import * as Ledger from "../call/ledger.ts"
import * as Failure from "../failure/failure.ts"
import * as Document from "../output/document.ts"
import * as ConfigFile from "../settings/configFile.ts"
import * as Settings from "../settings/settings.ts"
import * as TokenStore from "../settings/tokenStore.ts"
import * as Flags from "../text/flags.ts"
import { type Line, means } from "../text/span.ts"
import { version } from "../text/version.ts"
import * as Words from "../text/words.ts"
import { effective } from "./config.ts"

const meanings = { ok: "good", warning: "warning", problem: "bad", skipped: "aside" } as const

type State = keyof typeof meanings

/** Makes one check and its result; `next` says what to do. */
const inState = (state: State) => (check: string, found: string, next?: string) => ({ check, state, found, next })

type Check = ReturnType<ReturnType<typeof inState>>

const ok = inState("ok")
const warning = inState("warning")
const problem = inState("problem")
const skipped = inState("skipped")

const failed = (check: string, error: Failure.Tagged): Check => {
  const { message, next } = Failure.of(error)
  return problem(check, ForeignText.line(message, 500), next?.includes("`marketdata doctor`") ? undefined : next)
}

/** Makes an error the result of a check. */
const orFailed = (check: string) => Effect.catch((error: Failure.Tagged) => Effect.succeed(failed(check, error)))

const { arch, platform, versions } = process

const ofProgram = ok("version", `marketdata ${version}, Node ${versions.node}, ${platform} ${arch}`)

/** The file of settings, and every value that is set. */
const ofSettings = Effect.gen(function*() {
  const { file, settings } = yield* effective
  const path = ForeignText.line(file.path ?? "nowhere")
  const next = "fix the file: commands that need settings fail until then"
  return [
    ...file.troubles.map((trouble) => problem("settings", ConfigFile.formatTrouble(path, trouble), next)),
    ...file.troubles.length > 0 ? [] : [ok("settings", file.exists ? path : `${path} (there is none yet)`)],
    ...settings.flatMap(({ name, place, problem: wrong, source, value }) => {
      // What is wrong in the file was told with it.
      if (wrong !== undefined && source === "file") return []
      if (wrong !== undefined) return [problem(name, `${place}: ${wrong}`, "change or unset it")]
      return value === undefined ? [] : [ok(name, `${ForeignText.line(value, 100)}, from ${place}`)]
    })
  ]
})

/** Whether there is a token, and where. */
const ofToken = Effect.gen(function*() {
  const set = yield* Settings.variable(Settings.tokenVariable)
  if (set !== undefined) {
    yield* MarketDataConfig.fromEnvironment.parse(ConfigProvider.fromEnvRecord({ [Settings.tokenVariable]: set }))
    return ok("token", `there is one, in the variable ${Settings.tokenVariable}`)
  }
  const found = yield* TokenStore.readFor(Settings.address)
  return found === undefined
    ? warning("token", "there is none", "log in with `marketdata auth login`")
    : ok("token", `there is one, in ${TokenStore.describe(found.kept)}`)
}).pipe(orFailed("token"))

const patience = "10 seconds"

const tooLate = Effect.fail(`no answer within ${patience}`)

const why = (error: unknown): string => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return ForeignText.line(typeof code === "string" && code !== "" ? code : String(message), 120)
}

/** A stage of a connection: what it found and how long that took, or why it failed and what to do. */
const stage = (check: string, attempt: Effect.Effect<string, string>, undone: string, next: string) =>
  Effect.gen(function*() {
    const start = yield* Clock.currentTimeMillis
    const found = yield* Effect.timeoutOrElse(attempt, { duration: patience, orElse: () => tooLate })
    return ok(check, `${found} (${(yield* Clock.currentTimeMillis) - start} ms)`)
  }).pipe(Effect.catch((why) => Effect.succeed(problem(check, `${undone}: ${why}`, next))))

/** Finds the address of a name. */
const resolve = (host: string) =>
  Effect.tryPromise({ try: async () => `${ForeignText.line(host)} is ${(await lookup(host)).address}`, catch: why })

/** Opens a connection, reads something of it, and closes it. */
const opened = <Opened extends Socket>(start: (ready: () => void) => Opened, read: (socket: Opened) => string) =>
  Effect.callback<string, string>((resume) => {
    const socket = start(() => {
      const found = read(socket)
      socket.destroy()
      resume(Effect.succeed(found))
    })
    socket.on("error", (error) => resume(Effect.fail(why(error))))
    return Effect.sync(() => socket.destroy())
  })

/** Opens a port. */
const open = (host: string, port: number) =>
  opened((ready) => connect({ host, port }, ready), () => `port ${port} answers`)

/** Opens a port with TLS, which checks the certificate. */
const encrypt = (host: string, port: number) =>
  opened((ready) => connectSafely({ host, port, servername: isIP(host) === 0 ? host : "" }, ready), (socket) => {
    const until = socket.getPeerCertificate().valid_to ?? "an unknown day"
    return ForeignText.line(`${socket.getProtocol() ?? "TLS"}, certificate valid until ${until}`, 120)
  })

/** The stages of a connection, each once the one before has succeeded. */
const ofConnection = Effect.fnUntraced(function*(baseUrl: URL) {
  const host = baseUrl.hostname.replace(/^\[|\]$/g, "")
  const isEncrypted = baseUrl.protocol === "https:"
  const port = Number(baseUrl.port) || (isEncrypted ? 443 : 80)
  const proxy = (yield* Settings.variable("HTTPS_PROXY")) ?? (yield* Settings.variable("https_proxy"))
  // The proxy finds the name and opens the port: this machine may be able to do neither.
  const isProxied = isEncrypted && proxy !== undefined && (yield* Settings.variable("NODE_USE_ENV_PROXY")) === "1"
  if (isProxied) return [ok("proxy", "https goes over the one in HTTPS_PROXY")]
  const unnamed = proxy === undefined
    ? "check the network and MARKETDATA_BASE_URL"
    : "HTTPS_PROXY is set, and Node uses it with NODE_USE_ENV_PROXY=1 only"
  const closed = "check the network, a firewall, MARKETDATA_BASE_URL"
  const unsafe = "check the clock of this machine, and whether a proxy reads the connection"
  const stages = [
    stage("name", resolve(host), `${ForeignText.line(host)} has no address`, unnamed),
    stage("port", open(host, port), `port ${port} does not answer`, closed),
    ...isEncrypted ? [stage("encryption", encrypt(host, port), "no encrypted connection", unsafe)] : []
  ]
  const checks: Array<Check> = []
  for (const stage of stages) {
    if (checks.at(-1)?.state !== "problem") checks.push(yield* stage)
  }
  return checks
})

/**
 * By how many milliseconds the clock here is ahead of the service's, by the Date header of a reply, which counts whole seconds; 0 where both may be the same,
 * undefined where there is no header.
 */
const skewOf = (header = "", sent: number, received: number): number | undefined => {
  const date = Date.parse(header)
  if (Number.isNaN(date)) return undefined
  return received < date ? received - date : sent > date + 1000 ? sent - date - 1000 : 0
}

const ofClock = (skew: number | undefined, baseUrl: string): Check => {
  if (skew === undefined) return skipped("clock", "the service does not say what time it is")
  const seconds = Math.round(Math.abs(skew) / 1000)
  if (seconds <= 5) return ok("clock", "the same as the service's")
  const where = skew > 0 ? "ahead of" : "behind"
  const found = `${Words.age(seconds)} ${where} the service's: ages of data are wrong by as much`
  if (Settings.isHere(baseUrl)) {
    return warning("clock", found, "it runs on this machine, so its clock was set: a sandbox has --clock real")
  }
  return (seconds <= 60 ? warning : problem)("clock", found, "set the clock of this machine by the network")
}

/** The page of the service's own state. */
const ofStatus = (milliseconds: number, table: ServiceStatus.ServiceStatus): Check => {
  const rows = Array.from({ length: table.length }, (_, index) => table.at(index))
  const down = rows.filter(({ online }) => online === false)
  const named = down.slice(0, 5).map(({ service, status }) =>
    ForeignText.line(`${service ?? "a part"} is ${status ?? "not online"}`, 80)
  )
  if (down.length === 0) return ok("service", `${Words.count(rows.length, "part")} online (${milliseconds} ms)`)
  const found = `${down.length} of ${rows.length} parts are not online: ${named.join(", ")}`
  return warning("service", found, "try again later")
}

/** Asks the service what is free: its state without a token, the account with one. */
const ofService = Effect.fnUntraced(function*({ options }: Connection.Connection["Service"]) {
  let skew: number | undefined
  const sent = yield* Clock.currentTimeMillis
  const transformClient = HttpClient.tap(({ headers }) =>
    Effect.map(Clock.currentTimeMillis, (received) => void (skew ??= skewOf(headers["date"], sent, received)))
  )
  const asked = Effect.gen(function*() {
    const status = yield* Effect.result(MarketData.run(ServiceStatus.query))
    const milliseconds = (yield* Clock.currentTimeMillis) - sent
    const isDown = Result.isFailure(status)
    const service = isDown ? failed("service", status.failure) : ofStatus(milliseconds, status.success.data)
    const known = Effect.map(Connection.account, (account) => ok("account", Connection.describeAccount(account)))
    const unknown = skipped("account", "without a token the service knows no account")
    const account = options.token === undefined ? unknown : yield* known.pipe(orFailed("account"))
    return [service, ofClock(skew, options.baseUrl ?? ""), account]
  })
  return yield* asked.pipe(
    Effect.provide(MarketData.layer({ ...options, transformClient })),
    Effect.provide([Http.layer, Connection.noCredits, RetryPolicy.layer({ attempts: 1, deadline: 15_000 })])
  )
})

/** Checks the cache or the ledger. */
const inPlace = <E extends Failure.Tagged, R>(
  name: Kept.Name,
  service: Settings.Service,
  look: (path: string) => Effect.Effect<string | undefined, E, R>
) =>
  Effect.gen(function*() {
    const place = yield* Kept.where(name, service)
    if (place.path === undefined) return skipped(name, place.why)
    const found = yield* look(place.path)
    const [trouble] = yield* Kept.Troubles
    const what = name === "cache" ? "folder" : "file"
    return found === undefined || trouble !== undefined
      ? warning(name, trouble ?? "", `name another ${what} with \`marketdata config set ${name} PATH\`, or off`)
      : ok(name, found)
  }).pipe(
    Effect.scoped,
    Effect.provide(Kept.Troubles.layer),
    orFailed(name)
  )

/** What commands keep on this machine of the service that the settings name: its replies, and what they spend. */
const ofKept = Effect.flatMap(Connection.asked, (service) =>
  Effect.all([
    inPlace("cache", service, (path) =>
      Effect.map(Effect.andThen(Connection.checkCache(service), Connection.cacheBytes), (most) =>
        `${ForeignText.line(path)}: at most ${Words.bytes(most)}`)),
    inPlace("ledger", service, () =>
      Effect.map(Ledger.read(service), (read) =>
        read && `${ForeignText.line(read.file)}: ${Ledger.describe(read)}`))
  ])).pipe(
    // Failures of settings and token are shown by their own checks.
    Effect.orElseSucceed(() =>
      ["cache", "ledger"].map((check) => skipped(check, "the settings do not say which service it is of"))
    )
  )

/** The way to the service, and what it says. */
const ofNetwork = Effect.gen(function*() {
  const target = yield* Connection.Connection
  const base = Result.getOrThrow(HttpRequest.parseBaseUrl(target.options.baseUrl ?? ""))
  const stages = yield* ofConnection(new URL(base.origin))
  return [
    ok("address", target.description.replace(/^service: /, "")),
    ...stages,
    ...stages.some(({ state }) => state === "problem")
      ? ["service", "clock", "account"].map((check) => skipped(check, "the service was not asked"))
      : yield* ofService(target)
  ]
}).pipe(
  Effect.provide(Connection.layer({ seed: 1, plan: "paid" })),
  Effect.catch((error) => Effect.succeed([failed("address", error)]))
)

const linesOf = (checks: ReadonlyArray<Check>): ReadonlyArray<Line> => {
  const width = Math.max(...checks.map(({ check }) => check.length)) + 2
  return checks.flatMap(({ check, found, next, state }): ReadonlyArray<Line> => [
    [means(meanings[state], state.padEnd(9)), `${check.padEnd(width)}${found}`],
    ...next === undefined ? [] : [`${" ".repeat(9 + width)}${next}`]
  ])
}

/** Prints how every condition is, and fails where something has to be mended. */
export const doctor = command({
  examples: [
    ["", "Everything"],
    ["--json", "For a report of a mistake: it holds no token"],
    ["--offline", "Without a request"]
  ],
  flags: { offline: Flags.isOn("offline")("Look at this machine alone, and send nothing") },
  run: Effect.fnUntraced(function*({ offline }) {
    const checks = [
      ofProgram,
      ...yield* ofSettings,
      yield* ofToken,
      ...yield* ofKept,
      ...offline ? [skipped("service", "--offline: nothing was sent")] : yield* ofNetwork
    ]
    const count = (state: State) => checks.filter((check) => check.state === state).length
    const problems = count("problem")
    const found = Words.count(problems, "problem")
    const told = checks.map(({ next = null, ...check }) => ({ ...check, next }))
    const cost = offline ? "nothing was sent" : "it cost 0 credits"
    const sum = `${found}, ${Words.count(count("warning"), "warning")}; ${cost}`
    yield* Document.print({
      json: { checks: told, problems, warnings: count("warning"), credits: 0 },
      rows: Document.records(["check", "state", "found", "next"], checks),
      lines: [...linesOf(checks), "", sum]
    })
    if (problems > 0) {
      const first = checks.find(({ state }) => state === "problem")!
      return yield* Failure.failed("Unwell", `${found}, first: ${first.check}`, first.next)
    }
  })
})

/** `marketdata doctor` and `marketdata account`: what a user is told of the way to the data. */
import { assert, it } from "@effect/vitest"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as HostileServer from "./support/hostileServer.ts"
import { atNoon, noon } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const folder = Started.folder()
const baseUrl = await Started.sandbox(noon)
const server = await HostileServer.start()

type Check = Readonly<Record<"check" | "state" | "found", string> & { next: string | null }>

/** What doctor finds, by check. */
const examine = async (variables: Readonly<Record<string, string>>, line = "doctor --json") => {
  const { code, errors, out } = await atNoon(line.split(" "), { variables: { MARKETDATA_HOME: folder, ...variables } })
  const { checks, credits } = JSON.parse(out) as { checks: ReadonlyArray<Check>; credits: number }
  assert.strictEqual(credits, 0)
  return { code, errors, out, of: (name: string) => checks.find(({ check }) => check === name) }
}

const status = JSON.stringify({
  s: "ok",
  service: ["/v1/options/chain/", "/v1/stocks/quotes/"],
  status: ["offline", "online"],
  online: [false, true],
  uptimePct30d: [0.9, 1],
  uptimePct90d: [0.9, 1],
  updated: [1_795_357_800, 1_795_357_800]
})

it("finds a service that answers and a token that it accepts, for nothing", async () => {
  const variables = { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-free" }
  const { code, errors, of, out } = await examine({ ...variables, MARKETDATA_MODE: "cached" })
  assert.deepStrictEqual([code, errors], [0, ""])
  assert.deepInclude(of("mode"), { state: "ok", found: "cached, from MARKETDATA_MODE" })
  assert.deepInclude(of("token"), { state: "ok", found: "there is one, in the variable MARKETDATA_TOKEN" })
  for (const name of ["name", "port", "clock"]) assert.deepInclude(of(name), { state: "ok" })
  assert.match(of("service")!.found, /^\d+ parts online \(\d+ ms\)$/)
  assert.match(of("account")!.found, /credits left; OPRA data delayed 15 minutes$/)
  assert.notInclude(out, "sandbox-free")
  const { out: account } = await atNoon(["account", "--json"], { variables })
  assert.strictEqual(JSON.parse(account).account.creditsRemaining, JSON.parse(account).account.creditsLimit)
})

it("looks at the embedded sandbox where no service is named, and says that there is no token", async () => {
  const { code, of } = await examine({})
  assert.strictEqual(code, 0)
  assert.deepInclude(of("token"), { state: "warning", next: "log in with `marketdata auth login`" })
  assert.match(of("address")!.found, /^the embedded sandbox at /)
  assert.deepInclude(of("service"), { state: "ok" })
})

it("names the stage that fails, says what to do, and skips what comes after it", async () => {
  const { code, errors, of } = await examine({
    MARKETDATA_BASE_URL: "http://127.0.0.1:9",
    MARKETDATA_TOKEN: "some-token"
  })
  assert.strictEqual(code, 1)
  assert.deepInclude(of("name"), { state: "ok" })
  assert.deepInclude(of("port"), { state: "problem", found: "port 9 does not answer: ECONNREFUSED" })
  for (const later of ["service", "clock", "account"]) assert.deepInclude(of(later), { state: "skipped" })
  assert.deepInclude(JSON.parse(errors).error, { code: 1, class: "failed", message: "1 problem, first: port" })
})

it("says that a port does not speak TLS", async () => {
  const { code, of } = await examine({ MARKETDATA_BASE_URL: server.baseUrl.replace("http:", "https:") })
  assert.strictEqual(code, 1)
  assert.deepInclude(of("encryption"), { state: "problem" })
  assert.match(of("encryption")!.found, /^no encrypted connection: /)
})

it("leaves the way to a proxy that Node takes, and asks the service over it", async () => {
  const credentials = "user:word"
  const proxy = { HTTPS_PROXY: `http://${credentials}@proxy.test`, NODE_USE_ENV_PROXY: "1" }
  const { of } = await examine({ MARKETDATA_BASE_URL: server.baseUrl.replace("http:", "https:"), ...proxy })
  const states = ["proxy", "name", "encryption", "service"].map((name) => of(name)?.state)
  assert.deepStrictEqual(states, ["ok", undefined, undefined, "problem"])
  // What to do next is not to run the command that says so.
  assert.isNull(of("service")!.next)
})

it("says by how much the clock is wrong, and which parts of the service are down", async () => {
  const states = [[0, "ok"], [-30, "warning"], [30, "warning"], [600, "problem"], [-600, "problem"]] as const
  for (const [skew, state] of states) {
    server.answer({ status: 200, body: status, headers: { date: new Date((noon + skew) * 1000).toUTCString() } })
    // The same server under an address that is not known to be of this machine.
    const elsewhere = server.baseUrl.replace("127.0.0.1", "[::ffff:127.0.0.1]")
    const { code, of } = await examine({ MARKETDATA_BASE_URL: elsewhere })
    assert.deepStrictEqual([of("clock")!.state, code], [state, state === "problem" ? 1 : 0])
    if (state !== "ok") assert.match(of("clock")!.found, skew > 0 ? / behind the service's/ : / ahead of the service's/)
    assert.deepInclude(of("service"), {
      state: "warning",
      found: "1 of 2 parts are not online: /v1/options/chain/ is offline"
    })
  }
})

it("takes the clock of a service on this machine for one that was set, as a frozen sandbox's is", async () => {
  server.answer({ status: 200, body: status, headers: { date: new Date((noon - 345_600) * 1000).toUTCString() } })
  const { code, of } = await examine({ MARKETDATA_BASE_URL: server.baseUrl })
  assert.strictEqual(code, 0)
  assert.deepInclude(of("clock"), {
    state: "warning",
    next: "it runs on this machine, so its clock was set: a sandbox has --clock real"
  })
})

it("shows what is wrong with the settings and the token, and goes on", async () => {
  writeFileSync(join(folder, "config.yaml"), "mod: live\n")
  try {
    const { code, of } = await examine({ MARKETDATA_RETRIES: "many" })
    assert.strictEqual(code, 1)
    assert.match(of("settings")!.found, /config\.yaml:1:1: there is no setting "mod"; did you mean mode\?$/)
    assert.match(of("retries")!.found, /^MARKETDATA_RETRIES: retries "many" must be 0 or a positive number/)
    assert.deepInclude(of("address"), { state: "problem" })
  } finally {
    rmSync(join(folder, "config.yaml"))
  }
})

it("says of a token that the service refuses what to do, and shows it nowhere", async () => {
  const { code, errors, of, out } = await examine({ MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "c3VwZXJzZWNyZXQ" })
  assert.strictEqual(code, 1)
  assert.deepInclude(of("account"), { state: "problem", next: "log in with `marketdata auth login`" })
  assert.notInclude(out + errors, "c3VwZXJzZWNyZXQ")
})

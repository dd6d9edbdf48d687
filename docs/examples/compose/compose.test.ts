/**
 * Does what compose.yaml says, without Docker: the same commands with the same environment, as processes of this machine. Each service has a loopback
 * address in place of its name. DATABASE is the URL of a PostgreSQL server; MARKETDATA_TOKEN and MARKETDATA_BASE_URL lead to a sandbox.
 */
import assert from "node:assert/strict"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { parse } from "yaml"

interface Service {
  readonly command?: ReadonlyArray<string>
  readonly healthcheck?: { readonly test: ReadonlyArray<string> }
  readonly environment: Readonly<Record<string, string>>
}

assert.ok(process.env["DATABASE"], "DATABASE must be the URL of a PostgreSQL server")
const folder = import.meta.dirname
const secret = "a secret of this test alone"
const { stdout: credential } = spawnSync(process.execPath, [join(folder, "credential.ts"), "desk"], {
  encoding: "utf8",
  env: { ...process.env, GATEWAY_SECRET: secret }
})
const given: NodeJS.ProcessEnv = { ...process.env, GATEWAY_SECRET: secret, GATEWAY_CREDENTIAL: credential.trim() }

/** What compose makes of a value: `${NAME:-otherwise}` and `${NAME:?what to do}`. */
const filled = (value: string): string =>
  value.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, sign: string, rest: string) => {
    const found = given[name] ?? (sign === "-" ? rest : undefined)
    assert.ok(found !== undefined, `${name}: ${rest}`)
    return found
  })

const { services }: { readonly services: Readonly<Record<string, Service>> } = parse(
  readFileSync(join(folder, "compose.yaml"), "utf8"),
  { merge: true }
)
const hosts = Object.keys(services).map((name, index) => [name, `127.0.0.${index + 2}`] as const)

const environmentOf = ({ environment }: Service) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      if (name === "DATABASE_URL") return [name, given["DATABASE"]]
      return [name, name === "HOST" ? new Map(hosts).get(value) : filled(value)]
    })
  )

/** Starts a service, or another command in its place. Who does not read what it says must not have it waiting: it would never close. */
const start = (name: string, command = services[name]?.command, out: "ignore" | "pipe" = "ignore"): ChildProcess => {
  const { [name]: service } = services
  assert.ok(service !== undefined && command?.[0] === "node")
  return spawn(process.execPath, command.slice(1), {
    cwd: folder,
    // Nothing of this machine's environment goes along, as in a container.
    env: { PATH: process.env["PATH"], ...environmentOf(service) },
    stdio: ["ignore", out, "inherit"]
  })
}

/** Waits until a service is healthy, as its dependents do. */
const healthy = async (name: string): Promise<void> => {
  const [code] = await once(start(name, services[name]?.healthcheck?.test.slice(1)), "close")
  if (code !== 0) await healthy(name)
}

/** What a service says before it ends. */
const ending = async (name: string): Promise<string> => {
  const child = start(name, undefined, "pipe")
  const [said, [code]] = await Promise.all([Array.fromAsync(child.stdout ?? []), once(child, "close")])
  assert.equal(code, 0, said.join(""))
  return said.join("")
}

await test("a caller is answered, and again after a runner was killed", async () => {
  const runners = ["one", "two"].map((name) => start(name))
  try {
    await Promise.all([healthy("one"), healthy("two")])
    assert.match(await ending("caller"), /^20 contracts, credits: 1$/m)
    runners[0]?.kill("SIGKILL")
    assert.match(await ending("caller"), /^20 contracts, credits: 1$/m)
  } finally {
    for (const runner of runners) runner.kill("SIGKILL")
  }
})

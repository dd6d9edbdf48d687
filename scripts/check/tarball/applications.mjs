/**
 * Runs example applications, one after the other, against the sandbox on a port of this machine. Called in the folder of the application as
 * `node applications.mjs FILE…`; prints a line for each that fails. A test is run as one. Their collector is a port where nobody listens: an application runs without one.
 */
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import * as SandboxServer from "@effect-marketdata/sandbox/SandboxServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { spawn } from "node:child_process"

const run = (file, env) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...file.endsWith(".test.ts") ? ["--test"] : [], file], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let said = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text))
    child.on("close", (code) => resolve(code === 0 ? undefined : `${file} ends with ${code}: ${said.slice(-1000)}`))
  })

const program = Effect.gen(function*() {
  const { baseUrl } = yield* SandboxServer.SandboxServer
  const env = {
    MARKETDATA_BASE_URL: baseUrl,
    MARKETDATA_TOKEN: "sandbox-paid",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9"
  }
  for (const file of process.argv.slice(2)) {
    const wrong = yield* Effect.promise(() => run(file, env))
    if (wrong !== undefined) console.log(wrong)
  }
})
await Effect.runPromise(Effect.provide(program, Layer.provide(SandboxServer.layer(), Sandbox.layer())))

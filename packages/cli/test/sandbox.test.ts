import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer } from "effect"
import * as TestConsole from "effect/testing/TestConsole"
import * as Http from "node:http"
import { assert, it } from "../../core/test/support/it.ts"
import * as Main from "../src/Main.ts"
import { marketdata, turn } from "./support/printed.ts"

/** What the sandbox of a command line announces, and what it answers to a request for a target. */
const sandbox = (command: string) =>
  Effect.gen(function*() {
    const services = yield* Layer.build(NodeServices.layer)
    const before = (yield* TestConsole.logLines).length
    yield* Effect.forkScoped(Main.run(`sandbox ${command}`.trim().split(" ")).pipe(Effect.provide(services)))
    let out = ""
    while (!out.includes("http:")) {
      yield* turn
      out = (yield* TestConsole.logLines).slice(before).join("\n")
    }
    const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? ""
    const ask = (target: string) =>
      Effect.promise(async () => {
        const response = await fetch(baseUrl + target, { headers: { authorization: "Bearer sandbox-paid" } })
        return { status: response.status, headers: response.headers, body: await response.text() }
      })
    return { out, ask }
  })

const chain = "/v1/options/chain/AAPL/?mode=live&columns=strike,updated"

it.effect("serves, and says where, when and how to point a client at it", function*() {
  const { ask, out } = yield* sandbox("--clock frozen --at 2026-11-20T12:00 --plan free --seed 7")
  assert.match(out, /listens on http:\/\/127\.0\.0\.1:\d+ \(synthetic data, seed 7, contract profile\)/)
  assert.include(out, "its time is 2026-11-20 12:00:00 EST, and stands still")
  assert.match(out, /MARKETDATA_BASE_URL=http:\S+ MARKETDATA_TOKEN=sandbox-free marketdata chain SPX/)
  const { headers, status } = yield* ask(chain)
  assert.include([200, 203], status)
  assert.strictEqual(headers.get("date"), "Fri, 20 Nov 2026 17:00:00 GMT")
})

it.effect("says how fast its time passes", function*() {
  const { out } = yield* sandbox("--clock fast --at 2026-11-20 --speed 10")
  assert.include(out, "its time is 2026-11-20 00:00:00 EST, and passes 10 times as fast")
})

it.effect("reads the contract or the public service, as it is told", function*() {
  const { ask, out } = yield* sandbox("--profile public --clock frozen --at 2026-11-20T12:00")
  assert.include(out, "public profile")
  // The public service leaves the status out where columns are chosen.
  assert.notInclude((yield* ask(chain)).body, `"s":"ok"`)
})

it.effect("suffers the faults of a file", function*() {
  const files = yield* FileSystem.FileSystem
  const file = yield* files.makeTempFileScoped({ suffix: ".json" })
  yield* files.writeFileString(file, `[{"count":1,"kind":{"_tag":"Status","status":502}}]`)
  const { ask } = yield* sandbox(`--faults ${file}`)
  assert.deepStrictEqual([(yield* ask("/v1/nowhere")).status, (yield* ask("/v1/nowhere")).status], [502, 404])
}, NodeServices.layer)

it.effect("says what is wrong with a file of faults", function*() {
  const files = yield* FileSystem.FileSystem
  const file = yield* files.makeTempFileScoped({ suffix: ".json" })
  for (const text of [`[{"count":1}]`, "{", `[{"kind":{"_tag":"Earthquake"}}]`]) {
    yield* files.writeFileString(file, text)
    const { code, errors, out } = yield* marketdata(`sandbox --faults ${file}`)
    assert.deepStrictEqual([code, out], [2, ""])
    assert.match(errors, /^error: [^\n]*faults[^\n]*(\n {7}[^\n]+)?$/)
  }
}, NodeServices.layer)

it.effect("says as JSON or CSV where it is, for a script", function*() {
  const frozen = "--clock frozen --at 2026-11-20T12:00"
  const told: unknown = JSON.parse((yield* sandbox(`${frozen} --json`)).out)
  const known = { token: "sandbox-paid", seed: 1, profile: "contract", plan: "paid", pace: "frozen" }
  assert.deepInclude(told, { version: 1, ...known, time: "2026-11-20 12:00:00 EST" })
  const { out } = yield* sandbox(`${frozen} --format csv`)
  assert.match(out, /^baseUrl,token,seed,profile,plan,time,pace\nhttp:\S+,sandbox-paid,1,contract,paid,2026[^\n]*$/)
})

it.effect("suffers faults by chance", function*() {
  const { ask } = yield* sandbox("--fault-rate 0.5")
  const { faults } = JSON.parse((yield* ask("/sandbox/faults")).body)
  assert.isAbove(faults.length, 10)
})

it.effect("answers to its own names, and to those that it is told", function*() {
  const { out } = yield* sandbox("--allowed-host sandbox --allowed-host box.test")
  const { port } = new URL(/http:\/\/\S+/.exec(out)?.[0] ?? "")
  const statusFor = (host: string) =>
    Effect.callback<number | undefined>((resume) => {
      Http.get({ port, host: "127.0.0.1", headers: { host } }, (response) => {
        response.resume()
        resume(Effect.succeed(response.statusCode))
      })
    })
  for (const host of ["sandbox", "box.test:80", "localhost"]) assert.strictEqual(yield* statusFor(host), 200, host)
  assert.strictEqual(yield* statusFor("other.test"), 421)
})

/** `marketdata auth`: where the token is kept, who may read it, and that nobody sees it. */
import * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { Context, Effect, Option, Redacted } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { publicAddress } from "../src/settings/settings.ts"
import { Keychain } from "../src/settings/tokenStore.ts"
import { type Place, printed } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const token = "sandbox-paid"
const folder = Started.folder()
const kept = join(folder, "auth", "token")
const baseUrl = await Started.sandbox()

beforeEach(() => rmSync(folder, { recursive: true, force: true }))

/** A keychain in memory. */
const keychain = () => {
  const secrets = new Map<string, string>()
  const services = Context.make(Keychain, {
    read: (account) =>
      Effect.sync(() => Option.getOrUndefined(Option.map(Option.fromUndefinedOr(secrets.get(account)), Redacted.make))),
    write: (account, secret) => Effect.sync(() => void secrets.set(account, Redacted.value(secret))),
    remove: (account) => Effect.sync(() => void secrets.delete(account))
  })
  return { secrets, services }
}

const noKeychain = Started.noKeychain("this system has no keychain that can be used")

const run = (line: string, place: Place = {}) =>
  printed(line.split(" "), {
    input: "",
    services: noKeychain,
    ...place,
    variables: { MARKETDATA_HOME: folder, MARKETDATA_BASE_URL: baseUrl, ...place.variables }
  })

const login = (line = "auth login --with-token", options: Parameters<typeof run>[1] = {}) =>
  run(line, { input: `${token}\n`, ...options })

const namedByVariable = "only the variable MARKETDATA_BASE_URL names this service: name it for all commands with " +
  `\`marketdata config set baseUrl ${baseUrl}\``

describe("auth login", () => {
  it("keeps the token in the keychain, and commands use it from there", async () => {
    const { secrets, services } = keychain()
    const { code, errors, out } = await login(undefined, { services })
    assert.deepStrictEqual([errors, code], [namedByVariable, 0])
    assert.match(
      out,
      /^the token is kept in the keychain of this system, for http:\/\/127\.0\.0\.1:\d+ alone\naccount: 1,000,000 of 1,000,000 credits left/
    )
    assert.deepStrictEqual([...secrets.values()], [`${token}\n${baseUrl}\n`])
    assert.isFalse(existsSync(kept))
    const { out: description } = await run("auth status", { services })
    assert.include(
      description,
      `the token is in the keychain of this system, for ${baseUrl} alone\naccepted by http://127.0.0.1`
    )
  })

  it("says where there is no keychain, and keeps the token in a file that only its user can read, also where its folder was open", async () => {
    mkdirSync(join(folder, "auth"), { recursive: true })
    chmodSync(join(folder, "auth"), 0o777)
    const { code, errors, out } = await login()
    assert.strictEqual(code, 0)
    assert.include(out, `the token is kept in the file ${kept}`)
    assert.strictEqual(
      errors,
      "it is not in a keychain: this system has no keychain that can be used. The file has mode 600: only you can read it\n" +
        namedByVariable
    )
    assert.deepStrictEqual([statSync(kept).mode & 0o777, statSync(join(folder, "auth")).mode & 0o777], [0o600, 0o700])
    assert.deepStrictEqual(readdirSync(join(folder, "auth")), ["token"])
    assert.strictEqual((await run("auth status")).code, 0)
  })

  it("keeps it in one place only: a file after the keychain, and the keychain after a file", async () => {
    const { secrets, services } = keychain()
    await login("auth login --with-token --file", { services })
    assert.isTrue(existsSync(kept))
    assert.strictEqual(secrets.size, 0)
    await login(undefined, { services })
    assert.isFalse(existsSync(kept))
    assert.strictEqual(secrets.size, 1)
    await login("auth login --with-token --file", { services })
    assert.isTrue(existsSync(kept))
    assert.strictEqual(secrets.size, 0)
  })

  it("does not keep a token that the service refuses", async () => {
    const { code, errors } = await login(undefined, { input: "wr0ng-t0ken-wr0ng" })
    assert.strictEqual(code, 6)
    assert.match(errors, /did not accept the token .* The token is not kept\.\n +copy the token again/)
    assert.isFalse(existsSync(kept))
  })

  it("keeps an unchecked token with --no-check alone, whatever the settings say", async () => {
    const away = { MARKETDATA_BASE_URL: "http://127.0.0.1:9" }
    const refused = await login(undefined, { variables: away })
    assert.strictEqual(refused.code, 7)
    assert.match(refused.errors, /keep the token unchecked with --no-check/)
    assert.isFalse(existsSync(kept))
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "config.yaml"), "mode: [")
    const { code, out } = await login("auth login --with-token --no-check", { variables: away })
    assert.strictEqual(code, 0)
    assert.include(out, "the service was not asked whether it accepts it")
    assert.strictEqual(readFileSync(kept, "utf8"), `${token}\nhttp://127.0.0.1:9\n`)
  })

  it("refuses what cannot be a token, without showing it", async () => {
    for (const input of ["", "two words", "{token}", "\u001b[31mred", "x".repeat(10) + "\u0000"]) {
      const { code, errors } = await run("auth login --with-token", { input })
      assert.strictEqual(code, 2)
      assert.match(
        errors,
        /^error: (?:there is no token|this cannot be a token; it must be at most 4096 characters of printable ASCII)/
      )
      if (input !== "") assert.notInclude(errors, input)
    }
  })

  it("takes no token from the command line, and does not repeat it", async () => {
    const secret = "c3VwZXJzZWNyZXQ"
    const words = ",login ,login --token ,login --token=,login --with-token ,login --tokn=,login --check=,status "
    for (const line of words.split(",").map((word) => word + secret)) {
      for (const format of ["", " --json"]) {
        const { code, errors, out } = await run(`auth ${line}${format}`)
        assert.strictEqual(code, 2, line)
        assert.include(errors, "marketdata auth login", line)
        assert.notInclude(out + errors, secret, line)
      }
    }
    assert.isFalse(existsSync(kept))
  })
})

describe("the kept token", () => {
  it("is not used where others may read it or change it, and the command says what to type", async () => {
    await login()
    const cases = [[kept, 0o644, "600"], [kept, 0o620, "600"], [join(folder, "auth"), 0o777, "700"]] as const
    for (const [path, mode, right] of cases) {
      chmodSync(path, mode)
      for (const line of ["auth status", "market status"]) {
        const { code, errors } = await run(line)
        assert.strictEqual(code, 2)
        assert.include(errors, `type: chmod ${right} '${path}'`)
        assert.notInclude(errors, token)
      }
      chmodSync(path, right === "600" ? 0o600 : 0o700)
    }
    assert.strictEqual((await run("auth status")).code, 0)
  })

  it("is read from a small file alone, whatever lies in its place", async () => {
    await login()
    writeFileSync(kept, "a".repeat(2_000_000))
    assert.include((await run("market status")).errors, "holds no token")
    rmSync(kept)
    spawnSync("sh", ["-c", `mkfifo -m 600 "${kept}"`])
    assert.include((await run("market status")).errors, "holds no token")
    rmSync(kept)
    const long = await login(undefined, { input: "a".repeat(2_000_000) })
    assert.include(long.errors, "this cannot be a token")
  })

  it("that the keychain lost, or does not give, is a failure and no silent sandbox", async () => {
    const { secrets, services } = keychain()
    await login(undefined, { services })
    const locked = await run("market status", { services: Started.noKeychain("it is locked") })
    assert.strictEqual(locked.code, 2)
    assert.match(locked.errors, /keychain, which cannot be read: it is locked\n +unlock it, or set MARKETDATA_TOKEN/)
    secrets.clear()
    const lost = await run("market status", { services })
    assert.match(lost.errors, /the keychain no longer has the token\n +log in again/)
  })

  it("counts behind the variable, and both are told", async () => {
    await login()
    const { out } = await run("auth status", { variables: { MARKETDATA_TOKEN: "sandbox-free" } })
    const words =
      /^the token is in the variable MARKETDATA_TOKEN\nanother one is kept in the file .*, and is not used\n/
    assert.match(out, words)
  })

  it("is sent to no service but the one that it was kept for, whichever setting names another", async () => {
    const { services } = keychain()
    const elsewhere = "http://localhost:9"
    for (const line of ["auth login --with-token", "auth login --with-token --file"]) {
      await login(line, { services })
      for (const asked of ["market status", "auth status", "account", "chain SPX --mode cached"]) {
        const { code, errors } = await run(asked, { services, variables: { MARKETDATA_BASE_URL: elsewhere } })
        assert.strictEqual(code, 6, asked)
        const words = `the kept token is for ${baseUrl}, and this service is ${elsewhere}: the token was not sent\n` +
          "       log in to this one with `marketdata auth login`"
        assert.include(errors, words)
      }
      const contract = await run(`contract --base-url ${elsewhere} --budget 100`, { services })
      assert.include(contract.errors, `the kept token is for ${baseUrl}, and this service is ${elsewhere}`)
      // A slash at the end makes no other service.
      const variables = { MARKETDATA_BASE_URL: `${baseUrl}/` }
      assert.strictEqual((await run("auth status", { services, variables })).code, 0)
    }
  })

  it("is the public service's where it was kept before addresses were", async () => {
    mkdirSync(join(folder, "auth"), { recursive: true, mode: 0o700 })
    writeFileSync(kept, `${token}\n`, { mode: 0o600 })
    assert.strictEqual(publicAddress, MarketDataConfig.publicBaseUrl)
    const { code, errors } = await run("market status")
    assert.strictEqual(code, 6)
    assert.include(errors, "the kept token is for https://api.marketdata.app, and this service is http://127.0.0.1")
    const public_ = await run("auth status --no-check", { variables: { MARKETDATA_BASE_URL: "" } })
    assert.include(public_.out, ", for https://api.marketdata.app alone")
  })

  it("is forgotten by auth logout, wherever it was", async () => {
    const { secrets, services } = keychain()
    for (const line of ["auth login --with-token", "auth login --with-token --file"]) {
      await login(line, { services })
      // A login that was killed leaves such a file.
      writeFileSync(`${kept}.new`, token)
      const { code, out } = await run("auth logout", { services })
      assert.strictEqual(code, 0)
      assert.match(out, /^the token is no longer in the (?:keychain|file)/)
      assert.strictEqual(secrets.size, 0)
      assert.deepStrictEqual(readdirSync(join(folder, "auth")), [])
    }
    writeFileSync(`${kept}.new`, token)
    assert.strictEqual((await run("auth logout")).out, "no token was kept")
    assert.deepStrictEqual(readdirSync(join(folder, "auth")), [])
    rmSync(join(folder, "auth"), { recursive: true })
    assert.deepStrictEqual([(await run("auth logout")).out, (await run("auth status")).code], ["no token was kept", 6])
  })

  it("is in no output of any command, in any format", async () => {
    const secret = "c3VwZXJzZWNyZXQ"
    await login("auth login --with-token --no-check", { input: secret })
    const lines = "auth status, auth status --no-check, config list, doctor, account, market status --verbose, " +
      "chain SPX --mode cached --log-level all"
    for (const line of lines.split(", ")) {
      for (const format of ["table", "json", "jsonl", "csv"]) {
        const { errors, out } = await run(`${line} --format ${format}`)
        assert.notInclude(out + errors, secret, line)
      }
    }
  })
})

/** The program itself, as a shell runs it: its streams, its last words, its exit status. */
import { assert, it, onTestFinished } from "@effect/vitest"
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, existsSync, open, openSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Loopback from "../../core/test/support/loopback.ts"
import * as Started from "./support/service.ts"

interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly errors: string
}

/** Runs the program. Its reader closes its end of standard output when it has seen enough. */
const run = (
  arguments_: ReadonlyArray<string>,
  options: {
    readonly hasSeenEnough?: (out: string) => boolean
    readonly stdout?: number
    /** A script by which a shell starts it, as "$@", and what that has for "$0". */
    readonly script?: readonly [string, string]
    readonly node?: ReadonlyArray<string>
    readonly variables?: Readonly<Record<string, string>>
    /** Hands over how to press Ctrl-C. */
    readonly started?: (stop: (signal?: NodeJS.Signals) => void) => void
  } = {}
): Promise<Ended> =>
  new Promise((resolve) => {
    const { hasSeenEnough, node = [], script, stdout = "pipe", variables = {} } = options
    const program = join(import.meta.dirname, "../src/bin.ts")
    const command = [process.execPath, "--conditions=@effect-marketdata/source", ...node, program, ...arguments_]
    const [shell = "", ...line] = script === undefined ? command : ["sh", "-c", ...script, ...command]
    const child = spawn(shell, line, {
      stdio: ["ignore", stdout, "pipe"],
      // Nothing that goes to this machine goes over a proxy.
      env: { PATH: process.env["PATH"], NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://127.0.0.1:9", ...variables }
    })
    let out = ""
    let errors = ""
    options.started?.((signal = "SIGINT") => child.kill(signal))
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      out += text
      if (hasSeenEnough?.(out) === true) child.stdout?.destroy()
    })
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors += text
    })
    child.on("close", (status, signal) => resolve({ status, signal, out, errors }))
  })

const piped = (text: string) => [`printf %s "$0" | exec "$@"`, text] as const

it("ends without a word where its reader has seen enough, as in `| head -1`", async () => {
  const { errors, out, status } = await run(["chain", "AAPL", "--mode", "cached", "--format", "csv"], {
    hasSeenEnough: (out) => out.includes("\n")
  })
  assert.match(out, /^optionSymbol,/)
  assert.notMatch(errors, /^error|EPIPE/m)
  assert.strictEqual(status, 0)
})

it.each([["SIGINT", 130, "csv"], ["SIGTERM", 143, "json"], ["SIGHUP", 143, "csv"]] as const)(
  "says at %s, which Ctrl-C, the system and a closed terminal send, what was spent and what may have been",
  async (signal, code, format) => {
    let stop = () => {}
    const { baseUrl, close } = await Loopback.serve(() => stop())
    onTestFinished(close)
    // A terminal that is closed takes no more output.
    const broken = `process.once("SIGTERM", () => setImmediate(() => process.stdout.emit("error", { code: "EIO" })))`
    const folder = Started.folder()
    writeFileSync(join(folder, "plan"), "[{ chain: AAPL, date: 2026-11-18, contracts: 1 }]")
    for (const line of [["chain", "AAPL", "--mode", "cached"], ["run", join(folder, "plan"), "-o", folder, "--yes"]]) {
      const { errors, out, status } = await run([...line, "--format", format], {
        node: ["--import", `data:text/javascript,${encodeURIComponent(broken)}`],
        variables: { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "a-token" },
        started: (press) => {
          stop = () => press(signal)
        }
      })
      assert.deepStrictEqual([status, out], [code, ""])
      const [before, after] = format === "csv" ? ["\n", ""] : [`"code":143,"class":"terminated",[^}]*"`, `"[^\n]*}`]
      assert.match(errors, RegExp(`${before}stopped: 0 credits spent, and perhaps up to 1 credit more${after}\n$`))
    }
  }
)

it("ends at a signal beside a pipe that stays open and empty, for which an exit of Node would wait", async () => {
  const folder = Started.folder()
  const pipe = join(folder, "pipe")
  execFileSync("mkfifo", [pipe])
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const ended = await run(["chain", "--reply", pipe], {
      // It opens once the program has opened it, too.
      started: (stop) => open(pipe, "w", () => stop(signal))
    })
    assert.strictEqual(ended.signal, signal)
  }
})

it("writes the ledger for its user alone, also in a folder that others may read", async () => {
  const folder = Started.folder()
  chmodSync(folder, 0o755)
  const variables = {
    MARKETDATA_HOME: folder,
    MARKETDATA_BASE_URL: "http://127.0.0.1:9",
    MARKETDATA_TOKEN: "a-token",
    MARKETDATA_LEDGER: "on"
  }
  assert.strictEqual((await run(["chain", "AAPL", "--mode", "cached"], { variables })).status, 7)
  assert.strictEqual(statSync(join(folder, "ledger.db")).mode & 0o777, 0o600)
})

it("keeps what Node compiles with its user's own caches, not where a neighbour can put code for it", async () => {
  const [home, temporary] = [Started.folder(), Started.folder()]
  await run(["--version"], { variables: { HOME: home, TMPDIR: temporary } })
  assert.strictEqual((await run(["--version"], { variables: { HOME: "/proc" } })).status, 0)
  assert.isFalse(existsSync(join(temporary, "node-compile-cache")))
  assert.strictEqual(statSync(join(home, ".cache", "node-compile-cache")).mode & 0o777, 0o700)
})

it("draws no wizard where there is no terminal", async () => {
  for (const line of [["--wizard"], ["chain", "--wizard"]]) {
    const { errors, out, status } = await run(line, { script: piped("") })
    assert.deepStrictEqual([status, out], [2, ""])
    assert.match(errors, /^error: --wizard needs a terminal/)
  }
})

it("reads a pipe by its name, which has no places to go to", async () => {
  const script = piped(`{"s":"ok","strike":[150]}`)
  const { errors, out } = await run(["chain", "--reply", "/dev/stdin"], { script })
  assert.notInclude(errors, "error:")
  assert.match(out, /^1 contract$/m)
})

it("says in one line that its output cannot be written", async () => {
  if (!existsSync("/dev/full")) return
  const { errors, status } = await run(["chain", "AAPL", "--mode", "cached"], { stdout: openSync("/dev/full", "w") })
  assert.match(errors, /\nerror: standard output cannot be written: ENOSPC\. .* `marketdata account --history`\n$/)
  assert.strictEqual(status, 1)
  const version = await run(["--version"], { stdout: openSync("/dev/full", "w") })
  assert.deepStrictEqual([version.errors, version.status], [errors.split("\n").at(-2) + "\n", 1])
})

it("says so, too, where a file has taken the beginning of a document and is full", async () => {
  const script = [`ulimit -f 8; exec "$@" > "$0"`, join(Started.folder(), "chain.json")] as const
  const { errors, status } = await run(["chain", "AAPL", "--mode", "cached", "--json"], { script })
  assert.match(errors, /^\{.*"reason":"Output","message":"standard output cannot be written: EFBIG\. [^"]*"\}\}\n$/)
  assert.strictEqual(status, 1)
})

it("says in one line what broke outside of every effect, without the token", async () => {
  const token = "c3VwZXJzZWNyZXQ"
  const late = `process.on("newListener", (name) => {
      if (name === "uncaughtException") setImmediate(() => { throw new TypeError("GET /\\u001b[31m${token}") })
    })`
  const { errors, status } = await run(["sandbox"], {
    node: ["--import", `data:text/javascript,${encodeURIComponent(late)}`],
    variables: { MARKETDATA_TOKEN: token }
  })
  assert.match(
    errors,
    /(?:^|\n)error: marketdata 0\.1\.0 failed because of a defect: TypeError: GET \/\\u001b\[31m<redacted> [^\n]+\n$/
  )
  assert.strictEqual(status, 1)
})

it("says nothing of the SQLite of Node being an experiment, and passes other warnings on", async () => {
  const warned = `const builtin = process.getBuiltinModule
    process.getBuiltinModule = (name) => {
      if (name === "node:sqlite") {
        process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning")
        process.emitWarning("something else", "OtherWarning")
      }
      return builtin(name)
    }`
  const folder = Started.folder()
  const { baseUrl, close } = await Loopback.serve((_, reply) => reply.writeHead(401).end())
  onTestFinished(close)
  const { errors, status } = await run(["chain", "AAPL", "--mode", "cached"], {
    node: ["--import", `data:text/javascript,${encodeURIComponent(warned)}`],
    variables: {
      MARKETDATA_BASE_URL: baseUrl,
      MARKETDATA_TOKEN: "a-token",
      MARKETDATA_LEDGER: join(folder, "ledger.db")
    }
  })
  assert.match(errors, /OtherWarning: something else/)
  assert.notMatch(errors, /experimental/)
  assert.strictEqual(status, 6)
})

it("completes files, columns, settings and plans in bash", async () => {
  const { out } = await run(["--completions", "bash"])
  const folder = Started.folder()
  writeFileSync(join(folder, "script"), out)
  for (const name of ["chain.parquet", "desk.yaml"]) writeFileSync(join(folder, name), "")
  const typing = `source ./script
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
      _marketdata marketdata "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "\${COMPREPLY[@]}"`
  const completed = (line: string): ReadonlyArray<string> =>
    execFileSync("bash", ["-c", typing, "bash", "marketdata", ...line.split(" ")], { cwd: folder })
      .toString().trimEnd().split("\n")
  assert.deepEqual(completed("chain SPX -o ch"), ["chain.parquet"])
  assert.deepEqual(completed("chain --reply d"), ["desk.yaml"])
  assert.deepEqual(completed("plan de"), ["desk.yaml"])
  assert.deepEqual(completed("chain SPX --columns ac"), ["activity"])
  assert.deepEqual(completed("chain SPX --sort openI"), ["openInterest"])
  assert.deepEqual(completed("chain SPX --format c"), ["csv"])
  assert.deepEqual(completed("config set allow"), ["allowance", "allowanceWindow"])
})

/**
 * Drives `marketdata mcp` with the official clients of both generations and with the inspector, over both transports, and prints what was said. Its
 * argument is the program. It runs below its own packages, which are installed apart.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as Older } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as OlderStdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as OlderHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import assert from "node:assert/strict"
import { execFile, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const [program] = process.argv.slice(2)
// Without a token and an address a sandbox answers, and nothing of this machine's user is read or kept.
const env = { PATH: process.env.PATH, MARKETDATA_HOME: "/proc/nowhere/marketdata" }
const flags = ["mcp", "--ask-above", "5"]

const served = [program, ...flags, "--budget", "1000", "--http", "--port", "0"]
const server = spawn(process.execPath, served, { stdio: ["ignore", "ignore", "pipe"], env })
const [announced] = await Promise.race([
  new Promise((resolve) => createInterface(server.stderr).once("line", (line) => resolve([line]))),
  new Promise((_, reject) => server.once("exit", (code) => reject(new Error(`the server ended with ${code}`))))
])
const url = new URL(/http:\S+\/mcp/.exec(announced)[0])

const yes = { action: "accept", content: { yes: true } }
const older = { Client: Older, stdio: OlderStdio, http: OlderHttp, form: ElicitRequestSchema }
const newer = { Client, stdio: StdioClientTransport, http: StreamableHTTPClientTransport, form: "elicitation/create" }
const kinds = {
  "sdk 1, 2025-11-25": older,
  "client 2": newer,
  "client 2, negotiating": { ...newer, options: { versionNegotiation: { mode: "auto" } } }
}

const connected = async (kind, transport, user) => {
  const { Client, form, http, options, stdio } = kinds[kind]
  const capabilities = user ? { elicitation: {} } : {}
  const client = new Client({ name: "agents", version: "1" }, { capabilities, ...options })
  if (user) client.setRequestHandler(form, user)
  const started = { command: process.execPath, args: [program, ...flags], env, stderr: "ignore" }
  await client.connect(transport === "stdio" ? new stdio(started) : new http(url))
  return client
}

const live = { symbol: "AAPL", strikes: 3, mode: "live" }
const calls = [
  { name: "estimate", given: { tool: "chain_slice", arguments: live } },
  { name: "expirations", given: { symbol: "SPX", bytes: 200 } },
  { name: "chain_slice", given: { symbol: "SPX", strikes: 4, preset: "smile", side: "put", max_credits: 5 } },
  { name: "again", given: { result: "?", columns: ["strike", "iv"], sort: "strike:asc", limit: 4 } },
  { name: "quote", given: { symbols: ["AAPL261218C00350000"], columns: ["optionSymbol", "bid", "ask"] } },
  { name: "stock", given: { symbols: ["AAPL"], what: "news" } },
  { name: "candles", given: { symbol: "AAPL", countback: 2 } },
  { name: "explain_symbol", given: { symbol: "AAPL261218C350" } },
  { name: "plan", given: { plan: "[{ chain: SPX, mode: cached, when: every 5min }]" } },
  { name: "budget", given: {} }
]

const textOf = ({ content }) => content.map(({ text }) => text).join("\n")

for (const kind of Object.keys(kinds)) {
  for (const transport of ["stdio", "http"]) {
    let asked = 0
    const client = await connected(kind, transport, () => (asked++, yes))
    const { tools } = await client.listTools()
    assert.deepEqual(new Set(tools.map(({ name }) => name)), new Set(calls.map(({ name }) => name)))
    const isTold = kind === "client 2, negotiating" && transport === "stdio"
    let last
    for (const { given, name } of calls) {
      const arguments_ = given.result === "?" ? { ...given, result: last } : given
      const result = await client.callTool({ name, arguments: arguments_ })
      assert.ok(!result.isError, `${kind}, ${transport}, ${name}: ${textOf(result)}`)
      last = result.structuredContent.result ?? last
      if (isTold) console.log(`> ${name} ${JSON.stringify(arguments_)}\n${textOf(result)}\n`)
    }
    assert.equal(asked, 0)
    const bought = await client.callTool({ name: "chain_slice", arguments: live })
    assert.ok(!bought.isError, `${kind}, ${transport}: ${textOf(bought)}`)
    assert.equal(asked, 1)
    const strange = await client.callTool({ name: "chain_slice", arguments: { symbol: "SPX", contract: 5 } })
    assert.ok(strange.isError && textOf(strange).startsWith("InvalidArguments"))
    await client.close()
    const without = await connected(kind, transport)
    const priced = await without.callTool({ name: "chain_slice", arguments: live })
    const consent = /consent: "(.+?)"/.exec(textOf(priced))[1]
    const agreed = await without.callTool({ name: "chain_slice", arguments: { ...live, consent } })
    assert.ok(!agreed.isError, textOf(agreed))
    if (isTold) console.log(`> chain_slice ${JSON.stringify(live)}\n${textOf(priced).replace(consent, "TOKEN")}\n`)
    await without.close()
    console.error(`${kind}, ${transport}: every tool, a form, a token`)
  }
}

const manifest = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/package.json"))
const inspector = join(manifest, "../clients/launcher/build/index.js")
const line = ["--cli", process.execPath, program, ...flags, "--method", "tools/list"]
const inspected = await promisify(execFile)(process.execPath, [inspector, ...line], { env })
assert.equal(JSON.parse(inspected.stdout).tools.length, calls.length)
console.error("inspector --cli: every tool is listed")
server.kill()

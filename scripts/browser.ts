/** `npm run browser`: decodes a chain in Chromium. It is no part of `npm test`, because not every machine has one. */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleText } from "./shared/bundle.ts"
import * as Command from "./shared/command.ts"
import * as Script from "./shared/script.ts"

/** What the page and the worker run: it decodes one chain, whole and in pieces, and says by which kernel. */
const subject = `
import * as Kernel from "@effect-marketdata/core/Kernel"
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Result from "effect/Result"

const strikes = Array.from({ length: 5000 }, (_, row) => 1000 + row * 2.5)
const body = JSON.stringify({
  s: "ok",
  optionSymbol: strikes.map((strike) => "SPX271217C" + String(strike * 1000).padStart(8, "0")),
  strike: strikes,
  last: strikes.map((_, row) => row % 7 === 0 ? null : row / 100)
})

const outcome = () => {
  const options = { columns: ["optionSymbol", "strike", "last"] }
  const whole = Result.getOrThrow(OptionChain.decode(body, options))
  const bytes = new TextEncoder().encode(body)
  const decoder = OptionChain.decoder(options)
  for (let at = 0; at < bytes.length; at += 1000) decoder.push(bytes.subarray(at, at + 1000))
  const pieces = Result.getOrThrow(decoder.end())
  const reads = ColumnTable.encode(whole) === body && ColumnTable.encode(pieces) === body
  return (reads ? "reads" : "misreads") + " with " + (Kernel.isWasmAvailable() ? "wasm" : "typescript")
}
`

const page = `${subject}
const worker = new Worker("/worker.js", { type: "module" })
const said = await new Promise((resolve) => {
  worker.onmessage = (event) => resolve(event.data)
  worker.onerror = (event) => resolve("fails: " + event.message)
})
document.body.textContent = "main thread " + outcome() + "; worker " + said
`

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--virtual-time-budget=10000",
  "--dump-dom"
]

/** Opens a page, and returns what its body says. */
const visit = async (url: string): Promise<string> => {
  const profile = mkdtempSync(join(tmpdir(), "browser-"))
  try {
    const chromium = process.env["CHROMIUM"] ?? "chromium"
    const { ok, output, stdout } = await Command.run(chromium, [...flags, `--user-data-dir=${profile}`, url], {
      cwd: profile
    })
    return ok ? /<body>([^<]*)/.exec(stdout)?.[1] ?? stdout : output
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
}

const cases = [
  { policy: "script-src 'self' 'wasm-unsafe-eval'", kernel: "wasm" },
  { policy: "script-src 'self'", kernel: "typescript" }
]

Script.run(
  {
    name: "browser",
    what:
      "Decodes a chain in Chromium, the one that CHROMIUM names or `chromium` on the path: in the main thread and in a worker, with WebAssembly and under a content security policy that forbids it.",
    examples: [
      ["", "the chromium on the path"],
      ["--help", "with another one: CHROMIUM=/opt/chromium/chrome npm run browser"]
    ]
  },
  {},
  async () => {
    const bundle = (text: string) => bundleText(Script.root, text, { platform: "browser" })
    const scripts = new Map([
      ["/page.js", await bundle(page)],
      ["/worker.js", await bundle(`${subject}\npostMessage(outcome())`)]
    ])
    let failed = 0
    for (const { kernel, policy } of cases) {
      const server = createServer((request, response) => {
        const script = scripts.get(request.url ?? "")
        // Workers have the policy of their own script.
        response.setHeader("content-security-policy", policy)
        response.setHeader("content-type", script === undefined ? "text/html" : "text/javascript")
        response.end(
          script ?? `<!doctype html><title>decode</title><body><script type="module" src="/page.js"></script>`
        )
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      const said = await visit(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`)
      server.close()
      const isRight = said === `main thread reads with ${kernel}; worker reads with ${kernel}`
      if (!isRight) failed++
      console.log(`${isRight ? "ok    " : "failed"} ${policy}: ${said}`)
    }
    return failed === 0
  }
)

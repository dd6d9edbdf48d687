/** `npm run browser`: decodes a chain in Chromium. It is no part of `npm test`, because not every machine has one. */
import { mkdtempDisposableSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Loopback from "../packages/core/test/support/loopback.ts"
import { bundleText } from "./shared/bundle.ts"
import * as Command from "./shared/command.ts"
import * as Script from "./shared/script.ts"

/** What the page and the worker run: it decodes one chain, whole and in pieces, and says by which kernel. */
const subject = `import { outcome } from "./packages/core/test/support/inBrowser.ts"`

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
  using profile = mkdtempDisposableSync(join(tmpdir(), "browser-"))
  const chromium = process.env["CHROMIUM"] ?? "chromium"
  const { ok, output, stdout } = await Command.run(chromium, [...flags, `--user-data-dir=${profile.path}`, url], {
    cwd: profile.path
  })
  return ok ? /<body>([^<]*)/.exec(stdout)?.[1] ?? stdout : output
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
      const { baseUrl, close } = await Loopback.serve((request, response) => {
        const script = scripts.get(request.url ?? "")
        // Workers have the policy of their own script.
        response.setHeader("content-security-policy", policy)
        response.setHeader("content-type", script === undefined ? "text/html" : "text/javascript")
        response.end(
          script ?? `<!doctype html><title>decode</title><body><script type="module" src="/page.js"></script>`
        )
      })
      const said = await visit(`${baseUrl}/`)
      await close()
      const isRight = said === `main thread reads with ${kernel}; worker reads with ${kernel}`
      if (!isRight) failed++
      console.log(`${isRight ? "ok    " : "failed"} ${policy}: ${said}`)
    }
    return failed === 0
  }
)

/**
 * Decodes a chain in a browser, in the main thread and in a worker, with WebAssembly and under a content security policy that forbids it; prints a line for
 * each that reads something else, or by another kernel. Called as `node kernels.mjs`.
 */
import { bundleText } from "../shared/bundle.ts"
import { root } from "../shared/script.ts"
import { end, expect, windows } from "./browser.mjs"

const subject = `import { outcome } from "./packages/core/test/support/inBrowser.ts"`
const page = `${subject}
const worker = new Worker("/worker.js", { type: "module" })
const said = await new Promise((resolve) => {
  worker.onmessage = (event) => resolve(event.data)
  worker.onerror = (event) => resolve("fails: " + event.message)
})
document.title = "main thread " + outcome() + "; worker " + said
`
const bundled = (text) => bundleText(root, text, { platform: "browser" })
const scripts = { "/page.js": await bundled(page), "/worker.js": await bundled(`${subject}\npostMessage(outcome())`) }

const policies = { wasm: "script-src 'self' 'wasm-unsafe-eval'", typescript: "script-src 'self'" }
for (const [kernel, policy] of Object.entries(policies)) {
  const context = await windows("http://chain.test/")
  await context.route("http://chain.test/**", (route) => {
    const script = scripts[new URL(route.request().url()).pathname]
    return route.fulfill({
      // Workers have the policy of their own script.
      headers: { "content-security-policy": policy },
      contentType: script === undefined ? "text/html" : "text/javascript",
      body: script ?? `<!doctype html><script type="module" src="/page.js"></script>`
    })
  })
  const opened = await context.newPage()
  await opened.goto("http://chain.test/")
  await opened.waitForFunction(() => document.title !== "", undefined, { timeout: 30_000 })
  const said = await opened.title()
  expect(said === `main thread reads with ${kernel}; worker reads with ${kernel}`, `${policy}: ${said}`)
  await context.close()
}
await end("a chain decoded in a browser, by both kernels")

/**
 * Opens pages of the site in a browser, and prints a line for what is wrong: what is asked of another machine, what axe-core finds, in light and dark,
 * what is wider than the window, and what the keyboard does not reach. Called as `node browse.mjs SITE [FOLDER]`; pictures go into FOLDER.
 */
import { existsSync, mkdtempDisposableSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { chromium } from "playwright-core"

const [site = ".", pictures] = process.argv.slice(2)
const apiPage = "/api/modules/_effect-marketdata_core.Credits.html"
// A site that was built with --pages has none of the exports.
const hasApi = existsSync(join(site, "api"))
const pages = [
  "/",
  "/guide/option-chain.html",
  "/guide/credits.html",
  "/guide/cli/",
  "/conformance/",
  ...hasApi ? ["/api/index.html", apiPage] : []
]
const widths = [320, 768, 1920]
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js")

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" }
const fileOf = (path) =>
  [path, `${path}.html`, join(path, "index.html")].map((path) => join(site, path)).find((file) =>
    existsSync(file) && extname(file) !== ""
  )
const server = createServer(({ url }, response) => {
  const file = fileOf(decodeURIComponent(new URL(url, "http://site.test").pathname))
  response.writeHead(file === undefined ? 404 : 200, {
    "content-type": types[extname(file ?? "")] ?? "application/octet-stream"
  })
  response.end(file === undefined ? "" : readFileSync(file))
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const base = `http://127.0.0.1:${server.address().port}`

const problems = new Set()
const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]
using profile = mkdtempDisposableSync(join(tmpdir(), "site-"))
const context = await chromium.launchPersistentContext(profile.path, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromiumSandbox: false,
  args: flags
})
let requests = 0
context.on("request", (request) => {
  requests++
  if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(base)) {
    problems.add(`asks another machine: ${request.url()}`)
  }
})
context.on("response", (response) => {
  if (response.status() >= 400) problems.add(`${response.url().slice(base.length)} is ${response.status()}`)
})
const page = await context.newPage()
page.on("pageerror", ({ message }) => problems.add(`${page.url().slice(base.length)}: ${message}`))

const open = async (path, width, colorScheme) => {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
  await page.setViewportSize({ width, height: 900 })
  await page.goto(base + path, { waitUntil: "networkidle" })
}

for (const path of pages) {
  for (const colorScheme of ["light", "dark"]) {
    await open(path, 1280, colorScheme)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const wide = await page.evaluate(() =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth
      )
      if (wide > 0) problems.add(`${path} is ${wide} pixels wider than a window of ${width}`)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.addScriptTag({ path: axe })
    // The menu of TypeDoc is drawn by its script: each entry is a link within what opens it.
    const { violations } = await page.evaluate(() => globalThis.axe.run({ exclude: ["#tsd-nav-container"] }))
    for (const { id, nodes } of violations) {
      problems.add(
        `${path}, ${colorScheme}: ${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 160)} ${
          nodes[0].failureSummary.split("\n")[1]
        }`
      )
    }
  }
}

// With the keyboard: past the menu, and into the search.
await open("/guide/option-chain.html", 1280, "light")
await page.keyboard.press("Tab")
const first = await page.evaluate(() => document.activeElement?.textContent)
if (first !== "Skip to content") problems.add(`the first key reaches "${first}" and no link past the menu`)
await page.keyboard.press("Enter")
if (!page.url().endsWith("#VPContent")) problems.add(`the link past the menu leads to ${page.url()}`)
await page.keyboard.press("Control+k")
await page.locator(".VPLocalSearchBox input").waitFor()
await page.keyboard.type("strikeLimit")
await page.locator(".VPLocalSearchBox .result").first().waitFor()
await page.keyboard.press("Enter")
await page.waitForURL((url) => !url.pathname.includes("option-chain") || url.hash !== "#VPContent")

if (pictures !== undefined) {
  for (
    const [name, path, width, scheme] of [
      ["front", "/", 1280, "light"],
      ["guide", "/guide/option-chain.html", 1280, "dark"],
      ...hasApi ? [["api", apiPage, 1280, "light"]] : [],
      ["phone", "/", 320, "light"]
    ]
  ) {
    await open(path, width, scheme)
    await page.screenshot({ path: join(pictures, `${name}.png`) })
  }
}
await context.close()
server.close()
for (const problem of problems) console.log(problem)
console.error(`${pages.length} pages in a browser, ${requests} requests, ${problems.size} problems`)
process.exitCode = problems.size > 0 ? 1 : 0

/**
 * Opens pages of the site in a browser, and prints a line for what is wrong: what is asked of another machine, what axe-core finds, in light and dark,
 * what is wider than the window, and what the keyboard does not reach. Called as `node browse.mjs SITE [FOLDER]`; pictures go into FOLDER.
 */
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { extname, join } from "node:path"
import { browser, end, expect, fits, isAccessible } from "./browser.mjs"

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

const context = await browser.newContext()
let requests = 0
context.on("request", (request) => {
  requests++
  const isOurs = /^(?:data|blob):/.test(request.url()) || request.url().startsWith(base)
  expect(isOurs, `asks another machine: ${request.url()}`)
})
context.on("response", (response) => {
  expect(response.status() < 400, `${response.url().slice(base.length)} is ${response.status()}`)
})
const page = await context.newPage()
page.on("pageerror", ({ message }) => expect(false, `${page.url().slice(base.length)}: ${message}`))

const open = async (path, width, colorScheme) => {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
  await page.setViewportSize({ width, height: 900 })
  await page.goto(base + path, { waitUntil: "networkidle" })
}

for (const path of pages) {
  for (const colorScheme of ["light", "dark"]) {
    await open(path, 1280, colorScheme)
    for (const width of widths) await fits(page, path, width)
    await page.setViewportSize({ width: 1280, height: 900 })
    // The menu of TypeDoc is drawn by its script: each entry is a link within what opens it.
    await isAccessible(page, `${path}, ${colorScheme}`, { exclude: ["#tsd-nav-container"] })
  }
}

// With the keyboard: past the menu, and into the search.
await open("/guide/option-chain.html", 1280, "light")
await page.keyboard.press("Tab")
const first = await page.evaluate(() => document.activeElement?.textContent)
expect(first === "Skip to content", `the first key reaches "${first}" and no link past the menu`)
await page.keyboard.press("Enter")
expect(page.url().endsWith("#VPContent"), `the link past the menu leads to ${page.url()}`)
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
await end(`${pages.length} pages in a browser, ${requests} requests`)
server.close()

/**
 * Opens pages of the site in a browser, and prints a line for what is wrong: what is asked of another machine, what axe-core finds, in light and dark,
 * what is wider than the window, and what the keyboard does not reach. Called as `node browse.mjs SITE`.
 */
import { existsSync } from "node:fs"
import { extname, join } from "node:path"
import { end, expect, isSound, windows } from "./browser.mjs"

const [site = "."] = process.argv.slice(2)
// A site that was built with --pages has none of the exports.
const api = existsSync(join(site, "api"))
  ? ["/api/index.html", "/api/modules/_effect-marketdata_core.Credits.html"]
  : []
const pages = ["/", "/guide/option-chain.html", "/guide/credits.html", "/guide/cli/", "/conformance/", ...api]

const base = "http://site.test"
const context = await windows(base)
await context.route(`${base}/**`, (route) => {
  const { pathname } = new URL(route.request().url())
  const path = [pathname, `${pathname}.html`, join(pathname, "index.html")].map((path) => join(site, path))
    .find((path) => existsSync(path) && extname(path) !== "")
  expect(path !== undefined, `${pathname} leads nowhere`)
  return route.fulfill(path === undefined ? { status: 404 } : { path })
})
const page = await context.newPage()

const open = async (path, colorScheme) => {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
  await page.goto(base + path, { waitUntil: "networkidle" })
}

for (const path of pages) {
  for (const colorScheme of ["light", "dark"]) {
    await open(path, colorScheme)
    // The menu of TypeDoc is drawn by its script: each entry is a link within what opens it.
    await isSound(page, `${path}, ${colorScheme}`, { exclude: ["#tsd-nav-container"] })
  }
}

// With the keyboard: past the menu, and into the search.
await open("/guide/option-chain.html", "light")
await page.keyboard.press("Tab")
const first = await page.evaluate(() => document.activeElement?.textContent)
expect(first === "Skip to content", `the first key reaches "${first}" and no link past the menu`)
await page.keyboard.press("Enter")
await page.waitForURL((url) => url.hash === "#VPContent", { timeout: 5000 })
  .catch(() => expect(false, `the link past the menu leads to ${page.url()}`))
await page.keyboard.press("Control+k")
await page.locator(".VPLocalSearchBox input").waitFor()
await page.keyboard.type("strikeLimit")
await page.locator(".VPLocalSearchBox .result").first().waitFor()
await page.keyboard.press("Enter")
await page.waitForURL((url) => !url.pathname.includes("option-chain") || url.hash !== "#VPContent")
await end(`${pages.length} pages in a browser`)

/** What every look at a page shares: Chromium, the problems that are printed at the end, and what holds for each page. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { chromium } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const off = ["gpu", "quic", "background-networking", "component-update", "sync"]

/** The Chromium that CHROMIUM names, which asks nothing by itself. */
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromiumSandbox: false,
  args: ["--no-first-run", ...off.map((what) => `--disable-${what}`)]
})

const problems = new Set()

/** Notes a problem where something does not hold. */
export const expect = (holds, problem) => holds || problems.add(problem)

/** Opens windows in which errors and dialogs are problems, and requests for what does not begin with an address. */
export const windows = async (address, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const isOurs = (url) => /^(?:data|blob):/.test(url) || url.startsWith(address)
  context.on("request", (request) => expect(isOurs(request.url()), `asks for ${request.url()}`))
  context.on("console", (said) => expect(said.type() !== "error", `the console: ${said.text()}`))
  context.on("weberror", (error) => expect(false, `an error: ${error.error().message}`))
  context.on("dialog", (dialog) => expect(false, `a dialog: ${dialog.message()}`) && dialog.dismiss())
  return context
}

/** Notes where a page is wider than its window, and what axe-core finds on it, by its options. */
export const isSound = async (page, where, options = {}) => {
  for (const width of [320, 768, 1920, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(wide <= 0, `${where} is ${wide} pixels wider than a window of ${width}`)
  }
  // What the browser evaluates itself, no policy of a page forbids.
  await page.evaluate(axe)
  const { violations } = await page.evaluate((options) => globalThis.axe.run(options), options)
  for (const { id, nodes: [first, ...others] } of violations) {
    const why = first.failureSummary.split("\n")[1].trim()
    expect(false, `${where}: ${id}, ${others.length + 1} times: ${first.html.slice(0, 160)} ${why}`)
  }
}

/** Ends: prints the problems, and how many there are behind what was looked at. */
export const end = async (looked) => {
  await browser.close()
  for (const problem of problems) console.log(problem)
  console.error(`${looked}, ${problems.size} problems`)
  process.exitCode = problems.size > 0 ? 1 : 0
}

/** What every look at a page shares: Chromium, the problems that are printed at the end, and what holds for each page. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { chromium } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The Chromium that CHROMIUM names, which asks nothing by itself. */
export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromiumSandbox: false,
  args: [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync"
  ]
})

const problems = new Set()

/** Notes a problem where something does not hold. */
export const expect = (holds, problem) => holds || problems.add(problem)

/** Gives a page a window of a width, wider than which it must not be. */
export const fits = async (page, where, width) => {
  await page.setViewportSize({ width, height: 900 })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(wide <= 0, `${where} is ${wide} pixels wider than a window of ${width}`)
}

/** Notes what axe-core finds on a page, by its options. */
export const isAccessible = async (page, where, options = {}) => {
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

/**
 * Composes random workloads in the planner, in a browser, by its fields, and prints a line for what is wrong: a figure that is not the library's, a link or
 * an exported file that is another plan, what axe-core finds, what is wider than the window, a request, an error of the console. Called as
 * `node planner.mjs PAGE COUNT`.
 */
import { NewYork, TradingCalendar } from "@effect-marketdata/core"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { isDeepStrictEqual } from "node:util"
import * as Prices from "../../packages/cli/src/planner/prices.ts"
import * as State from "../../packages/cli/src/planner/state.ts"
import { states } from "../../packages/cli/test/support/typedPlans.ts"
import { end, expect, isSound, windows } from "./browser.mjs"

const [file = "", count = "24"] = process.argv.slice(2)
const address = pathToFileURL(file).href

const now = { now: NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0), calendar: TradingCalendar.NYSE }

/** What the page has to show of what is typed. That its prices are those of `marketdata plan` is for the tests of the command line. */
const sums = (state) => {
  const outcome = Prices.of(state, now)
  const { figures } = Prices.figures(outcome, state.tasks)
  return {
    counted: outcome.rows.filter(Result.isSuccess).length,
    ...Object.fromEntries(figures.map(([id, , value]) => [id, value]))
  }
}

const context = await windows(address)
// The clock of the page stands still, at the time of ours.
await context.addInitScript((origin) => {
  Object.defineProperty(performance, "timeOrigin", { value: origin })
  performance.now = () => 0
}, now.now * 1000)
const page = await context.newPage()
const other = await context.newPage()

/** Opens an address anew, also one that differs from that of the page by its hash alone. */
const reopen = async (page, address) => {
  await page.goto("about:blank")
  await page.goto(address)
}

/** Opens the link of a plan. */
const openPlan = (text) => reopen(page, `${address}#plan=${encodeURIComponent(text)}`)

const figures = (page) =>
  page.evaluate(() => ({
    counted: document.querySelectorAll(".priced .rule").length,
    ...Object.fromEntries(Array.from(document.querySelectorAll(".figure"), (figure) => [
      figure.id.slice("figure-".length),
      figure.querySelector(".value").textContent
    ]))
  }))

/**
 * Fills in the form: in the controls that people see, each with the event that typing makes, as Playwright's `fill` does, which takes ten times as long.
 * A row shows the fields of cached data once it asks for them, so that the mode comes first.
 */
const compose = (state) =>
  page.evaluate(({ settings, tasks }) => {
    const type = (control, text) => {
      if (control.value === text) return
      if (!control.checkVisibility() || control.disabled) throw new Error(`${control.id} cannot be typed into`)
      control.value = text
      if (control.value !== text) throw new Error(`${control.id} has no ${text}`)
      control.dispatchEvent(new InputEvent("input", { bubbles: true }))
    }
    const click = (selector) => document.querySelector(selector).click()
    while (document.querySelector(".row:nth-child(2)") !== null) click("[data-do=remove]")
    while (document.querySelector(`.row:nth-child(${tasks.length})`) === null) click("#add")
    for (const control of document.querySelectorAll("[data-row=plan]")) {
      type(control, settings[control.dataset.key] ?? "")
    }
    for (const [index, texts] of tasks.entries()) {
      const at = (key) => document.getElementById(`${index}-${key}`)
      type(at("command"), texts.command)
      const row = document.querySelectorAll(".row")[index]
      if (!row.querySelector(".more").open) row.querySelector(".more > summary").click()
      if (at("max-age") !== null) type(at("mode"), "cached")
      const keys = Array.from(row.querySelectorAll("[data-key]"), ({ dataset }) => dataset.key)
      for (const key of [...keys.filter((key) => key !== "mode"), "mode"]) type(at(key), texts[key] ?? "")
    }
  }, state)

const same = (says, page, wanted) => {
  for (const [name, value] of Object.entries(wanted)) {
    expect(page[name] === value, `${says}: ${name} is ${page[name]} and not ${value}`)
  }
}

await page.goto(address)
await page.bringToFront()
for (const [index, state] of fc.sample(states, { numRuns: Number(count), seed: 20_261_125 }).entries()) {
  await compose(state)
  const says = `workload ${index}, ${JSON.stringify(state)}`
  const shown = await figures(page)
  same(says, shown, sums(state))
  if (index % 4 > 0) continue
  const download = page.waitForEvent("download")
  await page.locator("[data-do=export]").click()
  const exported = readFileSync(await (await download).path(), "utf8")
  expect(isDeepStrictEqual(JSON.parse(exported), JSON.parse(State.file(state))), `${says}: the file is another plan`)
  await reopen(other, await page.evaluate(() => location.href))
  same(`${says}, by its link`, await figures(other), shown)
  const plan = { name: "plan.json", mimeType: "application/json", buffer: Buffer.from(exported) }
  await other.locator("#import").setInputFiles(plan)
  await other.getByText("plan.json is open.").waitFor()
  same(`${says}, by its file`, await figures(other), shown)
}
await other.close()

// Nothing of a page on paper is for a pointer.
await page.emulateMedia({ media: "print" })
expect(await page.locator("button:visible, .more:visible, #glance:visible").count() === 0, "a button is printed")
await page.emulateMedia({ media: "screen" })

// Strangers: nothing of a link is markup, and what is not a plan is told.
await openPlan(`{"tasks":[{"chain":"<b id=strange>","when":"<img src=x>"}]}`)
expect(await page.locator("#strange, #rows img").count() === 0, "a text of a link is markup")
await openPlan("{")
expect((await page.locator("#note").textContent()).includes("valid JSON"), "a broken link is not told")

// The keyboard stays where it is while results change.
await reopen(page, address)
await page.keyboard.press("Tab")
const reached = await page.evaluate(() => document.activeElement?.id)
expect(reached === "skip", "the first key does not reach the link to the costs")
await page.locator(".row [data-key=when]").first().focus()
await page.keyboard.press("End")
await page.keyboard.type(" from 9:30 to 10:30")
const typed = await page.evaluate(() => document.activeElement?.value)
expect(typed === "every 1min from 9:30 to 10:30", "the keyboard does not stay in its field")

// What is open in a row stays open when the row above it goes.
await page.locator("#add").click()
await page.locator(".row .more > summary").last().click()
await page.locator("[data-do=remove]").first().click()
expect(await page.locator(".row:last-child .more[open]").count() === 1, "a row that moves up closes what was open")

// A link and a file have room for 20 rows: a page with more kept the last of them nowhere, without a word.
for (let rows = 2; rows < 30; rows++) await page.locator("#add").click()
expect(await page.locator(".row").count() === 20, "a row is added that no link has room for")
const full = await page.locator("#note").textContent()
expect(full.includes("at most 20 rows"), "a row that is not added is not told")

// Where any age will do, the cheapest mode has no greatest age.
await openPlan(`[{"chain":"SPX","fresh-within":"Infinity","may-miss":true}]`)
await page.locator("[data-do=use]").click()
expect(await page.locator("[data-key=max-age]").inputValue() === "", "data of any age have a greatest one")

for (const colorScheme of ["light", "dark"]) {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
  await reopen(page, address)
  for (const open of [false, true]) {
    if (open) {
      await page.locator("#settings [data-key=hit-rate]").fill("2")
      await page.evaluate(() => document.querySelectorAll("details").forEach((one) => one.setAttribute("open", "")))
    }
    await isSound(page, `the planner, ${colorScheme}`)
  }
}
await end(`${count} workloads in the planner`)

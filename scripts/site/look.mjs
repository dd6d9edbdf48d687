/**
 * Opens pages of `marketdata look` in a browser, and prints a line for what is wrong: errors of the script, requests, findings of axe-core in light and
 * dark, a page wider than its window, points that are not where the data say, keys that do not reach the crosshair or the legs.
 * Called as `node look.mjs PAGE`. A second page is made of its data, whose texts are markup.
 */
import * as Page from "@effect-marketdata/pictures/Page"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { temporaryFolder } from "../shared/files.ts"
import { end, expect, isSound, windows } from "./browser.mjs"

const [looked] = process.argv.slice(2)
using folder = temporaryFolder()
const hostile = join(folder.path, "look.html")
const markup = `</script></title><img src="x" onerror="alert(1)">`
const [, json] = /id="view">([^<]+)</.exec(readFileSync(looked, "utf8"))
const spoilt = JSON.stringify(
  JSON.parse(json),
  (key, value) => key === "name" && typeof value === "string" ? value + markup : key === "notes" ? [markup] : value
)
const about = { symbol: markup, time: markup, source: markup }
writeFileSync(hostile, await Effect.runPromise(Page.html(JSON.parse(spoilt), about)))

const open = async (file, colorScheme) => {
  const { href } = pathToFileURL(file)
  const page = await (await windows(href, { colorScheme })).newPage()
  await page.goto(href)
  return page
}

/** What is drawn against the data that the page holds: as many values, in a line with those at both ends. */
const astray = () => {
  const view = JSON.parse(document.getElementById("view").textContent)
  const wrong = []
  const check = (name, values, pixels) => {
    if (values.length !== pixels.length) return wrong.push(`${name}: ${pixels.length} of ${values.length} are drawn`)
    const [low, high] = [values.indexOf(Math.min(...values)), values.indexOf(Math.max(...values))]
    const slope = (pixels[high] - pixels[low]) / (values[high] - values[low] || 1)
    for (const [at, value] of values.entries()) {
      const off = pixels[low] + slope * (value - values[low]) - pixels[at]
      if (Math.abs(off) > 0.3) wrong.push(`${name}: ${value} is ${off} pixels off`)
    }
  }
  const expiration = view.expirations[document.querySelector("select").selectedIndex]
  for (const { id, series, x } of [...expiration.charts, ...view.charts]) {
    const figure = document.getElementById(id)
    for (const { mark, name, points, tone } of series) {
      const drawn = mark === "bar"
        ? [...figure.querySelectorAll(`.bar.${tone}`)].map((bar) => {
          const [left, height, width] = ["x", "height", "width"].map((name) => Number(bar.getAttribute(name)))
          return [left + width / 2, height]
        })
        : [...figure.querySelectorAll(`.line.${tone}`)].flatMap((path) =>
          path.getAttribute("d").slice(1).split("L").map((end) => end.split(" ").map(Number))
        )
      const values = points.filter(([, y]) => y !== null && (mark !== "bar" || y !== 0))
      if (values.length === 0) continue
      check(`${id}, ${name}, x`, values.map(([at]) => x.unit === "days" ? Math.sqrt(at) : at), drawn.map(([at]) => at))
      check(`${id}, ${name}, y`, values.map(([, y]) => y), drawn.map(([, y]) => y))
    }
    const rows = new Set(series.flatMap(({ points }) => points.map(([at]) => at))).size
    if (figure.querySelectorAll("tbody tr").length !== rows) wrong.push(`${id}: its table has not ${rows} rows`)
  }
  return wrong
}

for (const file of [looked, hostile]) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(file, colorScheme)
    await isSound(page, `the page, ${colorScheme}`)
    expect(await page.locator("img").count() === 0, "a text became an element")
    await page.context().close()
  }
}

const strict = await open(hostile, "light")
expect(await strict.locator(".cross").count() > 0, "the hostile page does not draw")
const page = await open(looked, "light")
for (const at of [0, 3]) {
  await page.locator("select").selectOption({ index: at })
  for (const wrong of await page.evaluate(astray)) expect(false, wrong)
}
// With the keyboard: past the ladder, along the smile, and another leg.
const said = (name) => page.locator(name).first().textContent()
await page.locator("select").focus()
await page.keyboard.press("Tab")
await page.keyboard.press("Enter")
await page.keyboard.press("Tab")
const before = await said("#smile output")
await page.keyboard.press("ArrowRight")
expect(before !== await said("#smile output"), "an arrow does not move the crosshair of the smile")
expect(await page.locator("#smile .cross:not(.off)").count() === 1, "the crosshair is not drawn")
const paid = await said("#payoff .notes")
await page.locator("#ladder td button").first().focus()
await page.keyboard.press("Enter")
expect(paid !== await said("#payoff .notes"), "a leg that is taken by key changes no payoff")
const legs = await page.locator("#legs li").count()
while (await page.locator("#legs li").count() === legs) {
  const towardsZero = (await said("#legs li")).startsWith("+") ? 0 : 1
  await page.locator("#legs [data-less], #legs [data-more]").nth(towardsZero).press("Enter")
}
await end("a page of a chain in a browser")

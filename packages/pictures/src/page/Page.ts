/**
 * A page that shows a chain: one file, which loads nothing, and says so to the browser. What it shows is there before its script runs, and without it; with
 * it, a reader chooses expirations, reads charts out, and takes legs, whose payoff is drawn.
 *
 * The script is the text of functions of this package, as they run. A tool that puts calls of its own into functions, such as one that counts which lines
 * were run, or esbuild with `keepNames`, leaves a page that does not answer its reader.
 *
 * @example
 * ```ts
 * import type * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as ChainView from "@effect-marketdata/pictures/ChainView"
 * import * as Page from "@effect-marketdata/pictures/Page"
 * import * as Effect from "effect/Effect"
 *
 * const about = { symbol: "SPX", time: "2026-11-20 12:00:00 EST", source: "Market Data, asked as cached" }
 *
 * export const pageOf = (chain: OptionChain.OptionChain) =>
 *   Effect.flatMap(Effect.fromResult(ChainView.make(chain)), (view) => Page.html(view, about))
 * ```
 *
 * @since 0.1.0
 */
import type { InvalidInput } from "@effect-marketdata/volatility/InvalidInput"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as ChainView from "../chain/ChainView.ts"
import { type Leg, position } from "../chain/position.ts"
import type { About, Chart } from "../chart/Chart.ts"
import { type Charting, charting, colours, drawing } from "../chart/charting.ts"
import * as Checked from "../chart/checked.ts"

const tools = charting()
const { draw, escape, format, keysOf, notesOf, table } = tools
const { ladder, legsOf, payoff, straddle } = position(tools)

const style = `${colours}${drawing}
*{box-sizing:border-box}body{margin:0;overflow-wrap:anywhere;background:var(--ground);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif;font-variant-numeric:tabular-nums}
header,main,footer{max-width:1760px;margin:0 auto;padding:0 clamp(12px,2.4vw,40px)}header{padding-top:clamp(16px,2.4vw,36px)}
h1{font-size:clamp(26px,3vw,38px);line-height:1.1;letter-spacing:-.02em;margin:0;overflow-wrap:anywhere}h1 span{font-weight:400;color:var(--quiet);margin-left:.35em;white-space:nowrap}
h2{font-size:15px;line-height:1.3;margin:0}.source{color:var(--quiet);font-size:12.5px;margin:6px 0 0;overflow-wrap:anywhere}
dl{display:flex;flex-wrap:wrap;gap:14px 36px;margin:18px 0 0}dl div{min-width:96px}dt{color:var(--quiet);font-size:12.5px}dd{margin:0;font-size:20px}
.bar-top{display:flex;flex-wrap:wrap;gap:10px 16px;align-items:center;margin:18px 0}select,button{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--quiet);border-radius:6px}label{min-width:0;max-width:100%}select{padding:7px 10px;margin-left:8px;max-width:min(100%,calc(100vw - 130px))}
a{color:var(--call)}.skip{position:absolute;left:-999px}.skip:focus{position:static}:focus-visible{outline:2px solid var(--call);outline-offset:2px}
main{display:grid;gap:clamp(12px,1.4vw,24px);grid-template-columns:minmax(0,1fr);align-items:stretch}
figure,section{margin:0;padding:16px 18px 12px;display:flex;flex-direction:column;border:1px solid var(--hair);border-radius:10px;min-width:0;background:var(--ground)}
@media (min-width:900px){main{grid-template-columns:repeat(2,minmax(0,1fr))}#ladder{grid-column:1/-1}}
@media (min-width:1500px){main{grid-template-columns:repeat(6,minmax(0,1fr))}figure{grid-column:span 2}#ladder,#smile,#term,#ratio{grid-column:span 3}}
.keys,.notes,.legs{list-style:none;margin:4px 0 0;padding:0;font-size:12.5px;color:var(--quiet)}.keys{display:flex;flex-wrap:wrap;gap:2px 14px}.keys li::before{content:"";display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:6px;background:var(--tone)}
.plot{margin:8px 0 0;width:100%;overflow:hidden;touch-action:pan-y}input[type=range]{appearance:none;display:block;width:100%;height:24px;margin:0;background:linear-gradient(var(--hair),var(--hair)) center/100% 2px no-repeat;border-radius:4px}
input::-webkit-slider-thumb{appearance:none;width:12px;height:12px;border-radius:50%;background:var(--ground);border:2px solid var(--quiet);cursor:ew-resize}input::-moz-range-thumb{width:8px;height:8px;border-radius:50%;background:var(--ground);border:2px solid var(--quiet)}
output{display:block;min-height:1.5em;font-size:12.5px;margin-bottom:6px}figure .source{margin-top:auto;padding-top:8px}details{margin-top:6px;font-size:12.5px}summary{cursor:pointer;color:var(--quiet)}
.scroll{overflow:auto;max-height:420px;position:relative}table{width:100%;font-size:12.5px;text-align:right}table{border-collapse:separate;border-spacing:0}th,td{padding:2px 8px;white-space:nowrap;font-weight:400;border-bottom:1px solid var(--hair)}
thead :is(th,td){position:sticky;top:0;background:var(--ground);color:var(--quiet);z-index:1}thead tr{height:24px}thead tr+tr th{top:24px}tbody th{font-weight:600}#ladder{padding-bottom:14px}#ladder .scroll{margin-top:8px;max-height:452px}#ladder tbody th{text-align:center;background:var(--panel)}
.calls{color:var(--call);text-align:center}.puts{color:var(--put);text-align:center}thead .calls,thead .puts{font-weight:600}.calls-in td:nth-child(-n+5),.puts-in td:nth-child(n+7){background:var(--panel)}
.dim,.dim small{color:var(--quiet);font-style:italic}.spot td{text-align:center;color:var(--quiet);border-block:1px solid var(--quiet)}
td button{border:0;background:none;padding:2px 4px;margin:-2px -4px;border-radius:4px;cursor:pointer;min-width:24px;min-height:24px;text-decoration:underline;text-decoration-color:var(--hair);text-underline-offset:3px}td button:hover,.legs button:hover{background:var(--hair)}
.legs{display:flex;flex-wrap:wrap;gap:6px 18px;color:var(--ink)}.legs span{border-left:3px solid var(--tone);padding-left:7px;margin-right:6px}.legs button{min-width:26px;min-height:26px;margin-left:4px;padding:0;cursor:pointer;line-height:1}
footer{color:var(--quiet);font-size:12.5px;padding-block:16px 32px}footer ul,footer p{margin:0;padding:0;list-style:none}
@media (max-width:640px){.wide{display:none}th,td{padding:3px 4px}figure,section{padding:12px 10px}td button{padding:2px;margin:0 -2px}}
@media (max-width:420px){.iv{display:none}}
@media (prefers-reduced-motion:no-preference){.dot,.bar{transition:opacity .15s}}
@media print{:root{--ground:#fff;--panel:#f2f2f2;--ink:#000;--quiet:#444;--hair:#ccc;--call:#0a62a9;--put:#b34700;--one:#000;--two:#7a3e9d}dl{margin-bottom:18px}main{display:block}figure,section{break-inside:avoid;margin-bottom:12px}.bar-top,input,output,details{display:none}#ladder .scroll{max-height:none;overflow:visible}}
`

/** How wide a chart is before the window is known. */
const width = 560

const figure = (chart: Chart, about: About, more = ""): string =>
  `<figure id="${chart.id}"><figcaption><h2>${escape(chart.title)}</h2></figcaption><ul class="keys">${
    keysOf(chart)
  }</ul>` +
  `<div class="plot">${
    draw(chart, width).svg
  }</div><input type="range" min="0" value="0" autocomplete="off" aria-label="read ${chart.id} at a place"><output></output>${more}` +
  `<ul class="notes">${notesOf(chart)}</ul><details><summary>The values as a table</summary>` +
  `<div class="scroll" tabindex="0" role="region" aria-label="values of ${chart.id}"><table>${
    table(chart)
  }</table></div></details>` +
  `<p class="source">${escape(about.time)} \u00b7 ${escape(about.source)}</p></figure>`

const groupHead = (side: "call" | "put"): string => {
  const besides = [`<td class="wide" colspan="2"></td>`, `<td class="iv"></td>`]
  const name = `<th class="${side}s" colspan="2" scope="colgroup">${side}s</th>`
  return side === "call" ? besides.join("") + name : name + besides.toReversed().join("")
}

const sideHead = (isCall: boolean): string => {
  const cells = [
    `<th scope="col" class="iv">IV</th>`,
    `<th scope="col" class="wide">open int.</th>`,
    `<th scope="col" class="wide">volume</th>`
  ]
  const prices = `<th scope="col">bid</th><th scope="col">ask</th>`
  return isCall ? cells.toReversed().join("") + prices : prices + cells.join("")
}

/**
 * The script of the page: it redraws charts to the width of the window, shows values at a place, and collects legs. The page embeds its source, so it may use
 * nothing of this module, only what it is given and what a browser has.
 */
const live = (charting: Charting, { ladder, legsOf, payoff, straddle }: ReturnType<typeof position>) => {
  const view: ChainView.View = JSON.parse(document.getElementById("view")!.textContent)
  const select = document.querySelector("select")
  const chosen = view.expirations.map(({ forward, rungs }) => straddle(rungs, forward))
  let shown = 0

  /** What draws each figure, by its name. */
  const figures = new Map<string, (chart: Chart) => void>()
  for (const figure of document.querySelectorAll<HTMLElement>("figure[id]")) {
    const part = <Part extends Element = HTMLElement>(name: string) => figure.querySelector<Part>(name)!
    const [range, output] = [part<HTMLInputElement>("input"), part<HTMLOutputElement>("output")]
    let chart: Chart
    let px: (x: number) => number
    let width = 0
    /** Which place is the nearest to a value. */
    const nearest = (value: number, of: (x: number) => number) =>
      charting.placesOf(chart).reduce<readonly [index: number, distance: number]>((best, x, index) => {
        const distance = Math.abs(of(x) - value)
        return distance < best[1] ? [index, distance] : best
      }, [0, Infinity])[0]
    const point = (isSeen: boolean) => {
      const x = charting.placesOf(chart)[range.valueAsNumber]
      const cross = part<SVGLineElement>(".cross")
      cross.classList.toggle("off", !isSeen || x === undefined)
      if (x === undefined) return
      cross.setAttribute("x1", String(px(x)))
      cross.setAttribute("x2", String(px(x)))
      range.setAttribute("aria-valuetext", charting.read(chart, x))
      output.textContent = charting.read(chart, x)
    }
    const redraw = () => {
      width = Math.max(240, Math.floor(part(".plot").clientWidth))
      const drawn = charting.draw(chart, width)
      px = drawn.px
      part(".plot").innerHTML = drawn.svg
    }
    const draw = (next: Chart) => {
      chart = next
      redraw()
      const places = charting.placesOf(chart)
      range.max = String(Math.max(0, places.length - 1))
      range.valueAsNumber = nearest(chart.rules[0]?.[0] ?? places[places.length >> 1] ?? 0, (x) => x)
      range.disabled = places.length === 0
      part("figcaption h2").textContent = chart.title
      part(".keys").innerHTML = charting.keysOf(chart)
      part(".notes").innerHTML = charting.notesOf(chart)
      part("table").innerHTML = charting.table(chart)
      if (places.length === 0) output.textContent = ""
      point(false)
    }
    range.addEventListener("input", () => point(true))
    range.addEventListener("focus", () => point(true))
    part(".plot").addEventListener("pointermove", (event) => {
      range.valueAsNumber = nearest(event.clientX - part(".plot").getBoundingClientRect().left, px)
      point(true)
    })
    new ResizeObserver(() => {
      if (width !== Math.max(240, Math.floor(part(".plot").clientWidth))) {
        redraw()
        point(false)
      }
    }).observe(part(".plot"))
    figures.set(figure.id, draw)
  }

  const drawLegs = () => {
    const { span } = view.expirations[shown]!
    figures.get("payoff")?.(payoff(chosen[shown]!, span, view.spot))
    document.getElementById("legs")!.innerHTML = legsOf(chosen[shown]!)
  }
  /** More or less of an option at a price; none of it means no leg. */
  const take = (leg: Leg) => {
    const isSame = ({ price, side, strike }: Leg) => side === leg.side && strike === leg.strike && price === leg.price
    const legs = chosen[shown]!
    const old = legs.find(isSame)
    chosen[shown] = old === undefined
      ? [...legs, leg]
      : legs.map((one) => one === old ? { ...one, count: one.count + leg.count } : one).filter(({ count }) =>
        count !== 0
      )
    drawLegs()
  }
  const show = () => {
    const expiration = view.expirations[shown]
    for (const chart of [...expiration?.charts ?? [], ...view.charts]) figures.get(chart.id)?.(chart)
    if (expiration === undefined) return
    document.querySelector("#ladder tbody")!.innerHTML = ladder(expiration.rungs, view.spot)
    const row = document.querySelector<HTMLElement>("#ladder .spot")
    const scroller = document.querySelector<HTMLElement>("#ladder .scroll")
    if (row !== null && scroller !== null) scroller.scrollTop = row.offsetTop - scroller.clientHeight / 2
    drawLegs()
  }

  select?.addEventListener("change", () => {
    shown = select.selectedIndex
    show()
  })
  document.addEventListener("click", ({ target }) => {
    const { leg, less, more } = (target instanceof Element ? target.closest("button")?.dataset : undefined) ?? {}
    const [side, ...numbers] = (leg ?? "").split(" ")
    const [strike = 0, count = 0, price = 0] = numbers.map(Number)
    const one = chosen[shown]?.[Number(less ?? more)]
    if (side === "call" || side === "put") take({ side, strike, count, price })
    if (one !== undefined) take({ ...one, count: less === undefined ? 1 : -1 })
    // The list was drawn anew, and with it the button that had the focus.
    if (one !== undefined) {
      ;(document.querySelector<HTMLElement>("#legs button") ?? document.getElementById("legs"))?.focus()
    }
  })
  show()
}

/** A text in an element of script, which no text can end. */
const inScript = (text: string): string => text.replaceAll("<", String.raw`\u003c`)

/** The hash by which a Content-Security-Policy allows a script or a style. */
const hashOf = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (digest) => `'sha256-${Base64.encode(new Uint8Array(digest))}'`
  )

/**
 * The text of this function names what the page has to have where a bundler keeps names, as wrangler does: esbuild then writes each function as `__name(function,
 * "name")`, also in the texts that the page runs, and may shorten `__name` too.
 */
const named = () => function inner() {}

/**
 * Writes the page. Fails with `InvalidInput` for what is not a view, and for what is said of it in something else than texts. It needs the platform's
 * `crypto.subtle`, which Node, Deno and Bun have, and browsers in pages from https or from their own machine.
 *
 * @category formatting
 * @since 0.1.0
 */
export const html = Effect.fnUntraced(function*(
  view: ChainView.View,
  about: About
): Effect.fn.Return<string, InvalidInput> {
  const said = yield* Effect.fromResult(Checked.about(about))
  const shown = yield* Effect.fromResult(ChainView.checked(view))
  const keeper = /([\w$]+)\(function/.exec(named.toString())?.[1] ?? "kept"
  const script =
    `"use strict";const ${keeper}=(it)=>it,charting=(${charting.toString()})();(${live.toString()})(charting,(${position.toString()})(charting))`
  const policy = `default-src 'none'; style-src ${yield* hashOf(style)}; script-src ${yield* hashOf(
    script
  )}; base-uri 'none'; form-action 'none'`
  return page(shown, said, policy, script)
})

/** The page. Autocomplete is off: a browser that returns to the page would restore the chosen expiration, and the script begins with the first. */
const page = (view: ChainView.View, about: About, policy: string, script: string): string => {
  const [first] = view.expirations
  const symbol = escape(about.symbol)
  const spot = view.spot === null ? "" : ` <span>${format(view.spot, "dollars")}</span>`
  const legs = first === undefined ? [] : straddle(first.rungs, first.forward)
  const chosen = `<ul id="legs" class="legs" tabindex="-1" aria-label="legs">${legsOf(legs)}</ul>`
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${symbol} options</title><style>${style}</style></head><body>`,
    `<header><h1>${symbol}${spot}</h1><p class="source">${escape(about.time)} \u00b7 ${escape(about.source)}</p><dl>`,
    ...view.figures.map(([name, value, unit]) => `<div><dt>${escape(name)}</dt><dd>${format(value, unit)}</dd></div>`),
    `</dl><div class="bar-top"><label>Expiration<select autocomplete="off">${
      view.expirations.map(({ name }) => `<option>${escape(name)}</option>`).join("")
    }</select></label><a class="skip" href="#smile">Past the ladder</a></div></header><main>`,
    ...first === undefined ? [] : [
      `<section id="ladder" aria-labelledby="ladder-title"><h2 id="ladder-title">Around the money</h2>`,
      `<div class="scroll" tabindex="0" role="region" aria-label="ladder"><table><thead>`,
      `<tr>${groupHead("call")}<td></td>${groupHead("put")}</tr>`,
      `<tr>${sideHead(true)}<th scope="col">strike</th>${sideHead(false)}</tr></thead><tbody>${
        ladder(first.rungs, view.spot)
      }</tbody></table></div>`,
      `<p class="source">A bid sells, an ask buys. ${escape(about.time)} \u00b7 ${escape(about.source)}</p></section>`,
      ...first.charts.map((chart) => figure(chart, about)),
      figure(payoff(legs, first.span, view.spot), about, chosen)
    ],
    ...view.charts.map((chart) => figure(chart, about)),
    `</main><footer><ul>${view.notes.map((note) => `<li>${escape(note)}</li>`).join("")}</ul></footer>`,
    `<script type="application/json" id="view">${
      inScript(JSON.stringify(view))
    }</script><script>${script}</script></body></html>`,
    ""
  ].join("\n")
}

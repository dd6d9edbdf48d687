/** The script of the page: it redraws charts to the width of the window, shows values at a place, and collects legs. The page embeds its source. */
import type { View } from "../chain/ChainView.ts"
import type { Leg, position } from "../chain/position.ts"
import type { Chart } from "../chart/Chart.ts"
import type { Charting } from "../chart/charting.ts"

/** Makes the page answer to its reader. */
export const live = (charting: Charting, { ladder, legsOf, payoff, straddle }: ReturnType<typeof position>) => {
  const view: View = JSON.parse(document.getElementById("view")!.textContent)
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

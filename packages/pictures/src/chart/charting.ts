/** Charts as SVG: what draws them, and their style. */
import type { Chart, Point, Series, Unit } from "./Chart.ts"

/**
 * Makes the functions that draw. They are all inside, without imports, because the page embeds the source of this function: it redraws charts by the same
 * code when the width of its window changes.
 */
export const charting = () => {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "\"": "&quot;",
    "'": "&#39;"
  }
  const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)

  const digits = (value: number, least: number, most: number): string =>
    value.toLocaleString("en-US", { minimumFractionDigits: least, maximumFractionDigits: most }).replace("-", "\u2212")
  /** Formats a value with the digits of its unit. A tick is not rounded: its text would not be the value of its place. */
  const format = (value: number | null | undefined, unit: Unit, isTick = false): string => {
    if (value === null || value === undefined) return "\u2013"
    if (unit === "percent") return `${digits(value * 100, isTick ? 0 : 1, isTick ? 9 : 1)}%`
    if (unit === "dollars" || unit === "ratio") return digits(value, isTick ? 0 : 2, isTick ? 9 : 2)
    if (unit === "count" && isTick && Math.abs(value) >= 1e4) return `${digits(value / 1000, 0, 9)}k`
    return digits(value, 0, isTick ? 9 : unit === "strike" ? 3 : 0)
  }

  /** Round numbers from the least to the most. */
  const ticksOf = (least: number, most: number, count: number): Array<number> => {
    const rough = (most - least) / Math.max(1, count)
    const power = 10 ** Math.max(-300, Math.floor(Math.log10(rough)))
    const step = power * ([1, 2, 2.5, 5, 10].find((times) => times * power >= rough * 0.999) ?? 10)
    const first = Math.ceil(least / step - 1e-9)
    const last = Math.floor(most / step + 1e-9)
    return Array.from(
      { length: Math.max(0, last - first + 1) },
      (_, at) => Number(((first + at) * step).toPrecision(12))
    )
  }
  const roundDays = [0, 1, 3, 7, 14, 30, 60, 90, 180, 365, 730, 1095, 1825, 3650]

  /** The least and the most of some values: a chart may have more of them than a function takes arguments. */
  const boundsOf = (values: ReadonlyArray<number>): [least: number, most: number] => {
    let [least, most] = [Infinity, -Infinity]
    for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)]
    return [least, most]
  }

  /** The same with room where they are the same. */
  const spanOf = (values: ReadonlyArray<number>): [least: number, most: number] => {
    const [least, most] = values.length === 0 ? [0, 1] : boundsOf(values)
    const room = Math.abs(least) / 10 || 1
    return most > least ? [least, most] : [least - room, most + room]
  }

  /** The values that a point shows. */
  const valuesOf = ([, y, , low, high]: Point): ReadonlyArray<number> =>
    [y, low, high].filter((value) => typeof value === "number")

  /** The places that have a value, ascending. */
  const placesOf = ({ series }: Chart): ReadonlyArray<number> =>
    [...new Set(series.flatMap(({ points }) => points.map(([x]) => x)))].toSorted((a, b) => a - b)

  /** Draws into a number of pixels, and says where a place stands. */
  const draw = (chart: Chart, width: number) => {
    const height = Math.round(Math.max(210, Math.min(320, width * 0.46)))
    const isBars = chart.series.some(({ mark }) => mark === "bar")
    const shown = chart.series.flatMap(({ down, points }) =>
      points.flatMap((point) => valuesOf(point).map((value) => down === true ? -value : value))
    )
    let [bottom, top] = spanOf(isBars ? [0, ...shown] : shown)
    const room = (top - bottom) * 0.05
    if (!isBars || bottom < 0) bottom -= room
    top += room
    // Counts get no fractional ticks.
    const yTicks = ticksOf(bottom, top, chart.y.unit === "count" ? Math.min(top - bottom, height / 48) : height / 48)
    const isDown = chart.series.some(({ down, mark }) => mark === "bar" && down === true)
    const yTexts = yTicks.map((tick) => format(isDown ? Math.abs(tick) : tick, chart.y.unit, true))
    const left = 12 + 6.4 * Math.max(2, ...yTexts.map(({ length }) => length))
    const [right, upper, lower] = [width - 14, 28, height - 36]
    const scaled = (x: number) => chart.x.unit === "days" ? Math.sqrt(Math.max(0, x)) : x
    const places = placesOf(chart)
    const [first, last] = spanOf([...places, ...chart.rules.map(([x]) => x)].map(scaled))
    const px = (x: number) => Number((left + 4 + (scaled(x) - first) / (last - first) * (right - left - 8)).toFixed(1))
    const py = (y: number) => Number((lower - (y - bottom) / (top - bottom) * (lower - upper)).toFixed(1))
    const xTicks = (chart.x.unit === "days" ? roundDays : ticksOf(first, last, width / 90))
      .filter((tick) => scaled(tick) >= first && scaled(tick) <= last)
      .filter((tick, at, all) => chart.x.unit !== "days" || at === all.length - 1 || px(all[at + 1]!) - px(tick) > 26)

    const line = (x1: number, y1: number, x2: number, y2: number, kind: string) =>
      `<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`
    const text = (x: number, y: number, said: string, anchor: string, kind = "tick") =>
      `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${escape(said)}</text>`
    /** Runs of neighbouring points without a gap. */
    const runsOf = (points: ReadonlyArray<Point>, isThere: (point: Point) => boolean): Array<Array<Point>> => {
      const runs: Array<Array<Point>> = [[]]
      for (const point of points) {
        if (isThere(point)) runs.at(-1)!.push(point)
        else runs.push([])
      }
      return runs.filter((run) => run.length > 0)
    }
    const pathOf = (ends: ReadonlyArray<readonly [number, number]>) =>
      ends.map(([x, y], at) => `${at === 0 ? "M" : "L"}${px(x)} ${py(y)}`).join("")
    const bar = Math.max(1, Math.min(12, 0.72 * (right - left) / Math.max(1, places.length)))
    const markOf = ({ down, mark, points, tone }: Series): string => {
      if (mark === "bar") {
        return points.map(([x, y, dim]) => {
          if (y === null || y === 0) return ""
          // A value below zero stands on the other side of it.
          const [from, to] = [py(0), py(down === true ? -y : y)]
          const [start, size] = [(px(x) - bar / 2).toFixed(1), Math.abs(to - from).toFixed(1)]
          return `<rect class="bar ${tone}${dim === 1 ? " dim" : ""}" x="${start}" y="${Math.min(from, to)}" ` +
            `width="${bar.toFixed(1)}" height="${size}"/>`
        }).join("")
      }
      const isBand = ([, , , low, high]: Point) => typeof low === "number" && typeof high === "number"
      const bands = runsOf(points, isBand).map((run) => {
        const lows = run.map(([x, , , low]) => [x, low!] as const)
        const highs = run.toReversed().map(([x, , , , high]) => [x, high!] as const)
        return `<path class="band ${tone}" d="${pathOf([...lows, ...highs])}Z"/>`
      })
      const lines = runsOf(points, ([, y]) => y !== null).map((run) =>
        `<path class="line ${tone}" d="${pathOf(run.map(([x, y]) => [x, y!] as const))}"/>`
      )
      // Points are marked only if there are few of them, or if they are dimmed or have no neighbours.
      const isAlone = (at: number) => (points[at - 1]?.[1] ?? null) === null && (points[at + 1]?.[1] ?? null) === null
      const dots = points.map(([x, y, dim], at) =>
        y === null || (dim === 0 && places.length > 60 && !isAlone(at))
          ? ""
          : `<circle class="dot ${tone}${dim === 1 ? " dim" : ""}" cx="${px(x)}" cy="${py(y)}" r="2.2"/>`
      )
      return [...bands, ...lines, ...dots].join("")
    }
    const svg = [
      `<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-label="${escape(chart.title)}" ` +
      `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
      ...yTicks.map((tick, at) =>
        line(left, py(tick), right, py(tick), "grid") + text(left - 6, py(tick) + 4, yTexts[at]!, "end")
      ),
      ...xTicks.map((tick) =>
        line(px(tick), lower, px(tick), lower + 4, "axis") +
        text(px(tick), lower + 17, format(tick, chart.x.unit, true), "middle")
      ),
      line(left, lower, right, lower, "axis"),
      bottom < 0 && top > 0 ? line(left, py(0), right, py(0), "axis") : "",
      text(2, 12, `\u2191 ${chart.y.label}`, "start", "label"),
      text(right, height - 4, `${chart.x.label} \u2192`, "end", "label"),
      ...chart.series.map(markOf),
      ...chart.rules.map(([x, said], at) =>
        line(px(x), upper - 4, px(x), lower, "rule") +
        (px(x) > width / 2
          ? text(px(x) - 5, upper + 4 + 13 * at, said, "end", "label")
          : text(px(x) + 5, upper + 4 + 13 * at, said, "start", "label"))
      ),
      shown.length === 0 ? text((left + right) / 2, (upper + lower) / 2, "no values", "middle", "label") : "",
      line(0, upper, 0, lower, "cross off"),
      "</svg>"
    ]
    return { svg: svg.join(""), px, height }
  }

  /** The columns of the table behind a chart: a band has three. */
  const columnsOf = ({ series }: Chart) =>
    series.flatMap(({ mark, name, points }) => {
      const byPlace = new Map(points.map((point) => [point[0], point]))
      const column = (head: string, at: 1 | 3 | 4) => ({ head, valueAt: (x: number) => byPlace.get(x)?.[at] })
      return mark === "band"
        ? [column(`${name} bid`, 3), column(`${name} mid`, 1), column(`${name} ask`, 4)]
        : [column(name, 1)]
    })

  /** What a chart says at a place. */
  const read = (chart: Chart, x: number): string =>
    [
      `${chart.x.label} ${format(x, chart.x.unit)}`,
      ...columnsOf(chart).flatMap(({ head, valueAt }) => {
        const value = valueAt(x)
        return value === undefined ? [] : [`${head} ${format(value, chart.y.unit)}`]
      })
    ].join(", ")

  /** The rows of the table behind a chart. */
  const table = (chart: Chart): string => {
    const columns = columnsOf(chart)
    const cells = (x: number) => columns.map(({ valueAt }) => `<td>${format(valueAt(x), chart.y.unit)}</td>`).join("")
    const heads = [chart.x.label, ...columns.map(({ head }) => head)].map((head) =>
      `<th scope="col">${escape(head)}</th>`
    )
    const rows = placesOf(chart).map((x) => `<tr><th scope="row">${format(x, chart.x.unit)}</th>${cells(x)}</tr>`)
    return `<thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody>`
  }

  /** What is behind and beside a chart: which colour is what, what is to be said, and the rows. */
  const keysOf = (chart: Chart): string =>
    chart.series.map(({ mark, name, tone }) =>
      `<li class="${tone}">${escape(name)}${mark === "band" ? ", from bid to ask" : ""}</li>`
    ).join("")
  const notesOf = (chart: Chart): string => chart.notes.map((note) => `<li>${escape(note)}</li>`).join("")

  return { boundsOf, draw, escape, format, keysOf, notesOf, placesOf, read, table }
}

/** What draws. */
export type Charting = ReturnType<typeof charting>

/** The colours of charts, in light and in dark. Blue and orange are told apart by every eye; each has the contrast of text on its ground. */
export const colours =
  `:root{color-scheme:light dark;--ground:#fff;--panel:#f7f8fa;--ink:#16191d;--quiet:#5b6470;--hair:#e3e6ea;--call:#0a62a9;--put:#b34700;--one:#16191d;--two:#7a3e9d}
@media (prefers-color-scheme:dark){:root{--ground:#101317;--panel:#171b21;--ink:#e8eaed;--quiet:#9aa4b1;--hair:#2a3038;--call:#6fb5ff;--put:#ff9d5c;--one:#e8eaed;--two:#cf9bea}}
`

/** How the parts of a chart look. */
export const drawing =
  `.chart{display:block;font:11px/1.2 system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow:visible}
.grid{stroke:var(--hair)}.axis{stroke:var(--quiet);stroke-opacity:.6}.rule{stroke:var(--quiet);stroke-dasharray:3 3}.cross{stroke:var(--ink)}.off{display:none}
.tick,.label{fill:var(--quiet)}.call{--tone:var(--call)}.put{--tone:var(--put)}.one{--tone:var(--one)}.two{--tone:var(--two)}
.line{fill:none;stroke:var(--tone);stroke-width:1.6;stroke-linejoin:round}.band{fill:var(--tone);fill-opacity:.2}.bar{fill:var(--tone)}.dot{fill:var(--tone)}.dot.dim{fill:var(--ground);stroke:var(--tone)}
`

/**
 * A chart as a picture: SVG that stands by itself, in light or dark as its reader's system is, with nothing to load and no script.
 *
 * @example
 * ```ts
 * import type * as OptionChain from "@effect-marketdata/core/OptionChain"
 * import * as ChainView from "@effect-marketdata/pictures/ChainView"
 * import * as Picture from "@effect-marketdata/pictures/Picture"
 * import * as Result from "effect/Result"
 *
 * const about = { symbol: "SPX", time: "2026-11-20 12:00:00 EST", source: "Market Data, asked as cached" }
 *
 * export const smile = (chain: OptionChain.OptionChain) =>
 *   Result.gen(function*() {
 *     const view = yield* ChainView.make(chain)
 *     return yield* Picture.svg(yield* ChainView.chart(view, "smile"), about)
 *   })
 * ```
 *
 * @since 0.1.0
 */
import type { InvalidInput } from "@effect-marketdata/volatility/InvalidInput"
import * as Result from "effect/Result"
import type { About, Chart } from "./Chart.ts"
import { charting, colours, drawing } from "./charting.ts"
import * as Checked from "./checked.ts"

const { draw, escape } = charting()

/**
 * Draws one chart. `width` is that of the chart in pixels, from 240 to 4096, or 720; the picture is 32 wider. Fails with `InvalidInput` for what is no
 * chart, for what is said of it in something else than texts, and for a width out of its range.
 *
 * @category formatting
 * @since 0.1.0
 */
export const svg = (
  chart: Chart,
  about: About,
  options?: { readonly width?: number | undefined }
): Result.Result<string, InvalidInput> =>
  Result.gen(function*() {
    const { source, symbol, time } = yield* Checked.about(about)
    const wanted = yield* Checked.chart(chart)
    const width = yield* Checked.ranged("width", options?.width ?? 720, 240, 4096, "720")
    const { height, svg } = draw(wanted, width)
    const said = (y: number, text: string, size: number) =>
      `<text x="16" y="${y}" font-family="system-ui,sans-serif" font-size="${size}" fill="var(--ink)">` +
      `${escape(text)}</text>`
    const [wide, high] = [width + 32, height + 82]
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}">` +
      `<style>${colours}${drawing}</style><rect width="100%" height="100%" fill="var(--ground)"/>` +
      said(28, `${symbol}: ${wanted.title}`, 15) + `<g transform="translate(16 40)">${svg}</g>` +
      said(height + 68, `${time} \u00b7 ${source}`, 11) + "</svg>"
  })

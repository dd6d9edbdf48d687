import { type ChainLanes, numbersPerSeries } from "./chainLanes.ts"
import type { ChainScan, Day } from "./scan.ts"
import { aCent, halfACent } from "./rowFindings.ts"
import * as Strike from "../symbol/Strike.ts"

const none = /* @__PURE__ */ new Float64Array(0)

/**
 * The scan in plain TypeScript. It is one loop and not nine, because the first reply of a process runs it before it is compiled. A column that is
 * not there is full of NaN, as one full of nulls is: no comparison with NaN finds anything.
 */
export class TypescriptChainScan implements ChainScan {
  private readonly content: ChainLanes
  private readonly nothing: Float64Array<ArrayBuffer>

  constructor(content: ChainLanes) {
    this.content = content
    const isWhole = Object.values(content.lanes).every((lane) => lane !== undefined)
    this.nothing = isWhole ? none : new Float64Array(content.length).fill(NaN)
  }

  next(from: number, { begins, ends, number: day }: Day): number {
    const { content: { codes, lanes, length, series }, nothing } = this
    const { ask = nothing, bid = nothing, dte = nothing, expiration = nothing, extrinsicValue = nothing } = lanes
    const { inTheMoney = nothing, intrinsicValue = nothing, mid = nothing, side = nothing, strike = nothing } = lanes
    const { thousandths, underlyingPrice = nothing, updated } = lanes
    for (let row = from; row < length; row++) {
      const at = codes[row]! * numbersPerSeries
      const expected = Strike.fromThousandths(thousandths[row]!)
      const above = (underlyingPrice[row]! - expected) * series[at + 3]!
      const intrinsic = Math.max(0, above)
      if (
        !(updated[row]! >= begins && updated[row]! < ends) ||
        Math.abs(strike[row]! - expected) > 0 ||
        Math.abs(side[row]! - series[at + 2]!) > 0 ||
        Math.abs(expiration[row]! - series[at]!) > 0 ||
        Math.abs(dte[row]! - (series[at + 1]! - day)) > 0 ||
        Math.abs(mid[row]! - (bid[row]! + ask[row]!) / 2) > halfACent ||
        Math.abs(inTheMoney[row]! - Math.sign(intrinsic)) > 0 ||
        Math.abs(intrinsicValue[row]! - intrinsic) > aCent ||
        Math.abs(Math.abs(extrinsicValue[row]!) - Math.abs(mid[row]! - intrinsic)) > aCent
      ) return row
    }
    return length
  }
}

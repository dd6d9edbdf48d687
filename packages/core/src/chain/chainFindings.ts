import * as CalendarDate from "../time/CalendarDate.ts"
import type * as Kernel from "../columns/Kernel.ts"
import type { Vectors } from "../columns/ColumnSpec.ts"
import type { Content } from "../columns/ColumnTable.ts"
import * as NewYork from "../time/NewYork.ts"
import type { Finding } from "../columns/Finding.ts"
import type { Spec } from "./columns.ts"
import { type Day, lanesOf, scanOf } from "./chainScan.ts"
import { RowFindings } from "./rowFindings.ts"

/**
 * Compares the columns of a chain with each other: strike, side and expiration with the option symbol, mid with bid and ask, dte with
 * the days, moneyness with the prices. Columns that are not there are not compared.
 *
 * Every row of every reply is scanned for no more than whether it could deviate; a row that could is looked at in detail. That takes a while where all
 * of them could, so that it is done in steps.
 */
export const chainFindings = function*(
  { length, nulls, vectors }: Content,
  kernel: Kernel.Kernel
): Work<ReadonlyArray<Finding>> {
  const columns: Partial<Vectors<Spec>> = vectors
  const lanes = lanesOf(columns, length)
  const { updated } = lanes.lanes
  const scan = scanOf(lanes, kernel)
  let rows: RowFindings | undefined
  // The quotes of a chain are mostly of one day.
  let day = dayOf(updated[0] ?? NaN)
  let examined = 0
  for (let row = scan.next(0, day); row < length; row = scan.next(row + 1, day)) {
    rows ??= new RowFindings(columns, nulls["inTheMoney"])
    rows.examine(row)
    if (++examined % rowsPerStep === 0) yield
    if (!(updated[row]! >= day.begins && updated[row]! < day.ends)) day = dayOf(updated[row]!)
  }
  return rows?.findings ?? []
}

/** How many rows are looked at in detail before something else may have its turn: a few milliseconds' work. */
const rowsPerStep = 2048

const dayOf = (instant: number): Day => {
  const number = NewYork.epochDayOf(instant)
  const beginning = (number: number) => NewYork.midnight(CalendarDate.fromEpochDay(number))
  return { begins: beginning(number), ends: beginning(number + 1), number }
}

/** Work that is done in steps, so that a program with other things to do is not held up by all of it at once. */
type Work<A> = Generator<void, A>

/** Does all of it. */
export const whole = <A>(work: Work<A>): A => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Work as a decoder offers it: step by step, and what is left of it at once. */
export const inSteps = <A>(work: Work<A>): { readonly advance: () => boolean; readonly end: () => A } => {
  let done: { readonly value: A } | undefined
  return {
    advance: () => {
      const step = done === undefined ? work.next() : undefined
      if (step?.done === true) done = step
      return done === undefined
    },
    end: () => (done ??= { value: whole(work) }).value
  }
}

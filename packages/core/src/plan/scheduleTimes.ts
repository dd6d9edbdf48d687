/** The times of schedules: how many of them lie in a window, and at which of them credits are used up. */
import type * as Account from "../account/Account.ts"
import * as AllowanceWindow from "../account/allowanceWindow.ts"

/**
 * When a query is asked: first at `first` in epoch seconds, then every `every` seconds, `times` times in all.
 *
 * @category models
 * @since 0.1.0
 */
export interface Schedule {
  readonly first: number
  readonly every: number
  readonly times: number
}

const timeOf = ({ every, first }: Schedule, index: number): number => first + index * every

/** How many times of a schedule lie before a time, or at it too. A search, because a division would be off by one now and then. */
const countUntil = (schedule: Schedule, time: number, including: boolean): number => {
  let [low, high] = [0, schedule.times]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const at = timeOf(schedule, middle)
    if (at < time || including && at === time) low = middle + 1
    else high = middle
  }
  return low
}

/** How many times of a schedule lie in each window that has any. It takes as many steps as there are such windows. */
export function* perWindow(
  schedule: Schedule,
  window: Account.Window
): Generator<AllowanceWindow.AllowanceWindow & { readonly times: number }> {
  for (let index = 0; index < schedule.times;) {
    const { end, start } = AllowanceWindow.of(window, timeOf(schedule, index))
    const next = countUntil(schedule, end, false)
    yield { start, end, times: next - index }
    index = next
  }
}

/** The first time in a window at which what was asked so far costs more than the credits; there is one. */
export const exceeds = (
  tasks: ReadonlyArray<{ readonly schedule: Schedule; readonly credits: number }>,
  { end, start }: AllowanceWindow.AllowanceWindow,
  credits: number
): number => {
  const priced = tasks.filter((task) => task.credits > 0).map((task) => ({
    ...task,
    from: countUntil(task.schedule, start, false),
    to: countUntil(task.schedule, end, false)
  }))
  const spentAt = (time: number): number =>
    priced.reduce((sum, { credits, from, schedule, to }) => {
      const asked = Math.min(to, countUntil(schedule, time, true)) - from
      return asked > 0 ? sum + asked * credits : sum
    }, 0)
  let earliest = Infinity
  for (const { from, schedule, to } of priced) {
    let [low, high] = [from, to]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (spentAt(timeOf(schedule, middle)) > credits) high = middle
      else low = middle + 1
    }
    if (low < to) earliest = Math.min(earliest, timeOf(schedule, low))
  }
  return earliest
}

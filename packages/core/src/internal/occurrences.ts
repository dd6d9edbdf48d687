import type * as Account from "../Account.ts"
import * as CalendarDate from "../CalendarDate.ts"
import * as Eastern from "../Eastern.ts"
import type { Schedule } from "../Workload.ts"

/** A window of an allowance in epoch seconds, the start included and the end not. */
interface Window {
  readonly start: number
  readonly end: number
}

const always: Window = { start: -Infinity, end: Infinity }

/** The window that a time lies in. */
const windowOf = (window: Account.Window, time: number): Window => {
  if (window === "none") return always
  if (window === "minute") {
    const start = Math.floor(time / 60) * 60
    return { start, end: start + 60 }
  }
  const opening = (days: number) => Eastern.at(CalendarDate.addDays(Eastern.dateOf(time), days), 9, 30)
  const today = opening(0)
  return time < today ? { start: opening(-1), end: today } : { start: today, end: opening(1) }
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
): Generator<Window & { readonly times: number }> {
  for (let index = 0; index < schedule.times;) {
    const { end, start } = windowOf(window, timeOf(schedule, index))
    const next = countUntil(schedule, end, false)
    yield { start, end, times: next - index }
    index = next
  }
}

/** The first time in a window at which what was asked so far costs more than the credits; there is one. */
export const exceeds = (
  tasks: ReadonlyArray<{ readonly schedule: Schedule; readonly credits: number }>,
  { end, start }: Window,
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

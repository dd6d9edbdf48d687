/** Medians and pairs of measurements. */

/** The median of some figures; of an even number the upper of the middle two. */
export const median = (figures: ReadonlyArray<number>): number => {
  const middle = figures.toSorted((a, b) => a - b)[figures.length >> 1]
  if (middle === undefined) throw new RangeError("there is no median of nothing")
  return middle
}

/** The medians of figures that have names. */
export const medians = <Figures extends Readonly<Record<string, number>>>(all: ReadonlyArray<Figures>): Figures => {
  const entries = Object.keys(all[0] ?? {}).map((name) => [name, median(all.map((one) => one[name]!))])
  return Object.fromEntries(entries)
}

/** Milliseconds of a subject and of a baseline, and the ratio of one to the other. */
export interface Paired extends Readonly<Record<"ratio" | "baseline" | "subject", number>> {}

/** What a baseline took, and a subject. */
export const pair = (baseline: number, subject: number): Paired => ({ baseline, subject, ratio: subject / baseline })

/** How long some work takes by the clock, in milliseconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

type Work = () => unknown

/** Returns the milliseconds of a clock. */
type Clock = () => number

const wall: Clock = () => performance.now()

/** Processor time of this process, the threads of the collector included: other work on the machine does not affect it. */
export const processor: Clock = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const time = async (work: Work, times: number, clock: Clock): Promise<number> => {
  const start = clock()
  for (let at = 0; at < times; at++) {
    const done = work()
    if (done instanceof Promise) await done
  }
  return (clock() - start) / times
}

/**
 * Measures a subject against a baseline, by turns in one process, garbage collection included, so that disturbances affect both. The order changes from round
 * to round, because the second may have to collect the garbage of the first. Short work is repeated within a round. Both are warmed up before, for a third of
 * the time by default. The ratio is the median of the ratios of all rounds.
 */
export const paired = async (
  baseline: Work,
  subject: Work,
  milliseconds: number,
  warmUp = milliseconds / 3,
  clock = wall
): Promise<Paired> => {
  const times = Math.max(1, Math.round(3 / await time(baseline, 3, clock)))
  const rounds: Array<Paired> = []
  const warm = performance.now() + warmUp
  const end = warm + milliseconds
  for (let round = 0; performance.now() < end || rounds.length < 5; round++) {
    const [first, second] = round % 2 === 0 ? [baseline, subject] : [subject, baseline]
    const early = await time(first, times, clock)
    const late = await time(second, times, clock)
    if (performance.now() >= warm) rounds.push(round % 2 === 0 ? pair(early, late) : pair(late, early))
  }
  return medians(rounds)
}

/** What several measurements come to. */

/** The middle of some figures; of an even number of them the upper one of the two. */
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

type Work = () => unknown

/** Tells the milliseconds of a clock. */
type Clock = () => number

const wall: Clock = () => performance.now()

/** The time that processors worked for this process, the collector's threads among them: what else runs on the machine does not count. */
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
 * Measures a subject against a baseline, by turns in one process, garbage included: what disturbs one disturbs the other. Which of them
 * comes first changes from round to round, so that neither always pays for what the other left to collect. Short work is done several times
 * a round. Before that both are warmed up, for a third of the time unless more is said. The ratio is the median of the rounds' own.
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

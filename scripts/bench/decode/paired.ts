import { median } from "../statistics.ts"

/** What a pair of measurements comes to: milliseconds a decode, and the median of the rounds' own ratios. */
export interface Paired {
  readonly ratio: number
  readonly baseline: number
  readonly subject: number
}

const time = (work: () => unknown, times: number): number => {
  const start = performance.now()
  for (let at = 0; at < times; at++) work()
  return (performance.now() - start) / times
}

/**
 * Measures a subject against a baseline, by turns in one process, garbage included: what disturbs one disturbs the other. Which of them
 * comes first changes from round to round, so that neither always pays for what the other left to collect. Short work is done several times
 * a round. The first third of the time only warms both up.
 */
export const paired = (baseline: () => unknown, subject: () => unknown, milliseconds: number): Paired => {
  const times = Math.max(1, Math.round(2 / time(baseline, 1)))
  const baselines: Array<number> = []
  const subjects: Array<number> = []
  const warm = performance.now() + milliseconds / 3
  const end = warm + milliseconds
  for (let round = 0; performance.now() < end || baselines.length < 5; round++) {
    const early = round % 2 === 0 ? time(baseline, times) : time(subject, times)
    const late = round % 2 === 0 ? time(subject, times) : time(baseline, times)
    if (performance.now() < warm) continue
    baselines.push(round % 2 === 0 ? early : late)
    subjects.push(round % 2 === 0 ? late : early)
  }
  return {
    ratio: median(subjects.map((subject, at) => subject / baselines[at]!)),
    baseline: median(baselines),
    subject: median(subjects)
  }
}

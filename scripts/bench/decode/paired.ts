import { median } from "../statistics.ts"

/** What a pair of measurements comes to, in milliseconds a decode. */
export interface Paired {
  readonly ratio: number
  readonly baseline: number
  readonly subject: number
}

/**
 * Measures a subject against a baseline, by turns in one process, garbage included: what disturbs one disturbs the other. Short work is done
 * several times a round. The first third of the time only warms both up.
 */
export const paired = (baseline: () => unknown, subject: () => unknown, milliseconds: number): Paired => {
  const time = (work: () => unknown, times: number): number => {
    const start = performance.now()
    for (let at = 0; at < times; at++) work()
    return (performance.now() - start) / times
  }
  const times = Math.max(1, Math.round(2 / time(baseline, 1)))
  const baselines: Array<number> = []
  const subjects: Array<number> = []
  const warm = performance.now() + milliseconds / 3
  const end = warm + milliseconds
  for (let rounds = 0; performance.now() < end || baselines.length < 5; rounds++) {
    const one = time(baseline, times)
    const other = time(subject, times)
    if (performance.now() < warm) continue
    baselines.push(one)
    subjects.push(other)
  }
  return {
    ratio: median(subjects.map((subject, at) => subject / baselines[at]!)),
    baseline: median(baselines),
    subject: median(subjects)
  }
}

/** What a siege has shown, and whether the sandbox withstood it. */

/** What was measured. Latencies are milliseconds, memory megabytes, in the order in which they were taken. */
export interface Report {
  readonly isAlive: boolean
  readonly answersAfterwards: boolean
  readonly latencies: ReadonlyArray<number>
  readonly unanswered: number
  readonly memory: ReadonlyArray<number>
  /** What the sandbox held before, and after the attackers had gone. */
  readonly calm: number
  readonly afterwards: number
}

/** The heap that the sandbox is given: what it does not need, Node would otherwise keep for as long as there is memory. */
export const heapMegabytes = 512

/** The most that it may hold at any time, sockets and compression included, and the most that it may hold more in the last quarter than in the second. */
const mostMegabytes = 2 * heapMegabytes
const mostGrowth = 96

const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

/** How much more it typically holds in the last quarter of the time than in the second. The first quarter is for getting there. */
const growth = ({ memory }: Report): number => {
  const until = (quarters: number) => Math.floor(memory.length * quarters / 4)
  return quantile(memory.slice(until(3)), 0.5) - quantile(memory.slice(until(1), until(2)), 0.5)
}

/** Why the sandbox has not withstood; nothing where it has. */
export const problems = (report: Report): ReadonlyArray<string> => {
  const { answersAfterwards, isAlive, latencies, memory, unanswered } = report
  const peak = Math.max(...memory)
  const wrong: ReadonlyArray<readonly [boolean, string]> = [
    [!isAlive, "The sandbox ended."],
    [isAlive && !answersAfterwards, "The sandbox does not answer when the attackers have gone."],
    [latencies.length === 0, "Nobody asked anything."],
    [unanswered > 0, `${unanswered} of ${latencies.length} honest requests were not answered as in quiet times.`],
    [peak > mostMegabytes, `The sandbox held ${peak} MB; at most ${mostMegabytes} MB were expected.`],
    [growth(report) > mostGrowth, `It held ${growth(report)} MB more in the last quarter than in the second.`]
  ]
  return wrong.filter(([isWrong]) => isWrong).map(([, problem]) => problem)
}

/** The figures, for a person. */
export const format = ({ afterwards, calm, latencies, memory, unanswered }: Report): string => {
  const [half, most, all] = [0.5, 0.99, 1].map((share) => `${quantile(latencies, share).toFixed(0)} ms`)
  const requests = `${latencies.length} honest requests, ${unanswered} without their answer`
  const peak = Math.max(...memory)
  return `${requests}: half within ${half}, 99 of 100 within ${most}, all within ${all}
memory of the sandbox: ${calm} MB before, at most ${peak} MB, ${afterwards} MB after the attackers had gone`
}

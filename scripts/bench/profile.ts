/** The bench of where time goes: by parts of the program, for a call of ours and for what it is compared with, in processes of their own. */
import { temporaryFolder } from "../shared/files.ts"
import { layOutLargest } from "./decode/chains.ts"
import * as Process from "./process.ts"
import { type Parts, parts } from "./profiled.ts"
import * as Report from "./report.ts"
import { median } from "./statistics.ts"

/** What is profiled: a worker, and the names of our work and of the baseline in it. */
const works = [
  ["one-quote", { program: "call" }, "quotes", "bare-quotes"],
  ["22718-first-decode", { program: "decode" }, "profile-first", "profile-parse"],
  ["92-first-call", { program: "start", flags: [] }, "profile-own-call", "profile-bare-call"]
] as const

export const profile: Report.Bench = {
  runs: 5,
  measure: async function*({ milliseconds, runs }) {
    using folder = temporaryFolder()
    const path = layOutLargest(folder.path)
    for (const [name, worker, ours, bare] of works) {
      const pairs = await Process.besideReplies(runs, async (port) => {
        const ask = (work: string) =>
          Process.ask<Parts>(worker, work, worker.program === "decode" ? path : port, milliseconds * 3)
        return { ours: await ask(ours), bare: await ask(bare) }
      })
      for (const part of parts) {
        const beside = `bare ${Report.ms(median(pairs.map(({ bare }) => bare[part])))}`
        yield { case: `${name}-${part}`, unit: "ms", figures: pairs.map(({ ours }) => ours[part]), beside }
      }
    }
  }
}

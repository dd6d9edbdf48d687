/**
 * `npm run fuzz`: tries to break the decoder, with replies that nobody would send.
 *
 *     npm run fuzz -- [--minutes 3] [--seed N]           guided by what the decoder does
 *     npm run fuzz -- --executions N [--seed N]          the same, for so many replies
 *     npm run fuzz -- --numbers N --documents N [--seed N]   so many numbers and documents, beside JSON.parse and the oracle
 *
 * Prints the seed and the counts; at the first difference also the reply that shows it, and exits with 1.
 */
import { parseArgs } from "node:util"
import * as Probes from "./fuzz/probes.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    executions: { type: "string" },
    seed: { type: "string" },
    numbers: { type: "string" },
    documents: { type: "string" }
  }
})

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const minutes = Number(values.minutes)
const executions = Number(values.executions)
const started = performance.now()
const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`
const count = new Intl.NumberFormat("en-US")

console.log(`seed ${seed}, Node ${process.version}`)
if (values.numbers !== undefined || values.documents !== undefined) {
  const Differential = await import("../packages/core/test/support/differential.ts")
  if (values.numbers !== undefined) {
    const numbers = Differential.numbers(seed, Number(values.numbers))
    console.log(`${seconds()}: ${count.format(numbers)} numbers, each read four times to the same bits as JSON.parse's`)
  }
  if (values.documents !== undefined) {
    const { accepted, documents } = Differential.documents(seed, Number(values.documents))
    console.log(
      `${seconds()}: ${count.format(documents)} documents, each read four times as the oracle reads it; ${
        count.format(accepted)
      } of them accepted`
    )
  }
} else {
  Probes.install()
  const { run } = await import("./fuzz/guided.ts")
  let told = 0
  const tell = ({ accepted, corpus, executions, heapMegabytes, pairs }: ReturnType<typeof run>): void =>
    console.log(
      `${seconds()}: ${count.format(executions)} executions (${count.format(accepted)} accepted), corpus ${
        count.format(corpus)
      }, ${count.format(pairs)} pairs, ${heapMegabytes} MB`
    )
  const isOver = values.executions === undefined
    ? () => performance.now() - started > minutes * 60_000
    : (done: number) => done >= executions
  const progress = run(seed, isOver, (progress) => {
    if (performance.now() - told < 30_000) return
    told = performance.now()
    tell(progress)
  })
  tell(progress)
}

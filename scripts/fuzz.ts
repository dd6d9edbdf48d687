/** `npm run fuzz`: tries to break the decoder, with replies that nobody would send. */
import * as Probes from "../packages/core/test/support/probes.ts"
import * as Script from "./shared/script.ts"

Script.run({
  what:
    "Tries to break the decoder, with replies that nobody would send. At the first difference prints the reply that shows it.",
  examples: [
    ["--minutes 60 --seed 20261123", "guided by what the decoder does, for so long"],
    ["--numbers 10000000 --documents 1000000", "so many, beside JSON.parse and the oracle"]
  ]
}, {
  minutes: Script.positive("minutes", "How long to go on", 3),
  executions: Script.whole("executions", "How many replies to read instead"),
  seed: Script.seed,
  numbers: Script.whole("numbers", "Compare so many numbers instead"),
  documents: Script.whole("documents", "Compare so many documents instead")
}, async ({ documents, executions, minutes, numbers, seed }) => {
  const progress = Script.progress(30)
  const count = (value: number): string => value.toLocaleString("en-US")
  const say = (text: string): void => console.log(`${progress.seconds()}: ${text}`)
  console.log(`seed ${seed}, Node ${process.version}`)
  if (numbers !== undefined || documents !== undefined) {
    const Differential = await import("../packages/core/test/support/differential.ts")
    if (numbers !== undefined) {
      const read = Differential.numbers(seed, numbers)
      say(`${count(read)} numbers, each read four times to the same bits as JSON.parse's`)
    }
    if (documents !== undefined) {
      const { accepted, documents: read } = Differential.documents(seed, documents)
      say(`${count(read)} documents, each read four times as the oracle reads it; ${count(accepted)} of them accepted`)
    }
    return true
  }
  Probes.install()
  const { run } = await import("../packages/core/test/support/guidedFuzz.ts")
  const describe = ({ accepted, corpus, executions, heapMegabytes, pairs }: ReturnType<typeof run>): string =>
    `${count(executions)} executions (${count(accepted)} accepted), corpus ${count(corpus)}, ` +
    `${count(pairs)} pairs, ${heapMegabytes} MB`
  const isOver = (done: number): boolean =>
    executions === undefined ? progress.elapsed() > minutes * 60_000 : done >= executions
  say(describe(run(seed, isOver, (now) => progress.tell(console.log, () => describe(now)))))
  return true
})

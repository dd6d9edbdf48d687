/** `npm run siege`: besieges the sandbox, and asks it meanwhile, as a program would that has nothing to do with it. */
import { cpus } from "node:os"
import { besiege } from "../packages/sandbox/test/support/siege.ts"
import * as Script from "./shared/script.ts"

/** The heap that the sandbox is given, and the most that it may hold at any time, sockets and compression included. */
const [heapMegabytes, mostMegabytes] = [512, 1024]

/** The longest that an honest request may wait, in seconds. */
const longestWait = 2

Script.run({
  what:
    `Besieges the sandbox, and asks it meanwhile. Fails where it ended, left an honest request without its answer for ${longestWait} s in which the system let it run, or held more than ${mostMegabytes} MB.`,
  examples: [
    ["--minutes 2", "for so long"],
    ["--size 0.1", "with so many times 1,020 connections"]
  ]
}, {
  minutes: Script.positive("minutes", "How long to go on", 2),
  size: Script.positive("size", "How many times all connections", 1)
}, async ({ minutes, size }) => {
  console.log(`Node ${process.version}, ${cpus()[0]?.model}`)
  const progress = Script.progress(15)
  const siege = await besiege({ heapMegabytes, minutes, size }, (text) => progress.tell(console.log, text))
  const { answersAfterwards, memory, tallies, unanswered, waits } = siege
  for (const { answered, ended, name, opened } of tallies) {
    console.log(`${name.padEnd(30)} ${opened} connections, ${answered} answered, ${ended} ended by the sandbox`)
  }
  const sorted = waits.toSorted((a, b) => a - b)
  const [half = Infinity, all = Infinity] = [0.5, 1].map((share) => sorted[Math.ceil(sorted.length * share) - 1])
  const most = Math.max(...memory)
  const asked = `${waits.length} honest requests, ${unanswered} unanswered`
  console.log(`${asked}: half within ${half.toFixed(0)} ms, all within ${all.toFixed(0)} ms`)
  console.log(`memory of the sandbox: ${memory[0]} MB before, at most ${most} MB`)
  if (!answersAfterwards) console.log("The sandbox does not answer when the attackers have gone.")
  return answersAfterwards && unanswered === 0 && all <= longestWait * 1000 && most <= mostMegabytes
})

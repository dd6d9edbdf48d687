/**
 * `npm run hostile`: asks a hostile server all questions over each HTTP client, in a process with 512 MB of heap.
 *
 *     npm run hostile -- --minutes 10 --seed 1                    for so long
 *     npm run hostile -- --rounds 2 --seed 1                      so many times
 *     npm run hostile -- --minutes 1 --node /usr/bin/node         under another Node
 *
 * Prints a table, and exits with 1 where a question ended in anything but an answer or a typed error, was late, or left something behind; where the
 * event loop stood still or the memory grew beyond what is stated; and where the process died. `--verbose` tells each reply.
 */
import * as HostileReplies from "@effect-marketdata/testing/arbitraries/HostileReplies"
import * as HostileServer from "@effect-marketdata/testing/HostileServer"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { dirname } from "node:path"
import { parseArgs } from "node:util"
import type { Round, Task } from "./hostile/child.ts"
import * as Process from "./hostile/process.ts"
import { answers, fieldsOf, questionOf } from "./hostile/questions.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    rounds: { type: "string" },
    seed: { type: "string" },
    node: { type: "string", default: process.execPath },
    verbose: { type: "boolean", default: false }
  }
})

const number = (name: string, text: string, least: number): number => {
  const value = Number(text)
  if (Number.isFinite(value) && value >= least) return value
  console.error(`--${name} is a number from ${least} on, and not ${text}`)
  process.exit(2)
}

const seed = number("seed", values.seed ?? String(Math.floor(Math.random() * 2 ** 31)), 0)
const minutes = number("minutes", values.minutes ?? "1", 0)
const rounds = values.rounds === undefined ? Infinity : number("rounds", values.rounds, 1)

/** How long a question may take, and by how much it may pass that on a machine that does other things besides, in milliseconds. */
const deadline = 1500
const mostLate = 3000

/**
 * The longest that the event loop may stand still once everything was compiled, and before, in milliseconds of work. Older Nodes know the work of all
 * threads only, to which those that collect garbage and compile belong.
 */
const mostStall = 100
const mostFirstStall = 400

/** The heap of the process, and the most memory it may take with what lies outside of it, in megabytes. */
const heapMegabytes = 512
const mostMegabytes = 1024

/** By how much the memory in use may grow from the first round of a client to its last, in megabytes: code that is compiled, and caches with a bound. */
const mostGrowth = 32

/** How large a body with an end is at most. */
const maxBytes = 3_000_000

const child = await Process.start(dirname(import.meta.dirname), values.node, heapMegabytes)

/** Those of Node; the undici that comes as a package needs a newer one than 20. */
const isOld = /^v2[0-2]\./.test(child.node)
const clients: ReadonlyArray<Task["client"]> = isOld ? ["fetch", "node:http"] : ["fetch", "node:http", "undici"]

/**
 * What the fetch of a Node does not bear, and nobody outside can help, is not sent to it. Undici 7.29 dies of an assertion where the connection is
 * closed while a body waits for its reader; undici 6.24 never lets go of a connection whose reply has a body that its status does not have.
 */
const forFetch = (reply: HostileReplies.HostileReply): HostileReplies.HostileReply => {
  if (child.undici.startsWith("6.")) {
    const coding = { label: undefined, actual: [], cut: false }
    return [204, 304].includes(reply.status) ? { ...reply, body: [], coding, framing: "length", end: "keeps" } : reply
  }
  if (!child.undici.startsWith("7.")) return reply
  return {
    ...reply,
    framing: reply.framing === "close" ? "chunked" : reply.framing,
    end: reply.end === "closes" ? "keeps" : reply.end === "breaks" ? "hangs" : reply.end
  }
}

const kinds = new Set<string>()
let asked = 0

const answered = await Effect.runPromise(answers)

/** The reply to a request, the same for the same seed and number. */
const replyTo = ({ target }: HostileServer.Asked): HostileReplies.HostileReply => {
  const query = questionOf(target)
  if (query === undefined) throw new Error(`nobody is to ask ${target}`)
  const options = { fields: fieldsOf(query), maxBytes, answers: [answered.get(query)!] }
  const drawn = fc.sample(HostileReplies.reply(options), { seed: seed + asked++, numRuns: 1 })[0]!
  const reply = target.startsWith("/fetch/") ? forFetch(drawn) : drawn
  kinds.add(reply.kind)
  if (values.verbose) console.error(`${asked - 1} ${target} ${HostileReplies.describe(reply)}`)
  return reply
}

/** What came of all rounds of a client, how long its first one stood still, and what was in use after it. */
interface Total extends Round {
  readonly firstStall: number
  readonly firstKept: number
}

const add = (total: Total | undefined, round: Round): Total => {
  if (total === undefined) return { ...round, stall: 0, firstStall: round.stall, firstKept: round.kept }
  const outcomes = { ...total.outcomes }
  for (const [name, count] of Object.entries(round.outcomes)) outcomes[name] = (outcomes[name] ?? 0) + count
  return {
    ...total,
    questions: total.questions + round.questions,
    outcomes,
    defects: [...total.defects, ...round.defects],
    late: Math.max(total.late, round.late),
    stall: Math.max(total.stall, round.stall),
    megabytes: Math.max(total.megabytes, round.megabytes),
    kept: round.kept,
    fibers: Math.max(total.fibers, round.fibers),
    sockets: Math.max(total.sockets, round.sockets)
  }
}

const started = performance.now()
const problems: Array<string> = []
const totals = new Map<string, Total>()

const program = Effect.gen(function*() {
  const { baseUrl, open } = yield* HostileServer.serve(replyTo)
  for (let done = 0; done < rounds && performance.now() - started < minutes * 60_000; done++) {
    for (const client of clients) {
      const task: Task = { baseUrl: `${baseUrl}/${client}`, client, rounds: 2, concurrency: 20, deadline }
      yield* Effect.promise(() =>
        child.work(task).then(
          (round) => void totals.set(client, add(totals.get(client), round)),
          ({ message }: Error) => void problems.push(`${client}: ${message}, after ${asked} replies`)
        )
      )
    }
  }
  yield* Effect.promise(child.end)
  for (let turn = 0; turn < 100 && open() > 0; turn++) yield* Effect.sleep(20)
  if (open() > 0) problems.push(`${open()} connections were left open`)
})

await Effect.runPromise(
  program.pipe(Effect.scoped, Effect.provide(NodeSocketServer.layer({ port: 0, host: "127.0.0.1" })))
)

const count = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })
const row = (name: string, of: (total: Total) => number): void =>
  console.log(name.padEnd(24) + [...totals.values()].map((total) => count.format(of(total)).padStart(12)).join(""))

console.log("".padEnd(24) + [...totals.keys()].map((client) => client.padStart(12)).join(""))
row("questions", ({ questions }) => questions)
for (const name of [...new Set([...totals.values()].flatMap(({ outcomes }) => Object.keys(outcomes)))].toSorted()) {
  row(`  ${name}`, ({ outcomes }) => outcomes[name] ?? 0)
}
row("longest stall, ms", ({ stall }) => stall)
row("  of the first round", ({ firstStall }) => firstStall)
row("latest answer, ms", ({ late }) => Math.max(0, late))
row("memory, MB", ({ megabytes }) => megabytes)
row("  in use at the end", ({ kept }) => kept)
row("  more than at first", ({ firstKept, kept }) => Math.max(0, kept - firstKept))
row("fibers left", ({ fibers }) => fibers)
row("sockets left", ({ sockets }) => sockets)

for (const [client, { defects, fibers, firstKept, firstStall, kept, late, megabytes, sockets, stall }] of totals) {
  problems.push(...defects.map((defect) => `${client}: ${defect}`))
  if (late > mostLate) problems.push(`${client}: a question was ${late.toFixed(0)} ms late`)
  if (stall > (isOld ? 3 : 1) * mostStall) {
    problems.push(`${client}: the event loop stood still for ${stall.toFixed(0)} ms`)
  }
  if (firstStall > mostFirstStall) problems.push(`${client}: it stood still for ${firstStall.toFixed(0)} ms at first`)
  if (megabytes > mostMegabytes) problems.push(`${client}: ${megabytes.toFixed(0)} MB of memory`)
  if (kept - firstKept > mostGrowth) {
    problems.push(`${client}: ${(kept - firstKept).toFixed(0)} MB more in use than at first`)
  }
  if (fibers > 0) problems.push(`${client}: ${fibers} fibers are left`)
  if (sockets > 0) problems.push(`${client}: ${sockets} sockets are left`)
}
for (const problem of problems) console.error(problem)
console.log(
  `seed ${seed}, ${count.format(asked)} replies of ${kinds.size} kinds, Node ${child.node}, ${
    ((performance.now() - started) / 1000).toFixed(0)
  } s: ${problems.length} problems`
)
process.exitCode = problems.length > 0 ? 1 : 0

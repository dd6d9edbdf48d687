/** `npm run hostile`: asks a hostile server all queries over each HTTP client, in a process with little heap. */
import type { EndpointName } from "@effect-marketdata/core/Query"
import * as HostileReplies from "@effect-marketdata/testing/HostileReplies"
import * as HostileServer from "@effect-marketdata/testing/HostileServer"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { body } from "../packages/core/test/support/chains.ts"
import { exchanges } from "../packages/core/test/support/replies.ts"
import type { Round, Task } from "./hostile/child.ts"
import * as Process from "./hostile/process.ts"
import { fieldsOf, queryOf } from "./hostile/queries.ts"
import * as Script from "./shared/script.ts"

/** How long a query may take, in milliseconds. */
const deadline = 1500

const heapMegabytes = 512

/** How large a body with an end is at most. */
const maxBytes = 3_000_000

/** The most that any of some rounds came to. */
const worst = (rounds: ReadonlyArray<Round>, name: "stall" | "late" | "megabytes" | "fibers" | "sockets"): number =>
  Math.max(0, ...rounds.map((round) => round[name]))

/**
 * What is measured over the rounds of a client, and the most that it may be; on a Node before 24 three times as much where `ofAll` is set, as that
 * knows the work of all threads only.
 */
const figures: ReadonlyArray<{
  readonly what: string
  readonly of: (rounds: ReadonlyArray<Round>) => number
  readonly most?: number
  readonly ofAll?: boolean
}> = [
  { what: "queries", of: (rounds) => rounds.reduce((sum, { queries }) => sum + queries, 0) },
  // Once everything was compiled, and before.
  { what: "longest stall, ms", of: ([, ...rounds]) => worst(rounds, "stall"), most: 100, ofAll: true },
  { what: "  of the first round", of: ([first]) => first!.stall, most: 400 },
  // On a machine that does other things besides.
  { what: "latest answer, ms", of: (rounds) => worst(rounds, "late"), most: 3000 },
  { what: "memory, MB", of: (rounds) => worst(rounds, "megabytes"), most: 2 * heapMegabytes },
  { what: "  in use at the end", of: (rounds) => rounds.at(-1)!.kept },
  // Code that is compiled, and caches with a bound.
  { what: "  more than at first", of: (rounds) => Math.max(0, rounds.at(-1)!.kept - rounds[0]!.kept), most: 32 },
  { what: "fibers left", of: (rounds) => worst(rounds, "fibers"), most: 0 },
  { what: "sockets left", of: (rounds) => worst(rounds, "sockets"), most: 0 }
]

/**
 * What the fetch of a Node does not bear, and nobody outside can help, is not sent to it. Undici 7.29 dies of an assertion where the connection is
 * closed while a body waits for its reader; undici 6.24 never lets go of a connection whose reply has a body that its status does not have.
 */
const forFetch = (undici: string, reply: HostileReplies.HostileReply): HostileReplies.HostileReply => {
  if (undici.startsWith("6.")) {
    const coding = { label: undefined, actual: [], cut: false }
    return [204, 304].includes(reply.status) ? { ...reply, body: [], coding, framing: "length", end: "keeps" } : reply
  }
  if (!undici.startsWith("7.")) return reply
  return {
    ...reply,
    framing: reply.framing === "close" ? "chunked" : reply.framing,
    end: reply.end === "closes" ? "keeps" : reply.end === "breaks" ? "hangs" : reply.end
  }
}

Script.run({
  name: "hostile",
  what:
    `Asks a hostile server all queries over each HTTP client, under ${heapMegabytes} MB of heap. Fails where one ends in anything but an answer or a typed error, is late or leaves something behind.`,
  examples: [
    ["--minutes 10 --seed 1", "for so long"],
    ["--rounds 2 --node /usr/bin/node", "so many times, under another Node"]
  ]
}, {
  minutes: Script.positive("minutes", "How long to go on; 1 by default").pipe(Flag.withDefault(1)),
  rounds: Script.whole("rounds", "How many times to ask everything at most", 1).pipe(Flag.withDefault(Infinity)),
  seed: Script.seed,
  node: Flag.String("node").pipe(
    Flag.withDescription("The Node to ask with; by default the one that runs this"),
    Flag.withDefault(process.execPath)
  )
}, async ({ minutes, node, rounds: times, seed }) => {
  const child = await Process.start(node, heapMegabytes)
  // The undici that comes as a package needs a newer Node than 20.
  const isOld = /^v2[0-2]\./.test(child.node)
  const clients: ReadonlyArray<Task["client"]> = isOld ? ["fetch", "node:http"] : ["fetch", "node:http", "undici"]
  // What the service may answer, to be spoilt: of a chain many contracts.
  const answers = { ...exchanges, optionChain: { body: body(20_000) } }
  const kinds = new Set<string>()
  let asked = 0

  /** The reply to a request, the same for the same seed and number. */
  const replyTo = ({ target }: HostileServer.Asked): HostileReplies.HostileReply => {
    const query = queryOf(target)
    if (query === undefined) throw new Error(`nobody is to ask ${target}`)
    const options = { fields: fieldsOf(query), maxBytes, answers: [answers[query.endpoint.name as EndpointName].body] }
    const drawn = fc.sample(HostileReplies.reply(options), { seed: seed + asked++, numRuns: 1 })[0]!
    const reply = target.startsWith("/fetch/") ? forFetch(child.undici, drawn) : drawn
    kinds.add(reply.kind)
    return reply
  }

  const progress = Script.progress(0)
  const problems: Array<string> = []
  const rounds = new Map<string, Array<Round>>()
  const program = Effect.gen(function*() {
    const { baseUrl, open } = yield* HostileServer.serve(replyTo)
    for (let done = 0; done < times && progress.elapsed() < minutes * 60_000; done++) {
      for (const client of clients) {
        const task: Task = { baseUrl: `${baseUrl}/${client}`, client, rounds: 2, concurrency: 20, deadline }
        yield* Effect.promise(() =>
          child.work(task).then(
            (round) => void rounds.set(client, [...rounds.get(client) ?? [], round]),
            ({ message }: Error) => void problems.push(`${client}: ${message}, after ${asked} replies`)
          )
        )
      }
    }
    yield* Effect.promise(child.end)
    for (let turn = 0; turn < 100 && open() > 0; turn++) yield* Effect.sleep(20)
    if (open() > 0) problems.push(`${open()} connections were left open`)
  })
  const socket = NodeSocketServer.layer({ port: 0, host: "127.0.0.1" })
  await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(socket)))

  const count = (value: number): string => Math.round(value).toLocaleString("en-US")
  const row = (what: string, cells: ReadonlyArray<string>): void =>
    console.log(what.padEnd(24) + cells.map((cell) => cell.padStart(12)).join(""))
  row("", [...rounds.keys()])
  for (const { most = Infinity, of, ofAll, what } of figures) {
    const limit = ofAll === true && isOld ? 3 * most : most
    const found = Array.from(rounds, ([client, own]) => ({ client, value: of(own) }))
    row(what, found.map(({ value }) => count(value)))
    for (const { client, value } of found) {
      if (value > limit) problems.push(`${client}: ${what.trim()}: ${count(value)}, at most ${limit}`)
    }
  }
  const all = [...rounds.values()]
  for (const name of new Set(all.flat().flatMap(({ outcomes }) => Object.keys(outcomes)).toSorted())) {
    row(`  ${name}`, all.map((own) => count(own.reduce((sum, { outcomes }) => sum + (outcomes[name] ?? 0), 0))))
  }
  for (const [client, own] of rounds) {
    problems.push(...own.flatMap(({ defects }) => defects).map((defect) => `${client}: ${defect}`))
  }
  for (const problem of problems) console.error(problem)
  const replies = `${count(asked)} replies of ${kinds.size} kinds`
  console.log(`seed ${seed}, ${replies}, Node ${child.node}, ${progress.seconds()}: ${problems.length} problems`)
  return problems.length === 0
})

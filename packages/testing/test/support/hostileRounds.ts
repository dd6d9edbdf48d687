/** Rounds of every query over each HTTP client, at a server that answers each with something hostile. */
import type { EndpointName } from "@effect-marketdata/core/Query"
import { HostileReplies, HostileServer } from "@effect-marketdata/testing"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { Round, Task } from "../../../client/test/support/hostileCalls.ts"
import { fieldsOf, queryOf } from "../../../client/test/support/hostileQueries.ts"
import { body } from "../../../core/test/support/chains.ts"
import { exchanges } from "../../../core/test/support/replies.ts"

/** The process that asks: which undici its Node has, and how it is given a task. */
export interface Asker {
  readonly undici: string
  readonly work: (task: Task) => Promise<Round>
  readonly end: () => Promise<void>
}

/** How long a query may take, in milliseconds. */
const deadline = 1500

/** How large a body with an end is at most. */
const maxBytes = 3_000_000

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

/**
 * Asks over each client as long as it goes on. What is drawn is the same for the same seed. Returns what came of the rounds, by client; `asked` replies of
 * so many `kinds` were sent.
 */
export const play = async (
  { end, undici, work }: Asker,
  clients: ReadonlyArray<Task["client"]>,
  seed: number,
  goesOn: (done: number) => boolean
) => {
  // What the service may answer, to be spoilt: of a chain many contracts.
  const answers = { ...exchanges, optionChain: { body: body(20_000) } }
  const kinds = new Set<string>()
  const problems: Array<string> = []
  const rounds = new Map<string, Array<Round>>()
  let asked = 0

  const replyTo = ({ target }: HostileServer.Asked): HostileReplies.HostileReply => {
    const query = queryOf(target)
    if (query === undefined) throw new Error(`nobody is to ask ${target}`)
    const options = { fields: fieldsOf(query), maxBytes, answers: [answers[query.endpoint.name as EndpointName].body] }
    const drawn = fc.sample(HostileReplies.reply(options), { seed: seed + asked++, numRuns: 1 })[0]!
    const reply = target.startsWith("/fetch/") ? forFetch(undici, drawn) : drawn
    kinds.add(reply.kind)
    return reply
  }

  const program = Effect.gen(function*() {
    const { baseUrl, open } = yield* HostileServer.serve(replyTo)
    for (let done = 0; goesOn(done); done++) {
      for (const client of clients) {
        const task: Task = { baseUrl: `${baseUrl}/${client}`, client, rounds: 2, concurrency: 20, deadline }
        yield* Effect.promise(() =>
          work(task).then(
            (round) => void rounds.set(client, [...rounds.get(client) ?? [], round]),
            ({ message }: Error) => void problems.push(`${client}: ${message}, after ${asked} replies`)
          )
        )
      }
    }
    yield* Effect.promise(end)
    for (let turn = 0; turn < 1500 && open() > 0; turn++) yield* Effect.sleep(20)
    if (open() > 0) problems.push(`${open()} connections were left open`)
  })
  const socket = NodeSocketServer.layer({ port: 0, host: "127.0.0.1" })
  await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(socket)))
  return { rounds, problems, asked, kinds: kinds.size }
}

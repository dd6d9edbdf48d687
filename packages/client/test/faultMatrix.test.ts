/** What goes wrong on the wire, what the client makes of it, and that nothing is left behind. */
import { MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import * as Retry from "@effect-marketdata/core/Retry"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Fiber, Metric, Result } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as TestClock from "effect/testing/TestClock"
import { brotliCompressSync, gzipSync } from "node:zlib"
import * as Http from "../../cli/src/call/http.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { balance, clientOf } from "./support/clients.ts"
import { pricesBody } from "./support/scripted.ts"
import * as Wire from "./support/wire.ts"

const clients = {
  fetch: FetchHttpClient.layer,
  "node:http": NodeHttpClient.layerNodeHttp,
  undici: NodeHttpClient.layerUndici,
  commands: Http.layer
}
type Client = keyof typeof clients

const policies = { none: { ...Retry.defaultPolicy, attempts: 1 }, default: Retry.defaultPolicy }
type Policy = keyof typeof policies

/** What a query comes to: the tag of its reason or of its answer, the requests sent for it, and the credits that were, or may have been, charged. */
type Outcome = readonly [tag: string, attempts: number, charged: number, uncertain: number]

type Outcomes = { readonly [P in Policy]: Outcome }

interface Fault extends Outcomes {
  /** Undefined where nobody listens. */
  readonly answer?: Wire.Answer
  readonly baseUrl?: string
  /** What comes of it over clients that undo codings, where that differs. */
  readonly decoded?: Outcomes
}

const body = pricesBody(["A"])
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const chunked = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
const maxReplyBytes = 100_000

const endless: Wire.Answer = (socket) => {
  const more = () => {
    while (socket.writable && socket.write(chunk(`"A",`.repeat(1000))));
  }
  socket.on("drain", more)
  socket.write(chunked + chunk(`{"s":"ok","symbol":[`))
  more()
}

const drip: Wire.Answer = (socket, stall) => {
  let at = 0
  const next = () => {
    if (!socket.writable) return
    // The last byte never comes: one for each turn of the event loop, until it has come often enough to be called slow.
    socket.write(chunk(at < body.length - 1 ? body[at]! : " "))
    if (at++ === 50) stall()
    setImmediate(next)
  }
  socket.write(chunked)
  next()
}

/** Where a redirect leads: another origin, which must not hear of it. */
const elsewhere = "http://127.0.0.1:9/v1/stocks/prices/"

/** What comes of a reply that is not asked for again. */
const once = (...outcome: Outcome): Outcomes => ({ none: outcome, default: outcome })

/** What comes of a reply that is lost, that is late, and that cannot be read. */
const lost: Outcomes = { none: ["TransportFailure", 1, 0, 1], default: ["TransportFailure", 4, 0, 4] }
const late: Outcomes = { none: ["TimedOut", 1, 0, 1], default: ["TimedOut", 4, 0, 4] }
const unread = once("MalformedReply", 1, 0, 1)
const unsent: Outcomes = { none: ["TransportFailure", 1, 0, 0], default: ["TransportFailure", 4, 0, 0] }
const refused = once("Unauthorized", 1, 0, 0)
/** All data have come, whatever becomes of the rest of the reply. */
const answered = once("Answered", 1, 1, 0)

const gzipped = { "content-encoding": "gzip" }
const refusing = Wire.reply(401, "{", { "content-length": 100 })
const half = chunked + chunk(body.slice(0, 30))
const halfZipped = gzipSync(body).subarray(0, gzipSync(body).length / 2)

/** Answers with one reply, and ends the connection. */
const replies = (...reply: Parameters<typeof Wire.reply>): Wire.Answer => (socket) => socket.end(Wire.reply(...reply))

const faults: Readonly<Record<string, Fault>> = {
  "refused connection": unsent,
  // No name has a part this long: nobody has to be asked.
  "name that does not resolve": { baseUrl: `https://${"a".repeat(64)}.invalid`, ...unsent },
  "reset before the reply": { answer: (socket) => socket.resetAndDestroy(), ...lost },
  "reset within the body": { answer: (socket) => socket.write(half, () => socket.resetAndDestroy()), ...lost },
  "stall before the reply": { answer: (_, stall) => stall(), ...late },
  "stall within the body": { answer: (socket, stall) => socket.write(half, stall), ...late },
  "slow drip": { answer: drip, ...late },
  // Fetch hands out what it could undo, and takes the end for an end; commands miss the end. The others undo nothing, and nobody asked for it.
  "truncated gzip": { answer: replies(200, halfZipped, gzipped), ...unread, decoded: lost },
  // The client cannot undo the coding. Another reply would be no better, and charged again.
  "another coding than it says": { answer: replies(200, brotliCompressSync(body), gzipped), ...unread },
  "content-length above the body's": { answer: replies(200, body, { "content-length": body.length + 7 }), ...answered },
  "chunks without the last one": { answer: (socket) => socket.end(chunked + chunk(body)), ...answered },
  "stall after the data": { answer: (socket, stall) => socket.write(chunked + chunk(body), stall), ...answered },
  "content-length below the body's": { answer: replies(200, body, { "content-length": body.length - 7 }), ...unread },
  "HTML 502": {
    answer: replies(502, "<html><h1>Bad Gateway</h1></html>", { "content-type": "text/html" }),
    none: ["ServerFault", 1, 0, 0],
    default: ["ServerFault", 10, 0, 0]
  },
  // So a server closes an idle connection, in the moment in which a request is sent over it.
  "408": { answer: replies(408), none: ["UnexpectedStatus", 1, 0, 0], default: ["UnexpectedStatus", 10, 0, 0] },
  "stall within a refusal": { answer: (socket, stall) => socket.write(refusing, stall), ...refused },
  "endless body": { answer: endless, ...once("ReplyTooLarge", 1, 0, 1) },
  "redirect to another origin": {
    answer: replies(302, "", { location: elsewhere }),
    ...once("UnexpectedStatus", 1, 0, 0)
  }
}

/** Counts the fibers that were started, and those that are alive. */
const fiberCount = () => {
  const count = { started: 0, alive: 0 }
  const service: Metric.FiberRuntimeMetricsService = {
    recordFiberStart: () => {
      count.started++
      count.alive++
    },
    recordFiberEnd: () => void count.alive--
  }
  return { service, count }
}

/** One turn of the event loop, for what happens on sockets. */
const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Lets time go by until a query is answered: an hour, which no attempt may take, only once the wire says that no more will come. */
const drive = Effect.fnUntraced(function*<A, E>(fiber: Fiber.Fiber<A, E>, wire: Wire.Wire) {
  for (let seen = 0; fiber.pollUnsafe() === undefined;) {
    yield* turn
    const isStalled = wire.stalls() > seen
    if (isStalled) seen++
    yield* TestClock.adjust(isStalled ? "1 hour" : "100 millis")
  }
  return yield* Fiber.join(fiber)
})

/** Asks once under a fault, and says what came of it and what was left behind. */
const suffer = Effect.fnUntraced(function*(client: Client, fault: Fault, policy: Policy) {
  const wire = yield* Wire.serve(fault.answer)
  const fibers = fiberCount()
  const outcome = yield* Effect.gen(function*() {
    const fiber = yield* MarketData.stockPrices(["A"]).pipe(
      Effect.result,
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make(policies[policy])),
      Effect.provideService(Policies.AttemptTimeout, 3_600_000),
      Effect.provideService(Metric.FiberRuntimeMetrics, fibers.service),
      Effect.forkChild
    )
    const asked = yield* drive(fiber, wire)
    const { charged, reserved, uncertain } = yield* balance
    yield* wire.quiet
    const tag = Result.isFailure(asked) ? asked.failure.reason._tag : "Answered"
    const is: Outcome = [tag, Result.merge(asked).trace.length, charged, uncertain]
    return { is, reserved }
  }).pipe(
    Effect.provide(clientOf({ layer: clients[client] }, {
      baseUrl: fault.baseUrl ?? wire.baseUrl,
      allowance: 100,
      maxReplyBytes
    }))
  )
  assert.isAbove(fibers.count.started, 0)
  const left = { fibers: fibers.count.alive, sockets: wire.open(), reservations: outcome.reserved }
  return { is: outcome.is, left, requests: wire.requests.length }
})

for (const client of ["fetch", "node:http", "undici", "commands"] as const) {
  describe(client, () => {
    for (const [name, fault] of Object.entries(faults)) {
      for (const policy of ["none", "default"] as const) {
        it.effect(`${name}, retries: ${policy}`, function*() {
          const { is, left, requests } = yield* suffer(client, fault, policy)
          const expected = ((client === "fetch" || client === "commands") && fault.decoded || fault)[policy]
          assert.deepStrictEqual(is, expected)
          assert.deepStrictEqual(left, { fibers: 0, sockets: 0, reservations: 0 })
          assert.strictEqual(requests, fault.answer === undefined ? 0 : expected[1])
        })
      }
    }
  })
}

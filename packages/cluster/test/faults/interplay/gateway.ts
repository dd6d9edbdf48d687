import type { Claim } from "@effect-marketdata/client/Claim"
import { Effect, Fiber, Layer } from "effect"
import { Sharding } from "effect/cluster/Sharding"
import * as SqlClient from "effect/sql/SqlClient"
import { of, type Seam } from "../../../../core/test/support/seam.ts"

const Answers = of(() => import("../../../src/wire/answers.ts"))
const Calls = of(() => import("../../../src/runner/calls.ts"))
const Calling = of(() => import("../../../src/gateway/calling.ts"))
const Connections = of(() => import("../../../src/wire/connections.ts"))
const Protocol = of(() => import("@effect-marketdata/cluster/Protocol"))
const Running = of(() => import("../../../src/job/running.ts"))
const Serving = of(() => import("../../../src/gateway/serving.ts"))
const Store = of(() => import("../../../src/job/store.ts"))
const Terms = of(() => import("../../../src/wire/terms.ts"))
const Turns = of(() => import("@effect-marketdata/cluster/Turns"))

/** The tests that should find them, as `client/retry` for one of the client's. */
export const tests = `
  cluster/Gateway cluster/GatewaySimulation cluster/Job cluster/JobKills cluster/Turns
  cluster/answers cluster/calls cluster/room cluster/sockets cluster/terms
`.trim().split(/\s+/)

/** What machines with one account would do to their callers. */
export const faults: ReadonlyArray<Seam> = [
  Running.ask(
    "the consent of a job is doubled",
    (ask) => (place, input, settings) => ask(place, { ...input, consent: 2 * input.consent }, settings)
  ),
  Serving.claims("a call that is brought again is another call", (claims) => () => {
    const claimed = claims()
    let calls = 0
    return (call: string, claim: Claim | undefined) => claimed(`${call} ${calls++}`, claim)
  }),
  Store.begin("a job asks beyond its budget", (begin) => (place) => begin(place, 0)),
  Store.settle(
    "what a query of a job cost is not written down",
    (settle) => (place, outcome) => settle(place, "credits" in outcome ? { ...outcome, credits: 0 } : outcome)
  ),
  Store.isKept("what a job has kept is asked for again", () => () => Effect.succeed(false)),
  Terms.consents("callers pay twice what they consented to", (consents) => () => {
    const consent = consents()
    return (ceiling: number) => consent(2 * ceiling)
  }),
  Terms.of(
    "consent to nothing is consent to any price",
    (of) => (query, usual) =>
      Effect.map(of(query, usual), (terms) => terms.ceiling === 0 ? { ...terms, ceiling: Infinity } : terms)
  ),
  Terms.within(
    "a deadline begins anew at the gateway",
    (within) => (base, terms, options) => within(base, terms, { ...options, waited: 0 })
  ),
  Turns.leave("a place is lost where a call ends", (leave) => (self) => {
    const left = leave(self)
    return { ...left, turns: { ...left.turns, running: self.running } }
  }),
  Turns.cancel("a seat is lost where a call that waits goes away", (cancel) => (self, caller, call) => ({
    ...cancel(self, caller, call),
    seated: self.seated
  })),
  Turns.waitingOf("an equal caller unseats another", (waitingOf) => (self, caller) => waitingOf(self, caller).slice(1)),
  Calling.next(
    "a call that was perhaps sent is said not to have been",
    (next) => (cause, known) => next(cause, { ...known, age: 0, wasSent: false })
  ),
  Serving.budgetOf("a caller spends beyond its budget", () => () => undefined),
  Connections.isProven("any credential is believed", () => () => true),
  Serving.over("a runner does not wait for calls that came straight", () => () => Effect.void),
  Connections.joined("a call goes on that nobody waits for", () => (begun) => Fiber.join(begun)),
  Calls.forget("a runner that has lost an account is asked for ever", () => () => {}),
  Answers.readHead("what is unusual is read by hand", () => (text: string) => JSON.parse(text)),
  Calls.layerForeign("accounts are made that nobody serves", () => Layer.effect(Sharding, Sharding)),
  Protocol.largestCall("a frame of a caller has no bound", () => 64 * 1024 * 1024),
  Calling.reading(
    "callers with the cache of the runners ask the sender",
    () => () => Effect.succeed(() => Effect.succeedNone)
  ),
  Running.remove(
    "what a removed job paid for is paid again",
    (remove) => (id) =>
      Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.andThen(remove(id), sql`DELETE FROM marketdata_event`))
  )
]

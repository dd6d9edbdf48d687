import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Query from "@effect-marketdata/core/Query"
import type * as Effect from "effect/Effect"
import { askedBy } from "../laws/RequestLaws.ts"
import * as Service from "./service.ts"

/**
 * What came of a query: its requests in order. Of a client also why it failed, by the reason's tag, and where its ledger stands.
 */
export interface Observation {
  readonly replies: ReadonlyArray<Service.Reply>
  readonly reason?: string | undefined
  readonly balance?: Balance | undefined
}

/**
 * Where the ledger of the asker stands, in credits.
 */
export interface Balance {
  readonly charged: number
  readonly uncertain: number
  readonly reserved: number
}

/**
 * What stories are played to.
 *
 * - `kind`: a client falls back to live data by itself, and sends nothing while it knows of a block
 * - `ask`: asks a query for one of the model's accounts, from one of its addresses
 * - `wait`: lets a number of seconds pass
 */
export interface Subject {
  readonly kind: "service" | "client"
  readonly ask: (ask: Service.Ask) => Effect.Effect<Observation>
  readonly wait: (seconds: number) => Effect.Effect<void>
}

/**
 * A story as far as it has been played: the service's side of it, what each client knows, and the steps in words.
 */
export interface World {
  service: Service.State
  readonly clients: Map<string, { heldUntil: number; charged: number }>
  readonly story: Array<string>
}

/** Raised where subject and model differ, with the story so far. */
export class Difference extends Error {
  override readonly name = "Difference"
  readonly story: ReadonlyArray<string>
  constructor(complaint: string, story: ReadonlyArray<string>) {
    super(complaint)
    this.story = [...story]
  }
}

const reasonOf: Readonly<Record<number, ReadonlyArray<string>>> = {
  200: [],
  203: [],
  204: ["NoCachedData", "NoLiveData", "UnexpectedNoContent"],
  401: ["Unauthorized"],
  402: ["PlanRequired"],
  403: ["AddressBlocked"],
  404: ["NotFound"],
  429: ["CreditsExhausted"]
}

const isHeld = (world: World, key: string): boolean =>
  world.service.now <= (world.clients.get(key)?.heldUntil ?? -Infinity)

/** Plays a query to the model as it is answered, request by request; raises where they differ. */
export const play = (
  world: World,
  ask: Service.Ask,
  { balance, reason, replies }: Observation,
  kind: Subject["kind"]
): void => {
  const key = `${ask.who} ${ask.from}`
  const client = world.clients.get(key) ?? { heldUntil: -Infinity, charged: 0 }
  world.clients.set(key, client)
  const held = kind === "client" && isHeld(world, key)
  let next: Service.Request | undefined = held
    ? undefined
    : { ...ask, isCached: DataMode.isCached(ask.query.mode) }
  const live = ask.query.mode?._tag === "CachedOrLive" ? Query.withMode(ask.query, DataMode.live) : ask.query
  const differ = (complaint: string): never => {
    throw new Difference(complaint, world.story)
  }
  for (const reply of replies) {
    if (next === undefined) {
      return differ(`expected no request, since ${held ? "the client knows of the block" : "the query was over"}`)
    }
    const target = Query.target(next.isCached ? ask.query : live)
    if (reply.target !== undefined && askedBy(reply.target) !== askedBy(target)) {
      return differ(`expected a request for ${target}, and came one for ${reply.target}`)
    }
    const complaint = Service.complaint(Service.expect(world.service, next), reply)
    if (complaint !== undefined) return differ(complaint)
    world.service = Service.after(world.service, next, reply)
    client.charged += reply.credits
    if (reply.status === 403) client.heldUntil = world.service.now + block
    const fallsBack = ask.query.mode?._tag === "CachedOrLive" && next.isCached && reply.status === 204
    next = fallsBack ? { ...ask, isCached: false } : undefined
  }
  if (next !== undefined) {
    return differ(`expected another request, and none came${reason === undefined ? "" : `: ${reason}`}`)
  }
  if (kind === "service") return
  const last = replies.at(-1)
  const reasons = last === undefined ? ["IpBlocked"] : reasonOf[last.status] ?? []
  if (reasons.length === 0 ? reason !== undefined : !reasons.includes(reason ?? "")) {
    return differ(`expected ${reasons.join(" or ") || "an answer"}, and came ${reason ?? "an answer"}`)
  }
  if (balance !== undefined && (balance.charged !== client.charged || balance.uncertain + balance.reserved !== 0)) {
    return differ(
      `expected ${client.charged} credits in the ledger, all of them charged, and there were ${balance.charged} charged, ` +
        `${balance.uncertain} uncertain and ${balance.reserved} reserved`
    )
  }
}

/** How long an address is blocked, in seconds. */
const block = 300

/**
 * What programs know together of the addresses of an account: core's rule, and who may have requests in flight. For core's rule a program that sends is
 * one request in flight, from when it enters to when it leaves or its lease is over. Pure; times are epoch seconds.
 */
import * as IpRule from "@effect-marketdata/core/IpRule"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A program that may have requests in flight: `since` is when it entered, and its lease is over at `expires`, `lease` after it asked. */
const Sender = Schema.Struct({
  owner: Schema.String,
  askedBy: Schema.String,
  address: Schema.String,
  since: Schema.Number,
  lease: Schema.optionalKey(Schema.Number),
  expires: Schema.Number
})
type Sender = typeof Sender.Type

/**
 * - `suspect`: whether the last word of the service was a block
 * - `trial`: which program has the request in flight that finds out whether the block is over
 */
export interface State {
  readonly rule: IpRule.IpRule
  readonly switching: boolean
  readonly suspect: boolean
  readonly trial: string | undefined
  readonly senders: ReadonlyArray<Sender>
}

/** Nobody has sent anything. */
export const empty: State = { rule: IpRule.empty, switching: false, suspect: false, trial: undefined, senders: [] }

const Addresses = Schema.Array(Schema.Tuple([Schema.String, Schema.Number]))
const Written = Schema.fromJsonString(Schema.toCodecJson(Schema.Struct({
  address: Schema.UndefinedOr(Schema.String),
  switchedAt: Schema.Number,
  left: Addresses,
  blocks: Addresses,
  switching: Schema.Boolean,
  suspect: Schema.Boolean,
  trial: Schema.UndefinedOr(Schema.String),
  senders: Schema.Array(Sender)
})))
const write = Schema.encodeSync(Written)
const read = Schema.decodeEffect(Written)

/** Writes the state as JSON. */
export const encode = ({ rule, ...rest }: State): string =>
  write({ ...rest, ...rule, left: [...rule.left], blocks: [...rule.blocks] })

const upTo = (most: number, times: typeof Addresses.Type) =>
  new Map(times.map(([address, at]) => [address, Math.min(at, most)]))

/** Reads what `encode` wrote. Times that are later than they can be were written before the clock was set back: they count from now. */
export const decode = (text: string, now: number): Effect.Effect<State, Schema.SchemaError> =>
  Effect.map(read(text), ({ address, blocks, left, senders, switchedAt, ...rest }) => ({
    ...rest,
    senders: senders.map((sender) => ({
      ...sender,
      expires: Math.min(sender.expires, now + (sender.lease ?? Infinity))
    })),
    rule: {
      address,
      switchedAt: Math.min(switchedAt, now),
      left: upTo(now, left),
      blocks: upTo(now + IpRule.blockSeconds, blocks)
    }
  }))

const trafficOf = ({ rule, senders, switching }: State): IpRule.Traffic => ({
  rule,
  switching,
  inFlight: senders.length
})

const withTraffic = (state: State, { rule, switching }: IpRule.Traffic): State => ({ ...state, rule, switching })

/** Whether a program is among those that may have requests in flight. */
export const isSender = ({ senders }: State, owner: string): boolean => senders.some((sender) => sender.owner === owner)

/** Whether a program has a lease for an address at this time. */
export const holds = ({ senders }: State, owner: string, address: string, now: number): boolean =>
  senders.some((sender) => sender.owner === owner && sender.address === address && sender.expires > now)

const without = (state: State, owner: string): State => ({
  ...state,
  senders: state.senders.filter((sender) => sender.owner !== owner),
  trial: state.trial === owner ? undefined : state.trial
})

/** Removes a program that has nothing in flight any more. The service may have seen its last request as late as `at`. */
export const leave = (state: State, owner: string, at: number): State =>
  isSender(state, owner) ? without(withTraffic(state, IpRule.settle(trafficOf(state), at, false)), owner) : state

/** Removes programs whose leases have expired, as of the ends of their leases. */
export const expire = (state: State, now: number): State =>
  state.senders.filter(({ expires }) => expires <= now).toSorted((one, other) => one.expires - other.expires)
    .reduce((state, { expires, owner }) => leave(state, owner, expires), state)

/** Renews the lease of a program that still has one. */
export const renew = (state: State, owner: string, expires: number): State => ({
  ...state,
  senders: state.senders.map((sender) => sender.owner === owner ? { ...sender, expires } : sender)
})

/** Records that a request was answered: the service has seen the last switch of the address. */
export const answered = (state: State, owner: string, now: number): State =>
  isSender(state, owner) ? withTraffic(state, IpRule.settle(trafficOf(state), now)) : state

/** Records that the service has blocked an address. */
export const blocked = (state: State, owner: string, address: string, now: number): State => {
  const traffic = IpRule.blocked(trafficOf(answered(state, owner, now)), address, now)
  return { ...withTraffic(state, traffic), suspect: true, trial: state.trial === owner ? undefined : state.trial }
}

/** Records the end of the request that finds out whether a block is over. */
export const tried = (state: State, owner: string, isAnswered: boolean): State =>
  state.trial === owner ? { ...state, trial: undefined, suspect: !isAnswered } : state

/** A program that asks to send, for how long, and how many of its requests are in flight. */
export interface Candidate extends Pick<Sender, "owner" | "askedBy" | "address"> {
  readonly lease: number
  readonly inFlight: number
}

/** Whether a program may send. `WaitForTrial`: a first request is finding out whether a block is over. */
export type Entrance = Exclude<IpRule.Permission, { readonly _tag: "Send" }> | {
  readonly _tag: "WaitForTrial" | "Send"
}

/** Asks whether a program may send from an address. A program that has a lease for the same address renews it. */
export const enter = (
  state: State,
  { address, askedBy, inFlight, lease, owner }: Candidate,
  now: number
): { readonly entrance: Entrance; readonly state: State } => {
  const mine = state.senders.find((sender) => sender.owner === owner)
  const isTried = state.trial !== undefined && state.trial !== owner || inFlight > 0
  if (state.suspect && isTried) return { entrance: { _tag: "WaitForTrial" }, state }
  const others = mine?.address === address ? without(state, owner) : leave(state, owner, now)
  // The service counts in whole seconds: within the second in which a block ends it may still hold.
  const admission = IpRule.admit(trafficOf(others), address, Math.floor(now))
  if (admission._tag !== "Send") return { entrance: admission, state: mine?.address === address ? state : others }
  const since = mine?.address === address ? mine.since : now
  return {
    entrance: { _tag: "Send" },
    state: {
      ...withTraffic(others, admission.traffic),
      trial: state.suspect ? owner : undefined,
      senders: [...others.senders, { owner, askedBy, address, since, lease, expires: now + lease }]
    }
  }
}

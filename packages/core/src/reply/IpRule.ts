/**
 * The service's rule of one address at a time (contract 5.6), from both sides: how the service judges the address of a request, and how a
 * client that may change its address avoids a block.
 *
 * Where the contract says nothing these are named assumptions: a block lasts five minutes; a return after exactly five minutes is still
 * too early; a switch to a third address is not a return; a return counts as one whatever addresses were used in between; refused
 * requests neither extend a block nor count as switches; the address that was switched to keeps working. Times are epoch seconds.
 *
 * @example
 * ```ts
 * import * as IpRule from "@effect-marketdata/core/IpRule"
 *
 * const home = IpRule.judge(IpRule.empty, "198.51.100.1", 0).rule
 * const office = IpRule.judge(home, "203.0.113.9", 60).rule
 * IpRule.judge(office, "198.51.100.1", 120).verdict // => { _tag: "Blocked", until: 420 }
 * IpRule.safeAfter(office, "198.51.100.1") // => 360
 * ```
 *
 * @see `IpGuard` of the client, which applies it to all requests
 * @since 0.1.0
 */
import * as Problem from "../text/Problem.ts"

/**
 * Five minutes, in seconds: a return to an address within this time is a breach, and the block lasts as long.
 *
 * @category constants
 * @since 0.1.0
 */
export const blockSeconds = 300

/**
 * The addresses that an account's requests came from.
 *
 * - `address`: the authorised address; undefined before the first request
 * - `switchedAt`: when it last changed, in epoch seconds; `-Infinity` if it never did
 * - `left`: the addresses that were used shortly before, with the time at which each was left
 * - `blocks`: the blocked addresses, each with the last moment of its block
 *
 * @category models
 * @since 0.1.0
 */
export interface IpRule {
  readonly address: string | undefined
  readonly switchedAt: number
  readonly left: ReadonlyMap<string, number>
  readonly blocks: ReadonlyMap<string, number>
}

/**
 * No request yet.
 *
 * @category constructors
 * @since 0.1.0
 */
export const empty: IpRule = { address: undefined, switchedAt: -Infinity, left: new Map(), blocks: new Map() }

/**
 * What happens to a request: it is allowed, or its address is blocked until a time, in epoch seconds, that time included.
 *
 * @category models
 * @since 0.1.0
 */
export type Verdict = { readonly _tag: "Allowed" } | { readonly _tag: "Blocked"; readonly until: number }

const allowed: Verdict = { _tag: "Allowed" }

const known = /* @__PURE__ */ Problem.guard("IpRule", "IpRule.empty", { switchedAt: 0, left: {}, blocks: {} })

const traffic = /* @__PURE__ */ Problem.guard("state of traffic", "IpRule.noTraffic", { rule: {}, inFlight: 0 })

const text = (address: string) => Problem.expect(typeof address === "string", "address", address, "a text", "192.0.2.1")

/**
 * Judges a request from an address, as the service does (clause 5.6-single-ip), and returns the verdict with the new state. A switch to
 * another address is allowed. A return to an address within five minutes blocks the address that returns.
 *
 * @example
 * ```ts
 * import * as IpRule from "@effect-marketdata/core/IpRule"
 *
 * const first = IpRule.judge(IpRule.empty, "office", 1000)
 * // Within five minutes a return to an address is blocked.
 * const second = IpRule.judge(first.rule, "home", 1010)
 * IpRule.judge(second.rule, "office", 1020).verdict._tag // => "Blocked"
 * ```
 *
 * @category transitions
 * @since 0.1.0
 */
export const judge = (
  self: IpRule,
  address: string,
  now: number
): { readonly rule: IpRule; readonly verdict: Verdict } => {
  known(self)
  if (self.address === undefined) return { rule: { ...self, address: text(address) }, verdict: allowed }
  if (self.address === address) return { rule: self, verdict: allowed }
  const until = self.blocks.get(text(address)) ?? -Infinity
  if (now <= until) return { rule: self, verdict: { _tag: "Blocked", until } }
  const leftAt = self.left.get(address) ?? -Infinity
  return now <= leftAt + blockSeconds
    ? block(self, address, now)
    : { rule: change(self, self.address, address, now), verdict: allowed }
}

const block = (self: IpRule, address: string, now: number) => {
  const until = now + blockSeconds
  const blocks = new Map([...self.blocks].filter(([, until]) => now <= until)).set(address, until)
  return { rule: { ...self, blocks }, verdict: { _tag: "Blocked", until } as const }
}

const change = (self: IpRule, from: string, address: string, now: number): IpRule => {
  const recent = [...self.left].filter(([, at]) => now <= at + blockSeconds)
  return { ...self, address, switchedAt: now, left: new Map(recent).set(from, now) }
}

/**
 * Returns the time, in epoch seconds, after which a request from an address cannot be blocked; at exactly that time it still can. It is
 * `-Infinity` if it never can. A return is safe more than five minutes after the last switch (clause 5.6-simultaneous), and after the
 * block of the address.
 *
 * @example
 * ```ts
 * import * as IpRule from "@effect-marketdata/core/IpRule"
 *
 * IpRule.safeAfter(IpRule.empty, "office") // => -Infinity
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const safeAfter = (self: IpRule, address: string): number => {
  const isReturn = known(self).address !== address && self.left.has(address)
  return Math.max(isReturn ? self.switchedAt + blockSeconds : -Infinity, self.blocks.get(address) ?? -Infinity)
}

/**
 * The traffic of a client: the addresses of its requests as far as it knows, and how many requests are in flight. `switching` means that
 * no request since the last switch has come back, so that the service may not have seen the switch yet.
 *
 * @category models
 * @since 0.1.0
 */
export interface Traffic {
  readonly rule: IpRule
  readonly inFlight: number
  readonly switching: boolean
}

/**
 * No traffic yet.
 *
 * @category constructors
 * @since 0.1.0
 */
export const noTraffic: Traffic = { rule: empty, inFlight: 0, switching: false }

/**
 * Whether a client may send a request now: yes, or only after a time, in epoch seconds, or only when the requests in flight from another
 * address are back.
 *
 * @category models
 * @since 0.1.0
 */
export type Permission =
  | { readonly _tag: "Send"; readonly traffic: Traffic }
  | { readonly _tag: "WaitUntilPast"; readonly time: number }
  | { readonly _tag: "WaitForReplies"; readonly inFlight: number }

/**
 * Asks whether a request from an address may be sent now. Requests are never in flight from two addresses, and a return waits until it is
 * safe (clause 5.6-simultaneous). A client that obeys is never blocked.
 *
 * @category transitions
 * @since 0.1.0
 */
export const admit = (self: Traffic, address: string, now: number): Permission => {
  const isSwitch = traffic(self).rule.address !== undefined && self.rule.address !== text(address)
  if (isSwitch && self.inFlight > 0) return { _tag: "WaitForReplies", inFlight: self.inFlight }
  const time = safeAfter(self.rule, address)
  // This also waits if the time is NaN.
  if (time !== -Infinity && !(now > time)) return { _tag: "WaitUntilPast", time }
  const { rule } = judge(self.rule, address, now)
  return { _tag: "Send", traffic: { rule, inFlight: self.inFlight + 1, switching: isSwitch || self.switching } }
}

/**
 * Records that a request has come back, or was lost (`answered` is false). The service has seen a switch at the latest when the first
 * answer after it arrives, so the five minutes count from then. A lost request proves nothing.
 *
 * A request that timed out may still arrive at the service, so it is better to wait for it.
 *
 * @category transitions
 * @since 0.1.0
 */
export const settle = (self: Traffic, now: number, answered = true): Traffic => ({
  rule: traffic(self).switching ? seenUntil(self.rule, now) : self.rule,
  inFlight: Math.max(0, self.inFlight - 1),
  switching: self.switching && !answered
})

/**
 * Records that the service has blocked an address, as its 403 says: another program uses the account from elsewhere. No request is sent
 * from the address until the block is over. The blocked request is settled like any other.
 *
 * @category transitions
 * @since 0.1.0
 */
export const blocked = (self: Traffic, address: string, now: number): Traffic => ({
  ...self,
  rule: block(traffic(self).rule, text(address), now).rule
})

/** Moves the last switch to the time by which the service has seen it. */
const seenUntil = (self: IpRule, now: number): IpRule => {
  const switchedAt = Math.max(self.switchedAt, now)
  const left = [...self.left].map(([address, at]) => [address, at === self.switchedAt ? switchedAt : at] as const)
  return { ...self, switchedAt, left: new Map(left) }
}

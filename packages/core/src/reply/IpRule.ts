/**
 * The rule of one address at a time (contract 5.6), from both sides: how the service judges where requests come from, and how a client
 * that may change its address keeps from being blocked.
 *
 * Named assumptions, where the contract is silent: a block lasts five minutes; exactly five minutes still count as inside; a switch to a
 * third address is not a return, and a return is one whichever addresses came between; refused requests neither extend a block nor count as
 * switches; the address that was switched to goes on working. Times are epoch seconds.
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
 * @since 0.1.0
 */

/**
 * Five minutes, in seconds: a return within them is a breach, and the block that it brings is as long.
 *
 * @category constants
 * @since 0.1.0
 */
export const blockSeconds = 300

/**
 * Where an account's requests have come from.
 *
 * - `address`: the authorised address; undefined before the first request
 * - `switchedAt`: when it last changed; `-Infinity` where it never did
 * - `left`: the addresses that were left not long before, with the time of it
 * - `blocks`: the addresses that are blocked, with the last moment of the block
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
 * What becomes of a request: it is allowed, or its address is blocked until a time, that time included.
 *
 * @category models
 * @since 0.1.0
 */
export type Verdict = { readonly _tag: "Allowed" } | { readonly _tag: "Blocked"; readonly until: number }

const allowed: Verdict = { _tag: "Allowed" }

/**
 * Judges a request from an address, as the service does (clause 5.6-single-ip). A switch to another address is allowed; a return to one
 * that was left within five minutes blocks the address that returns.
 *
 * @category transitions
 * @since 0.1.0
 */
export const judge = (
  self: IpRule,
  address: string,
  now: number
): { readonly rule: IpRule; readonly verdict: Verdict } => {
  if (self.address === undefined) return { rule: { ...self, address }, verdict: allowed }
  if (self.address === address) return { rule: self, verdict: allowed }
  const until = self.blocks.get(address) ?? -Infinity
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
 * Returns the time after which, and not before or at which, a request from an address cannot be blocked; `-Infinity` where it never
 * can. A return is safe strictly more than five minutes after the last switch (clause 5.6-simultaneous), and after its own block.
 *
 * @category getters
 * @since 0.1.0
 */
export const safeAfter = (self: IpRule, address: string): number => {
  const isReturn = self.address !== address && self.left.has(address)
  return Math.max(isReturn ? self.switchedAt + blockSeconds : -Infinity, self.blocks.get(address) ?? -Infinity)
}

/**
 * A client's own traffic: what it knows of where its requests came from, and how many are in flight. `switching` says that no request
 * since the last switch has come back, so that the service may not have seen the switch yet.
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
 * Whether a client may send now: it may, it has to wait until a time is past, or until what is in flight from another address is back.
 *
 * @category models
 * @since 0.1.0
 */
export type Admission =
  | { readonly _tag: "Send"; readonly traffic: Traffic }
  | { readonly _tag: "WaitUntilPast"; readonly time: number }
  | { readonly _tag: "WaitForReplies"; readonly inFlight: number }

/**
 * Asks to send a request from an address. Requests are never in flight from two addresses, and a return waits until it is safe
 * (clause 5.6-simultaneous): traffic that keeps to this is never blocked.
 *
 * @category transitions
 * @since 0.1.0
 */
export const admit = (self: Traffic, address: string, now: number): Admission => {
  const isSwitch = self.rule.address !== undefined && self.rule.address !== address
  if (isSwitch && self.inFlight > 0) return { _tag: "WaitForReplies", inFlight: self.inFlight }
  const time = safeAfter(self.rule, address)
  // Also where the time is not a number: what cannot be told to be safe is not.
  if (time !== -Infinity && !(now > time)) return { _tag: "WaitUntilPast", time }
  return {
    _tag: "Send",
    traffic: {
      rule: judge(self.rule, address, now).rule,
      inFlight: self.inFlight + 1,
      switching: isSwitch || self.switching
    }
  }
}

/**
 * Records that a request has come back, or was lost (`answered` is false). The first answer after a switch tells when the service has
 * seen the switch at the latest: the five minutes count from then, and a lost request tells nothing.
 *
 * A request that was given up may still arrive: what is lost for having taken too long is better waited for.
 *
 * @category transitions
 * @since 0.1.0
 */
export const settle = (self: Traffic, now: number, answered = true): Traffic => ({
  rule: self.switching ? seenUntil(self.rule, now) : self.rule,
  inFlight: Math.max(0, self.inFlight - 1),
  switching: self.switching && !answered
})

/**
 * Records that the service has blocked an address, as its 403 says: another program uses the account from elsewhere. Nothing is sent from
 * the address until the block is over. The request itself is settled as any other.
 *
 * @category transitions
 * @since 0.1.0
 */
export const blocked = (self: Traffic, address: string, now: number): Traffic => ({
  ...self,
  rule: block(self.rule, address, now).rule
})

/** Moves the last switch to the time by which the service has seen it. */
const seenUntil = (self: IpRule, now: number): IpRule => {
  const switchedAt = Math.max(self.switchedAt, now)
  const left = [...self.left].map(([address, at]) => [address, at === self.switchedAt ? switchedAt : at] as const)
  return { ...self, switchedAt, left: new Map(left) }
}

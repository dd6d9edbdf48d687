/**
 * The rule of one address at a time (contract 5.6), from both sides: how the service judges where requests come from, and how a client
 * that may change its address keeps from being blocked.
 *
 * Named assumptions, where the contract is silent: a block lasts five minutes; exactly five minutes still count as inside; a switch to a
 * third address is no return; refused requests neither extend a block nor count as switches; the address that was switched to goes on
 * working. Times are epoch seconds.
 *
 * @example
 * ```ts
 * import * as Egress from "@effect-marketdata/core/Egress"
 *
 * const home = Egress.judge(Egress.empty, "198.51.100.1", 0).egress
 * const office = Egress.judge(home, "203.0.113.9", 60).egress
 * Egress.judge(office, "198.51.100.1", 120).verdict // => { _tag: "Blocked", until: 420 }
 * Egress.safeAfter(office, "198.51.100.1") // => 360
 * ```
 *
 * @since 0.1.0
 */

/**
 * Both the window in which a return is a breach, and the length of the block that it brings: five minutes, in seconds.
 *
 * @category constants
 * @since 0.1.0
 */
export const window = 300

/**
 * Where an account's requests have come from: the authorised address, the last switch to it, and the block, if there was one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Egress {
  readonly address: string | undefined
  readonly switched: { readonly from: string; readonly at: number } | undefined
  readonly block: { readonly address: string; readonly until: number } | undefined
}

/**
 * No request yet.
 *
 * @category constructors
 * @since 0.1.0
 */
export const empty: Egress = { address: undefined, switched: undefined, block: undefined }

/**
 * What becomes of a request: it is allowed, or its address is blocked until a time, that time included.
 *
 * @category models
 * @since 0.1.0
 */
export type Verdict = { readonly _tag: "Allowed" } | { readonly _tag: "Blocked"; readonly until: number }

const allowed: Verdict = { _tag: "Allowed" }

/**
 * Judges a request from an address, as the service does (clause 5.6-single-ip). A switch to another address is allowed; a return to the
 * address before it, within five minutes of the switch, blocks the address that returns.
 *
 * @category transitions
 * @since 0.1.0
 */
export const judge = (
  self: Egress,
  address: string,
  now: number
): { readonly egress: Egress; readonly verdict: Verdict } => {
  if (self.address === undefined) return { egress: { ...self, address }, verdict: allowed }
  if (self.address === address) return { egress: self, verdict: allowed }
  if (self.block?.address === address && now <= self.block.until) {
    return { egress: self, verdict: { _tag: "Blocked", until: self.block.until } }
  }
  if (self.switched?.from === address && now <= self.switched.at + window) {
    const until = now + window
    return { egress: { ...self, block: { address, until } }, verdict: { _tag: "Blocked", until } }
  }
  return { egress: { address, switched: { from: self.address, at: now }, block: self.block }, verdict: allowed }
}

/**
 * Returns the time after which, and not before or at which, a request from an address cannot be blocked; `-Infinity` where it never
 * can (clause 5.6-simultaneous).
 *
 * @category getters
 * @since 0.1.0
 */
export const safeAfter = (self: Egress, address: string): number => {
  if (self.address === address) return -Infinity
  return Math.max(
    self.switched?.from === address ? self.switched.at + window : -Infinity,
    self.block?.address === address ? self.block.until : -Infinity
  )
}

/**
 * A client's own traffic: what it knows of where its requests came from, and how many are in flight. `switching` says that no request
 * since the last switch has come back, so that the service may not have seen the switch yet.
 *
 * @category models
 * @since 0.1.0
 */
export interface Traffic {
  readonly egress: Egress
  readonly inFlight: number
  readonly switching: boolean
}

/**
 * No traffic yet.
 *
 * @category constructors
 * @since 0.1.0
 */
export const noTraffic: Traffic = { egress: empty, inFlight: 0, switching: false }

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
  const isSwitch = self.egress.address !== undefined && self.egress.address !== address
  if (isSwitch && self.inFlight > 0) return { _tag: "WaitForReplies", inFlight: self.inFlight }
  const time = safeAfter(self.egress, address)
  if (now <= time) return { _tag: "WaitUntilPast", time }
  return {
    _tag: "Send",
    traffic: {
      egress: judge(self.egress, address, now).egress,
      inFlight: self.inFlight + 1,
      switching: isSwitch || self.switching
    }
  }
}

/**
 * Records that a request has come back, or was lost. The first one after a switch tells when the service has seen the switch at the
 * latest: the five minutes count from then.
 *
 * @category transitions
 * @since 0.1.0
 */
export const settle = (self: Traffic, now: number): Traffic => ({
  egress: self.switching && self.egress.switched !== undefined
    ? { ...self.egress, switched: { ...self.egress.switched, at: now } }
    : self.egress,
  inFlight: Math.max(0, self.inFlight - 1),
  switching: false
})

import type { Claim } from "@effect-marketdata/client/Claim"
import { createHash, randomUUID } from "node:crypto"

/** How many calls are remembered at least, and twice as many at most. One that comes again comes within seconds. */
const mostCalls = 10_000

/** The claim of a call, and whether the call has come here for the first time. */
export interface Claimed {
  readonly claim: Claim
  readonly isFirst: boolean
}

/** One run of a key: the same for the same run of its caller. */
const runOf = (own: string, claim: Claim | undefined): string =>
  claim === undefined ? own : createHash("sha256").update(`${own} ${claim.run}`).digest("hex").slice(0, 32)

/**
 * The claims of the calls in a gateway. The cluster brings a call again when the runner that had it is lost, so that each call is claimed: by its
 * own id, or by the key under which its caller claims it. Another start of the gateway is another run, and so is the second time that a call
 * comes to this one: nothing is sent twice, and what was sent and may have been charged is told.
 */
export const make = (): (call: string, claim: Claim | undefined) => Claimed => {
  const start = randomUUID()
  // Two maps by turns: to take the oldest out of one is to pass all those that were taken out before.
  let [newer, older] = [new Map<string, number>(), new Map<string, number>()]
  return (call, claim) => {
    const time = newer.get(call) ?? older.get(call) ?? 0
    newer.set(call, time + 1)
    if (newer.size === mostCalls) [newer, older] = [new Map(), newer]
    return { claim: { key: claim?.key ?? call, run: runOf(`${start} ${time}`, claim) }, isFirst: time === 0 }
  }
}

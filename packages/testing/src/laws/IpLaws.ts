/**
 * Laws of the IP rule, for whatever decides from which address a client may send (contract 5.6): traffic that keeps to it is never blocked.
 *
 * @example
 * ```ts
 * import * as IpRule from "@effect-marketdata/core/IpRule"
 * import * as Law from "@effect-marketdata/testing/Law"
 * import * as IpLaws from "@effect-marketdata/testing/IpLaws"
 * import * as Result from "effect/Result"
 *
 * // It lets everything through.
 * const admit: typeof IpRule.admit = (traffic) => ({ _tag: "Send", traffic })
 * const [law] = IpLaws.of({ ...IpRule, admit })
 * const tried = Law.attempt(law!, { seed: 1 })
 * Result.isFailure(tried) && tried.failure.clauses // => ["5.6-single-ip", "5.6-simultaneous"]
 * ```
 *
 * @since 0.1.0
 */
import * as IpRule from "@effect-marketdata/core/IpRule"
import * as fc from "fast-check"
import * as Travels from "../arbitraries/Travels.ts"
import * as Law from "../harness/Law.ts"

/**
 * What decides whether a client may send from an address, and records what came back.
 *
 * @category models
 * @since 0.1.0
 */
export interface Gate {
  readonly noTraffic: IpRule.Traffic
  readonly admit: (traffic: IpRule.Traffic, address: string, now: number) => IpRule.Permission
  readonly settle: (traffic: IpRule.Traffic, now: number, answered?: boolean) => IpRule.Traffic
}

/**
 * A request that reached the service: from where, and when, in seconds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Arrival {
  readonly address: string
  readonly at: number
}

/**
 * Says which arrivals the service blocks, in the plainest way there is: by looking at all that came before. It shares no code with the ledger
 * of core.
 */
const blocked = (arrivals: ReadonlyArray<Arrival>): ReadonlyArray<Arrival> => {
  const refused: Array<Arrival> = []
  const switches: Array<{ readonly from: string; readonly at: number }> = []
  const until = new Map<string, number>()
  let authorised: string | undefined
  for (const arrival of arrivals) {
    const { address, at } = arrival
    if (authorised === undefined) authorised = address
    if (address === authorised) continue
    const isReturn = switches.some((change) => change.from === address && at - change.at <= 300)
    if (at <= (until.get(address) ?? -Infinity) || isReturn) {
      refused.push(arrival)
      if (at > (until.get(address) ?? -Infinity)) until.set(address, at + 300)
    } else {
      switches.push({ from: authorised, at })
      authorised = address
    }
  }
  return refused
}

/** A request to be sent: from where, after which pause, and whether the oldest one in flight is answered then. */
const sending = fc.tuple(fc.constantFrom("A", "B", "C"), fc.nat({ max: 700 }), fc.boolean())

/** What a client does that sends one request after the other, whenever the gate lets it. */
const journey = (gate: Gate, steps: ReadonlyArray<Travels.Step>): ReadonlyArray<Arrival> => {
  const arrivals: Array<Arrival> = []
  let traffic = gate.noTraffic
  let now = 0
  for (const { address, answer, pause, travel } of steps) {
    now += pause
    const admission = gate.admit(traffic, address, now)
    if (admission._tag !== "Send") continue
    now += travel
    arrivals.push({ address, at: now })
    now += answer
    traffic = gate.settle(admission.traffic, now)
  }
  return arrivals
}

/**
 * The laws of a gate.
 *
 * @category laws
 * @since 0.1.0
 */
export const of = (gate: Gate): ReadonlyArray<Law.Law> => [
  Law.equation({
    name: "traffic that keeps to the gate is never blocked, however late its requests arrive",
    clauses: ["5.6-single-ip", "5.6-simultaneous"],
    arbitrary: Travels.travel,
    expected: (): ReadonlyArray<Arrival> => [],
    received: (steps) => blocked(journey(gate, steps))
  }),
  Law.make({
    name: "while requests are in flight, none is sent from another address",
    clauses: ["5.6-simultaneous"],
    arbitrary: fc.array(sending, { maxLength: 20, size: "max" }),
    holds: (steps) => {
      let traffic = gate.noTraffic
      let now = 0
      let flying: ReadonlyArray<string> = []
      for (const [address, pause, answers] of steps) {
        now += pause
        const admission = gate.admit(traffic, address, now)
        if (admission._tag === "Send") {
          if (flying.some((other) => other !== address)) return false
          traffic = admission.traffic
          flying = [...flying, address]
        }
        if (answers && flying.length > 0) {
          traffic = gate.settle(traffic, now)
          flying = flying.slice(1)
        }
      }
      return true
    }
  }),
  Law.make({
    name: "a gate that is waited for opens",
    clauses: ["5.6-simultaneous"],
    arbitrary: Travels.travel,
    holds: (steps) => {
      let traffic = gate.noTraffic
      let now = 0
      for (const { address, answer, pause } of steps) {
        now += pause
        const first = gate.admit(traffic, address, now)
        if (first._tag === "WaitUntilPast") now = first.time + 1
        const admission = gate.admit(traffic, address, now)
        if (admission._tag !== "Send") return false
        now += answer
        traffic = gate.settle(admission.traffic, now)
      }
      return true
    }
  })
]

/**
 * Says which requests a service blocks, of all that arrive at it, in order.
 *
 * @category models
 * @since 0.1.0
 */
export type Blocking = (arrivals: ReadonlyArray<Arrival>) => ReadonlyArray<Arrival>

/**
 * The law of a service that blocks addresses: it agrees with a plain reading of the clause.
 *
 * @category laws
 * @since 0.1.0
 */
export const service = (blocking: Blocking): ReadonlyArray<Law.Law> => [
  Law.equation({
    name: "a return within five minutes is blocked, and nothing else",
    clauses: ["5.6-single-ip"],
    arbitrary: Travels.travel.map((steps) => {
      let now = 0
      return steps.map(({ address, pause }): Arrival => ({ address, at: now += pause }))
    }),
    expected: blocked,
    received: blocking
  })
]

/**
 * The laws of core's IP rule: of its gate, and of the ledger that judges as the service does.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [
  ...of(IpRule),
  ...service((arrivals) => {
    let rule = IpRule.empty
    return arrivals.filter(({ address, at }) => {
      const judged = IpRule.judge(rule, address, at)
      rule = judged.rule
      return judged.verdict._tag === "Blocked"
    })
  })
]

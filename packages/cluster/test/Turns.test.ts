import * as Turns from "@effect-marketdata/cluster/Turns"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { forAll, runs } from "../../core/test/support/depth.ts"

/** What happens to a room: a call of a caller comes in, the oldest running call is over, or a waiting one goes away. */
type Step =
  | { readonly _tag: "Enter"; readonly caller: string }
  | { readonly _tag: "Leave" }
  | { readonly _tag: "Cancel"; readonly at: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ _tag: fc.constant("Enter" as const), caller: fc.constantFrom("a", "b", "c", "d") })
  },
  { weight: 3, arbitrary: fc.constant({ _tag: "Leave" as const }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Cancel" as const), at: fc.nat() }) }
)

const story = fc.record({
  places: fc.integer({ min: 1, max: 3 }),
  seats: fc.nat({ max: 6 }),
  steps: fc.array(step, { maxLength: 60 })
})

/** All that was seen of a story. */
interface Seen {
  turns: Turns.Turns
  readonly running: Array<number>
  readonly waiting: Map<number, string>
  /** What became of each call that is gone. */
  readonly gone: Map<number, "ran" | "refused" | "unseated" | "canceled">
  /** The calls that got a turn after they waited, with those that waited then. */
  readonly turnsOf: Array<{ readonly caller: string; readonly others: ReadonlySet<string> }>
  calls: number
}

const play = (
  { places, seats, steps }: { readonly places: number; readonly seats: number; readonly steps: ReadonlyArray<Step> },
  check: (seen: Seen, before: Turns.Turns, step: Step) => void
): Seen => {
  const nothing = { running: [], waiting: new Map(), gone: new Map(), turnsOf: [], calls: 0 }
  const seen: Seen = { ...nothing, turns: Turns.make({ places, seats }) }
  for (const step of steps) {
    const before = seen.turns
    switch (step._tag) {
      case "Enter": {
        const call = seen.calls++
        const entered = Turns.enter(seen.turns, step.caller, call)
        if (entered._tag === "Refused") {
          seen.gone.set(call, "refused")
          break
        }
        seen.turns = entered.turns
        if (entered._tag === "Runs") {
          seen.running.push(call)
          break
        }
        seen.waiting.set(call, step.caller)
        if (entered.unseated !== undefined) {
          seen.waiting.delete(entered.unseated)
          seen.gone.set(entered.unseated, "unseated")
        }
        break
      }
      case "Leave": {
        const over = seen.running.shift()
        if (over === undefined) break
        seen.gone.set(over, "ran")
        const { next, turns } = Turns.leave(seen.turns)
        seen.turns = turns
        if (next === undefined) break
        const caller = seen.waiting.get(next)!
        seen.turnsOf.push({ caller, others: new Set(seen.waiting.values()) })
        seen.waiting.delete(next)
        seen.running.push(next)
        break
      }
      case "Cancel": {
        const [call, caller] = [...seen.waiting][step.at % Math.max(1, seen.waiting.size)] ?? []
        if (call === undefined || caller === undefined) break
        seen.turns = Turns.cancel(seen.turns, caller, call)
        seen.waiting.delete(call)
        seen.gone.set(call, "canceled")
      }
    }
    check(seen, before, step)
  }
  return seen
}

const holds = (law: (seen: Seen, before: Turns.Turns, step: Step) => void, seed: number) =>
  fc.assert(fc.property(story, (story) => void play(story, law)), { numRuns: runs(1000), seed })

it("loses no call, and has each of them once", () => {
  holds(({ calls, gone, running, turns, waiting }) => {
    assert.strictEqual(running.length + waiting.size + gone.size, calls)
    assert.deepInclude(turns, { running: running.length, seated: waiting.size })
    assert.deepStrictEqual(new Set([...turns.waiting.values()].flat()), new Set(waiting.keys()))
  }, 58_001)
})

it("never runs more calls than there are places, nor has more wait than there are seats, and no place is free while one waits", () => {
  holds(({ turns }) => {
    assert.isAtMost(turns.running, turns.places)
    assert.isAtMost(turns.seated, turns.seats)
    assert.isTrue(turns.seated === 0 || turns.running === turns.places)
  }, 58_002)
})

it("gives a caller no second turn while another waits that was there at the first", () => {
  forAll({ numRuns: runs(2000, 200), seed: 58_003 }, story, (story) => {
    const { turnsOf } = play(story, () => {})
    for (const [at, { caller, others }] of turnsOf.entries()) {
      const later = turnsOf.slice(at + 1)
      const second = later.findIndex((turn) => turn.caller === caller)
      if (second === -1) continue
      const between = new Set(later.slice(0, second).map(({ caller }) => caller))
      for (const other of others) {
        // Who went away since, or came back later, has no claim.
        const stayed = later.slice(0, second + 1).every(({ others }) => others.has(other))
        if (other !== caller && stayed) assert.isTrue(between.has(other), `${caller} before ${other}`)
      }
    }
  })
})

it("refuses no call while another caller has more waiting than its own would have", () => {
  holds((seen, before, step) => {
    if (step._tag !== "Enter" || seen.gone.get(seen.calls - 1) !== "refused") return
    const own = Turns.waitingOf(before, step.caller).length + 1
    for (const calls of before.waiting.values()) assert.isAtMost(calls.length, own)
  }, 58_004)
})

it("takes the calls of one caller in the order in which they came", () => {
  forAll({ seed: 58_005 }, fc.integer({ min: 1, max: 20 }), (calls) => {
    let turns = Turns.make({ places: 1, seats: 20 })
    const order: Array<number> = []
    for (let call = 0; call <= calls; call++) {
      const entered = Turns.enter(turns, "a", call)
      if (entered._tag !== "Refused") turns = entered.turns
    }
    for (let left = Turns.leave(turns); left.next !== undefined; left = Turns.leave(left.turns)) order.push(left.next)
    assert.deepStrictEqual(order, Array.from({ length: calls }, (_, at) => at + 1))
  })
})

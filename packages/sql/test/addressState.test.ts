/** The rules of what programs know together of an account's addresses, each by itself; `SqlIpGuard` shows them at work. */
import * as IpRule from "@effect-marketdata/core/IpRule"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AddressState from "../src/address/addressState.ts"

const asking = (owner: string, address = "198.51.100.1", inFlight = 0): AddressState.Candidate => ({
  owner,
  askedBy: owner,
  address,
  lease: 10,
  inFlight
})

/** Two programs that send from one address, one of which entered five seconds later. */
const two =
  AddressState.enter(AddressState.enter(AddressState.empty, asking("one"), 100).state, asking("two"), 105).state

const leases = ({ senders }: AddressState.State) => senders.map(({ expires, owner }) => [owner, expires])

it("[5.6-simultaneous] keeps each program's lease apart from the others'", () => {
  assert.deepStrictEqual(leases(two), [["one", 110], ["two", 115]])
  assert.deepStrictEqual([109, 110].map((now) => AddressState.holds(two, "one", "198.51.100.1", now)), [true, false])
  assert.isFalse(AddressState.holds(two, "one", "B", 109))
  assert.deepStrictEqual(leases(AddressState.renew(two, "one", 130)), [["one", 130], ["two", 115]])
  assert.deepStrictEqual(leases(AddressState.renew(two, "gone", 130)), leases(two))
  assert.deepStrictEqual(leases(AddressState.leave(two, "one", 107)), [["two", 115]])
  assert.deepStrictEqual(leases(AddressState.expire(two, 112)), [["two", 115]])
  const again = AddressState.enter(two, asking("one"), 107).state
  assert.deepStrictEqual(again.senders.map(({ expires, since }) => [expires, since]), [[115, 105], [117, 100]])
})

it("[5.6-single-ip] counts a switch that was not answered from the next answer, and times of a clock that was ahead from now", () => {
  const alone = AddressState.enter(AddressState.empty, asking("one"), 100).state
  const switched = AddressState.enter(AddressState.leave(alone, "one", 110), asking("two", "B"), 120).state
  const next = AddressState.enter(AddressState.leave(switched, "two", 130), asking("three", "B"), 200).state
  const over = AddressState.leave(AddressState.answered(next, "three", 205), "three", 210)
  const safe = { _tag: "WaitUntilPast" as const, time: 205 + IpRule.blockSeconds }
  assert.deepInclude(AddressState.enter(over, asking("one"), 500).entrance, safe)
  const ahead = AddressState.encode(AddressState.blocked(over, "three", "B", 206))
  const { rule } = Effect.runSync(AddressState.decode(ahead, 50))
  assert.deepStrictEqual([rule.switchedAt, ...rule.left.values(), ...rule.blocks.values()], [50, 50, 350])
})

it("[5.6-single-ip] counts a lease as over from its end, however late that is noticed", () => {
  const alone = AddressState.enter(AddressState.empty, asking("one"), 100).state
  const over = AddressState.expire(alone, 500)
  assert.deepStrictEqual(over, AddressState.leave(alone, "one", 110))
  // By then the service has forgotten the address: another one may send.
  const second = AddressState.enter(over, asking("two", "198.51.100.2"), 500)
  assert.strictEqual(second.entrance._tag, "Send")
  // The service has seen the switch by the end of that lease, so the first address may send again 300 seconds later.
  const free = AddressState.expire(second.state, 820)
  assert.strictEqual(AddressState.enter(free, asking("one"), 820).entrance._tag, "Send")
})

it("[5.6-single-ip] suspects a block until a trial was answered: one that is lost finds out nothing", () => {
  const blocked = AddressState.blocked(two, "one", "198.51.100.1", 106)
  const { entrance: held, state } = AddressState.enter(blocked, asking("one"), IpRule.blockSeconds + 106.9)
  assert.deepStrictEqual([held._tag, state.suspect], ["WaitUntilPast", true])
  const later = IpRule.blockSeconds + 200
  const free = AddressState.expire(blocked, later)
  const { entrance, state: trying } = AddressState.enter(free, asking("three"), later)
  assert.deepStrictEqual([entrance._tag, trying.trial], ["Send", "three"])
  assert.strictEqual(AddressState.enter(trying, asking("four"), later + 1).entrance._tag, "WaitForTrial")
  assert.deepInclude(AddressState.tried(trying, "three", false), { suspect: true, trial: undefined })
  assert.deepInclude(AddressState.tried(trying, "three", true), { suspect: false, trial: undefined })
  assert.strictEqual(AddressState.tried(trying, "four", true), trying)
  assert.deepInclude(AddressState.blocked(trying, "three", "198.51.100.1", later), { suspect: true, trial: undefined })
  // One whose program died is for another to make.
  const gone = AddressState.expire(trying, later + 20)
  assert.strictEqual(AddressState.enter(gone, asking("four"), later + 20).entrance._tag, "Send")
})

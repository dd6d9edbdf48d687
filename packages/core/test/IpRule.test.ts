import * as IpRule from "@effect-marketdata/core/IpRule"
import { assert, describe, it } from "@effect/vitest"

/** Judges requests in order; gives the verdicts, with the end of a block where there is one. */
const verdicts = (...requests: ReadonlyArray<readonly [address: string, at: number]>) => {
  let rule = IpRule.empty
  return requests.map(([address, at]) => {
    const judged = IpRule.judge(rule, address, at)
    rule = judged.rule
    return judged.verdict._tag === "Blocked" ? judged.verdict.until : "allowed"
  })
}

/** Sends from an address, which the rule lets through. */
const sent = (traffic: IpRule.Traffic, address: string, at: number): IpRule.Traffic => {
  const admission = IpRule.admit(traffic, address, at)
  assert(admission._tag === "Send")
  return admission.traffic
}

/** A reply has come to A, and a request of B is in flight since 10. */
const switched = sent(IpRule.settle(sent(IpRule.noTraffic, "A", 0), 1), "B", 10)

describe("judge, of more addresses", () => {
  it("[5.6-single-ip] keeps several blocks apart", () => {
    const requests = [["A", 0], ["B", 10], ["A", 20], ["C", 30], ["B", 40], ["A", 320], ["B", 340], ["C", 341]] as const
    assert.deepStrictEqual(verdicts(...requests).slice(2), [320, "allowed", 340, 320, 340, "allowed"])
  })

  it("[5.6-single-ip] forgets what is long past", () => {
    const { rule } = Array.from({ length: 1000 }, (_, index) => `A${index}`).reduce(
      ({ rule }, address, index) => IpRule.judge(rule, address, index * 100),
      { rule: IpRule.empty }
    )
    assert.isAtMost(rule.left.size, 4)
  })
})

it("[5.6-simultaneous] safeAfter is the end of the five minutes after the switch, for the address before it alone", () => {
  const { rule } = IpRule.judge(IpRule.judge(IpRule.empty, "A", 0).rule, "B", 100)
  assert.deepStrictEqual(["A", "B", "C"].map((ip) => IpRule.safeAfter(rule, ip)), [400, -Infinity, -Infinity])
})

describe("admit", () => {
  it("[5.6-simultaneous] sends nothing from a second address while requests of the first are in flight", () => {
    const two = sent(sent(IpRule.noTraffic, "A", 0), "A", 1)
    assert.deepStrictEqual(IpRule.admit(two, "B", 2), { _tag: "WaitForReplies", inFlight: 2 })
    const one = IpRule.settle(two, 3)
    assert.deepStrictEqual(IpRule.admit(one, "B", 3), { _tag: "WaitForReplies", inFlight: 1 })
    sent(IpRule.settle(one, 4), "B", 5)
  })

  it("[5.6-simultaneous] takes no lost request for a sign that the switch was seen", () => {
    const lost = IpRule.settle(switched, 15, false)
    assert.isFalse(IpRule.settle(sent(IpRule.noTraffic, "A", 0), 1, false).switching)
    assert.deepStrictEqual(IpRule.admit(lost, "A", 315), { _tag: "WaitUntilPast", time: 315 })
    const seen = IpRule.settle(sent(lost, "B", 250), 260)
    assert.deepStrictEqual(IpRule.admit(seen, "A", 400), { _tag: "WaitUntilPast", time: 560 })
    assert.deepStrictEqual(IpRule.settle(seen, 300), { ...seen, inFlight: 0 })
  })

  it("[5.6-simultaneous] sends no return at an invalid time", () =>
    assert.strictEqual(IpRule.admit(IpRule.settle(switched, 15), "A", NaN)._tag, "WaitUntilPast"))

  it("[5.6-simultaneous] sends nothing from an address while the service says that it is blocked", () => {
    const blocked = IpRule.blocked(IpRule.settle(sent(IpRule.noTraffic, "A", 0), 10), "A", 10)
    assert.deepStrictEqual(IpRule.admit(blocked, "A", 310), { _tag: "WaitUntilPast", time: 310 })
    assert.strictEqual(sent(blocked, "A", 311).rule.address, "A")
    sent(blocked, "B", 11)
  })
})

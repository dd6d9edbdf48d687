/** What a failure of the client becomes, where the exit code decides what a script does next. */
import * as MarketDataError from "@effect-marketdata/client/MarketDataError"
import { Answer, Query, Reason } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Round from "../src/call/round.ts"
import * as Failure from "../src/failure/failure.ts"
import * as Document from "../src/output/document.ts"

const serverFault = new Reason.ServerFault({ status: 502, temporary: true, body: "", charged: 60 })
const noCachedData = new Reason.NoCachedData({ charged: 0 })
const exceeded = new Reason.CreditBudgetExceeded({ cause: "Insufficient", bound: 60, available: 40, wasSent: true })

const charged = { uncertain: 0, finding: undefined, clause: "8.2-status", assumptions: [] } as const
const asked = { target: "/v1/options/chain/AAPL/", status: 502, repeats: 0, elsewhere: 0 }

const attempt = (reason: Reason.Reason, credits: number, uncertain = 0) => {
  const charge = { ...charged, credits, computed: credits, reported: credits }
  return Answer.makeAttempt({ ...asked, charge, uncertain, reason })
}

const errorOf = (reason: Reason.Reason, trace: ReadonlyArray<Answer.Attempt>) =>
  new MarketDataError.MarketDataError({ query: "optionChain AAPL", reason, trace })

const failure = (reason: Reason.Reason, ...trace: ReadonlyArray<Answer.Attempt>) => Failure.of(errorOf(reason, trace))

describe("a command that was refused another request", () => {
  it("ends by what came back, when something was sent and charged", () => {
    const { class: name, credits, message, reason } = failure(exceeded, attempt(serverFault, 60))
    assert.deepStrictEqual([name, reason, credits?.charged], ["service", "ServerFault", 60])
    assert.match(message, /502.*Not retried: that may cost more than you allowed\.$/)
  })

  it("tells the cost of all requests, where the message does not", () => {
    const call = { query: Result.getOrThrow(Query.optionChain("AAPL")), view: { rows: Document.ofTable } }
    const told = (...trace: ReadonlyArray<Answer.Attempt>) => Round.failureOf([errorOf(exceeded, trace)], call).message
    const [charged, uncertain] = [attempt(serverFault, 60), attempt(serverFault, 0, 60)]
    assert.notInclude(told(charged), "In all")
    assert.match(told(uncertain), /allowed\. In all it cost 0 credits, and perhaps up to 60 credits more\.$/)
    assert.match(told(charged, charged), / In all it cost 120 credits\.$/)
  })

  it("ends by the price where nothing was sent, or nothing but a miss of the cache came back", () => {
    assert.strictEqual(failure(exceeded).class, "budget")
    const declined = new Reason.FallbackDeclined({ price: 60, ceiling: 40 })
    assert.strictEqual(failure(declined, attempt(noCachedData, 0)).class, "budget")
  })
})

it("a query says what all its requests were charged, where the last reply was free", () => {
  const absent = new Reason.NotFound({ body: "", charged: 0 })
  for (const reason of [absent, noCachedData]) {
    const { message } = failure(reason, attempt(serverFault, 60), attempt(reason, 0))
    assert.match(message, /\. The requests were charged 60 credits in all\.$/)
  }
})

it("an allowance that is used up is called so, with when it renews, and what to do about it", () => {
  const renews = 1_795_449_600
  const { message, next, renews: told } = failure(
    new Reason.CreditBudgetExceeded({ cause: "Insufficient", bound: 1, available: 0, renews, wasSent: false })
  )
  assert.include(message, "may cost 1 credit, and the allowance is used up until 2026-11-23")
  assert.strictEqual(told, renews)
  assert.include(next ?? "", "wait until the allowance renews")
})

const inCode = /option(?:Chain|Quote)|stock(?:Quotes|Prices)|CreditLedger|CacheFallback|DataMode|assume|maxAge|\{ /

it("a price that is refused says what is left of a budget, and how to allow more", () => {
  const advice = { options: { mode: "cached", assume: { contracts: 100 } }, cost: 1 }
  const budget = (cause: "NoAllowance" | "Unbounded" | "Insufficient") =>
    new Reason.CreditBudgetExceeded({ cause, bound: 10, available: 5, advice: [advice] })
  const declined = [
    new Reason.FallbackDeclined({ price: 30, ceiling: 10 }),
    new Reason.FallbackDeclined({ price: undefined, ceiling: 10, advice: [advice] }),
    new Reason.FallbackDeclined({ price: 30, ceiling: 10, charged: 5, uncertain: 2 })
  ]
  for (const reason of [budget("NoAllowance"), budget("Unbounded"), budget("Insufficient"), ...declined]) {
    // A name that holds full stops is not a sentence.
    const { message, next } = Failure.of(
      new MarketDataError.MarketDataError({ query: "optionLookup AAPL Dec. 18 2026. 350 call", reason, trace: [] })
    )
    assert.match(message, /^lookup AAPL Dec\. 18 2026\. 350 call: [^.]+\. [^.]+\.$/)
    assert.notMatch(message, inCode)
    assert.match(next ?? "", /--(?:budget|fallback-up-to) CREDITS/)
  }
})

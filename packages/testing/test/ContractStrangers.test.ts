/** The contract suite against services that were not written with it: on the wire, with the contract alone, or with nothing of it. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Contract from "@effect-marketdata/testing/Contract"
import { Effect, Fiber, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as TestClock from "effect/testing/TestClock"
import { assert, describe, it } from "../../core/test/support/it.ts"
import * as Stranger from "./support/stranger.ts"

const options = { token: Redacted.make(Stranger.token), budget: 200 }

/** A stranger's service, as long as the scope. */
const serve = (habits: Stranger.Habits) =>
  Effect.acquireRelease(Effect.promise(() => Stranger.start(habits)), ({ close }) => Effect.promise(close))

/** Asks a stranger's service, and returns the report with what the service saw. */
const ask = Effect.fnUntraced(function*(habits: Stranger.Habits, extent: Partial<Contract.Options> = {}) {
  yield* TestClock.setTime(Stranger.now * 1000)
  const { baseUrl, billed, targets } = yield* serve(habits)
  const report = yield* Contract.run({ ...options, baseUrl, ...extent })
  assert.strictEqual(report.requests, targets.length)
  return { report, targets, billed: billed() }
}, Effect.provide(FetchHttpClient.layer))

const clausesOf = (report: Contract.Report, tag: Contract.Verdict["_tag"]): Array<string> =>
  Contract.withVerdict(report, tag).map(({ clause }) => clause).toSorted()

const verdictOf = (report: Contract.Report, clause: string): Contract.Verdict | undefined =>
  report.lines.find((line) => line.clause === clause)?.verdict

const said = (report: Contract.Report, clause: string): string => {
  const verdict = verdictOf(report, clause)
  return verdict?._tag === "Broken" ? verdict.evidence : verdict?._tag === "NotShown" ? verdict.why : ""
}

/** What the contract leaves open: the demo's ticker, the path of candles. Nothing of this service comes with 203 but what is cached. */
const open = ["5.5-demo", "7.2-203-price", "8.2-cost-candles"]

/** What only a charge can show. */
const prices = [
  ..."1-credits 4.1-cost-cached 4.1-cost-delayed 4.1-cost-historical 4.1-cost-live".split(" "),
  ..."7.1-204 8.2-cost-bulk-candles 8.2-cost-other 8.2-cost-quotes 8.3-miss".split(" ")
]

/** What must come of each clause; those that are not named hold, and cannot be asked otherwise. */
type Table = Partial<Record<"broken" | "notShown" | "overBudget", ReadonlyArray<string>>>

const assertTable = (report: Contract.Report, { broken = [], notShown = [], overBudget = [] }: Table) => {
  const text = Contract.format(report)
  assert.deepStrictEqual(clausesOf(report, "Broken"), broken.toSorted(), text)
  assert.deepStrictEqual(clausesOf(report, "NotShown"), notShown.toSorted(), text)
  assert.deepStrictEqual(clausesOf(report, "OverBudget"), overBudget.toSorted(), text)
  assert.deepStrictEqual(clausesOf(report, "NotAsked"), [])
  assert.strictEqual(report.outcome, broken.length === 0 ? "Passed" : "Failed")
  assert.isUndefined(report.stopped)
  // Evidence begins with the request that anybody can send again.
  for (const clause of [...clausesOf(report, "Broken"), ...clausesOf(report, "NotShown")]) {
    assert.match(said(report, clause), /^(GET \/\S+|not asked, because the )/)
  }
}

const bills204 = ({ price, status }: Stranger.Billed): number => status === 204 ? 1 : price

describe("of a service that keeps the contract and knows nothing else", () => {
  const tables: ReadonlyArray<readonly [service: string, habits: Stranger.Habits, table: Table]> = [
    ["states what each reply consumed, and ignores filters", { charges: "consumed", filters: "ignored" }, {
      notShown: ["1-credits", ...open]
    }],
    ["states what is left of the account", { charges: "remaining" }, { notShown: open }],
    ["states what is left of the account on a page of its own", { charges: "account" }, { notShown: open }],
    ["says nothing of what its replies cost", { charges: "hidden" }, {
      notShown: [...prices, ...open, "8.2-timeliness"]
    }],
    ["serves data of past sessions at their price, whatever is asked for", {
      charges: "remaining",
      isHistorical: true
    }, { notShown: ["4.1-cost-delayed", "4.1-cost-live", ...open] }]
  ]
  for (const [service, habits, table] of tables) {
    it.effect(service, function*() {
      const { billed, report } = yield* ask(habits)
      assertTable(report, table)
      assert.isAtMost(report.spent, billed)
      assert.isAtMost(billed, report.spent + report.uncertain)
      assert.isAtMost(report.spent + report.uncertain, report.budget)
    })
  }

  it.effect("spends what it reports, to the credit", function*() {
    const { billed, report } = yield* ask({ charges: "consumed" })
    assert.strictEqual(report.spent, billed)
    // Nothing shows what the page of the web server cost.
    assert.strictEqual(report.uncertain, 1)
  })

  it.effect("is asked about its own demo ticker where that is named", function*() {
    const { report } = yield* ask({}, { demo: "ACME", clauses: ["5.5-demo"] })
    assert.deepStrictEqual(clausesOf(report, "Holds"), ["5.5-demo"])
    const { report: other } = yield* ask({}, { demo: "AAPL", clauses: ["5.5-demo"] })
    assert.deepStrictEqual(clausesOf(other, "Broken"), ["5.5-demo"])
  })

  it.effect("has nothing cached: what only a chain shows is not shown", function*() {
    const { report } = yield* ask({ charges: "consumed", isCold: true })
    assert.deepStrictEqual(clausesOf(report, "Broken"), [])
    assert.includeMembers(clausesOf(report, "NotShown"), ["2.1-fields", "2.1-mid", "4.2-quote", "4.1-cost-live"])
    assert.include(said(report, "2.1-mid"), "received status 204 with an empty body, and no data")
  })
})

describe("[4.1-cost-delayed] of a service that answers every chain whole, 400 contracts", () => {
  const whole: Stranger.Habits = { charges: "consumed", contracts: 400, filters: "ignored" }
  const dear = ["4.1-cost-delayed", "4.1-cost-live", "7.2-203-price", "8.2-timeliness"]

  it.effect("sends no chain that the budget has no room for, and says what it would take", function*() {
    const { billed, report, targets } = yield* ask(whole, { budget: 60 })
    assertTable(report, { notShown: ["1-credits", "5.5-demo", "8.2-cost-candles"], overBudget: dear })
    assert.strictEqual(report.spent, billed)
    assert.isFalse(targets.some((target) => /mode=(live|delayed)/.test(target) && target.includes("/chain/")))
    assert.deepStrictEqual(verdictOf(report, "4.1-cost-delayed"), {
      _tag: "OverBudget",
      credits: 410,
      why: "The service does not filter chains by strike and expiration, and bills each contract of a whole one: " +
        "name an underlying with fewer."
    })
  })

  it.effect("judges the delayed chain where the budget has room for it, and leaves the live one", function*() {
    const { billed, report } = yield* ask(whole, { budget: 500 })
    assertTable(report, {
      notShown: ["1-credits", "5.5-demo", "8.2-cost-candles"],
      overBudget: ["4.1-cost-live", "7.2-203-price"]
    })
    assert.strictEqual(report.spent, billed)
    assert.isAtMost(billed, 500)
  })

  it.effect("judges both, and finds that the delayed one costs a credit", function*() {
    const { report } = yield* ask({
      ...whole,
      bill: ({ price, target }) => target.includes("mode=delayed") ? 1 : price
    }, { budget: 1000 })
    assertTable(report, { broken: ["4.1-cost-delayed"], notShown: ["1-credits", ...open] })
    const words = "GET /v1/options/chain/MSFT/?mode=delayed: expected a charge of 400 credits, received one of 1 " +
      "(as X-Api-Ratelimit-Consumed says)"
    assert.strictEqual(said(report, "4.1-cost-delayed"), words)
  })
})

describe("[1-credits] [7.1-204] [8.3-miss] of a service that bills its 204s", () => {
  const clauses = ["1-credits", "7.1-204", "8.3-miss"]

  it.effect("which it does not show: nothing holds, and nothing is broken", function*() {
    const { billed, report } = yield* ask({ bill: bills204 }, { clauses })
    assert.deepStrictEqual(clausesOf(report, "NotShown"), clauses)
    assert.strictEqual(report.outcome, "Inconclusive")
    assert.strictEqual(Contract.whyInconclusive(report), "no clause was shown to hold")
    assert.include(said(report, "7.1-204"), "the service does not show what a request costs")
    assert.strictEqual(report.spent, 0)
    assert.isAtMost(billed, report.uncertain)
  })

  for (const charges of ["consumed", "remaining", "account"] as const) {
    it.effect(`which shows in ${charges}`, function*() {
      const { report } = yield* ask({ bill: bills204, charges })
      assert.deepStrictEqual(clausesOf(report, "Broken"), clauses)
      assert.match(
        said(report, "7.1-204"),
        /^GET \S+maxage=\S+: expected a charge of 0 credits, received one of 1 \((as X-Api|the remaining credits went from 89,9\d\d to 89,9\d\d)/
      )
    })
  }

  it.effect("and the page of its web server, which only the balance shows", function*() {
    const bill = ({ price, target }: Stranger.Billed) => target.includes("?pad=") ? 1 : price
    for (const charges of ["remaining", "account"] as const) {
      const { report } = yield* ask({ bill, charges })
      assert.deepStrictEqual(clausesOf(report, "Broken"), ["1-credits"])
    }
    const { report: silent } = yield* ask({ bill, charges: "consumed" })
    assert.deepStrictEqual(clausesOf(silent, "Broken"), [])
    assert.include(clausesOf(silent, "NotShown"), "1-credits")
  })
})

/** A service that answers everything alike, or what is asked for there. */
const alike = (status: number, headers: Record<string, string>, body: string, where = /^/): Stranger.Habits => ({
  answer: ({ url = "" }, response) => {
    if (!where.test(url)) return false
    response.writeHead(status, headers).end(body)
    return true
  }
})

describe("where nobody gives a verdict", () => {
  /** No answer is not a verdict: it stops, and says why. */
  const assertNoVerdict = (report: Contract.Report, why: RegExp) => {
    assert.strictEqual(report.outcome, "Inconclusive")
    assert.match(Contract.whyInconclusive(report) ?? "", why)
    assert.deepStrictEqual([clausesOf(report, "Broken"), clausesOf(report, "Holds")], [[], []])
    assert.deepStrictEqual([report.requests, report.spent], [1, 0])
    const [, conclusion = ""] = Contract.format(report).split("\n")
    assert.isTrue(conclusion.startsWith("No verdict: "))
  }

  it.effect("at a dead address", function*() {
    const { baseUrl, close } = yield* Effect.promise(() => Stranger.start())
    yield* Effect.promise(close)
    const report = yield* Contract.run({ ...options, baseUrl }).pipe(Effect.provide(FetchHttpClient.layer))
    assertNoVerdict(report, /could not be reached.*ECONNREFUSED/)
    assert.strictEqual(report.uncertain, 0)
  })

  it.effect("for a wrong token", function*() {
    const { report } = yield* ask({}, { token: Redacted.make("another-token") })
    assertNoVerdict(report, /^the service did not accept the token \(it said "No such token\."\)/)
    assert.strictEqual(report.uncertain, 0)
  })

  it.effect("for the token of a free plan", function*() {
    const { report } = yield* ask({ plan: "free" })
    assertNoVerdict(report, /^the plan of this token may not ask for cached data .*the token of a paid account$/)
    assert.strictEqual(report.uncertain, 0)
  })

  it.effect("of a service that never answers", function*() {
    let arrived = () => {}
    const asked = new Promise<void>((resolve) => arrived = resolve)
    const fiber = yield* Effect.forkChild(ask({
      answer: () => {
        arrived()
        return true
      }
    }))
    yield* Effect.promise(() => asked)
    yield* TestClock.adjust("1 minute")
    const { report } = yield* Fiber.join(fiber)
    assertNoVerdict(report, /no complete reply arrived within 60000 ms/)
    assert.strictEqual(report.uncertain, 1)
  })

  const page = alike(200, { "content-type": "text/html" }, "<!doctype html><title>Welcome</title>")
  const moved = alike(301, { location: "https://elsewhere.test/" }, "")
  const busy = alike(429, {}, `{"s":"error","errmsg":"Slow down."}`)
  const services: ReadonlyArray<readonly [service: string, habits: Stranger.Habits, why: RegExp]> = [
    ["that fails for everything", alike(500, {}, "oops"), /failed with status 500 \(it said "oops"\)/],
    [
      "that is a page",
      page,
      /^what answers is not the service: expected JSON, received status 200 with <!doctype html>.*Check the base URL$/
    ],
    [
      "that lives elsewhere",
      moved,
      /^the base URL leads elsewhere: received status 301 with the location "https:\/\/elsewhere\.test\/"/
    ],
    ["that is asked too often", busy, /^too many requests at once \(it said "Slow down\."\)/]
  ]
  for (const [service, habits, why] of services) {
    it.effect(`of a service ${service}`, function*() {
      const { report } = yield* ask(habits)
      assertNoVerdict(report, why)
    })
  }
})

describe("of a service that does not answer all of it", () => {
  it.effect("it goes on after one lost reply, and ends at the second in a row", function*() {
    let asked = 0
    const { report, targets } = yield* ask({
      charges: "consumed",
      answer: ({ socket }) => {
        asked++
        if (asked !== 3 && asked < 8) return false
        socket.destroy()
        return true
      }
    })
    assert.deepStrictEqual([targets.length, report.outcome], [9, "Inconclusive"])
    assert.match(report.stopped ?? "", /could not be reached, or its reply was lost/)
    assert.include(clausesOf(report, "Holds"), "2.1-mid")
    assert.include(clausesOf(report, "NotAsked"), "7.1-404")
    assert.deepStrictEqual(clausesOf(report, "Broken"), [])
    // Three replies were lost, and each may have been charged.
    assert.isAtLeast(report.uncertain, 3)
  })

  it.effect("it goes on where the service fails for some requests alone", function*() {
    const { report } = yield* ask({ charges: "remaining", ...alike(500, {}, "", /quotes.MSFT99/) })
    assert.deepStrictEqual(clausesOf(report, "Broken"), [])
    assert.includeMembers(clausesOf(report, "NotShown"), ["2.3-bad-expiration", "2.3-bad-side", "7.1-404"])
    assert.includeMembers(clausesOf(report, "Holds"), ["7.3-date-errmsg", "9-version"])
    assert.strictEqual(report.outcome, "Passed")
  })

  it.effect("what a chain does not have is not shown", function*() {
    const { report } = yield* ask({ charges: "consumed", contracts: 0 })
    assert.deepStrictEqual(clausesOf(report, "Broken"), ["2.1-fields"])
    const rows = "lengths side only-last-null mid dte moneyness expiration first-traded updated".split(" ")
    assert.includeMembers(clausesOf(report, "NotShown"), [...rows.map((name) => `2.1-${name}`), "2.3-format"])
  })
})

describe("evidence", () => {
  it.effect("names the request, what was expected and what was received, in words", function*() {
    const teapot = alike(418, { "content-type": "application/json" }, `{"s":"error"}`, /quotes.MSFT99|mode=sideways/)
    const { report } = yield* ask({ charges: "consumed", ...teapot })
    assert.strictEqual(
      said(report, "2.3-bad-side"),
      `GET /v1/options/quotes/MSFT991218X00150000/: expected status 400, received status 418 with {"s":"error"}`
    )
  })

  it.effect("does not show the token however a service writes it, in bodies and in headers", function*() {
    const { token } = Stranger
    const written = {
      "in a URL": token.replaceAll(/[-']/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`),
      "in JSON": token.replaceAll(/[-s]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
      "in HTML": token.replace("'", "&#39;"),
      "in base64": Buffer.from(`a${token}`).toString("base64"),
      "in another case": token.toUpperCase(),
      "in pieces": token.replace("-own", "\n-own")
    }
    for (const [how, text] of Object.entries(written)) {
      const { report } = yield* ask(alike(418, {}, `no: ${text}`, /mode=sideways/), { clauses: ["7.1-400"] })
      const location = `/login?next=${encodeURIComponent(text)}`
      const { report: elsewhere } = yield* ask(alike(302, { location }, ""))
      assert.match(said(report, "7.1-400"), /received status 418 with no: .*<redacted>/, how)
      assert.match(elsewhere.stopped ?? "", /\/login\?.*<redacted>/, how)
      const shown = ForeignText.without(token)
      for (const one of [report, elsewhere]) {
        for (const printed of [Contract.format(one), JSON.stringify(one)]) {
          assert.strictEqual(shown(printed), printed, how)
        }
      }
    }
  })

  it.effect("shows neither the token nor what a terminal would obey", function*() {
    const hostile = "\u001b]0;owned\u0007 \u009b31m \u202e"
    const { report } = yield* ask({
      answer: ({ headers: { authorization = "" }, url = "" }, response) => {
        if (!url.includes("mode=sideways")) return false
        response.writeHead(418).end(`${authorization} ${hostile}`)
        return true
      }
    })
    const { report: refused } = yield* ask({
      answer: ({ headers: { authorization = "" } }, response) => {
        response.writeHead(401).end(JSON.stringify({ s: "error", errmsg: `${authorization} ${hostile}` }))
        return true
      }
    })
    assert.match(refused.stopped ?? "", /did not accept the token .*owned/)
    const text = [report, refused].map((report) => Contract.format(report) + JSON.stringify(report)).join("\n")
    assert.include(said(report, "7.1-400"), "Bearer <redacted> \\u001b]0;owned\\u0007 \\u009b31m \\u202e")
    assert.notInclude(text, Stranger.token)
    assert.isTrue(Array.from(text).every((character) => character === "\n" || !/[\p{Cc}\p{Cf}]/u.test(character)))
  })
})

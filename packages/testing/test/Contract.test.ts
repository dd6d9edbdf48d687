import * as AccountCore from "@effect-marketdata/core/Account"
import * as NewYork from "@effect-marketdata/core/NewYork"
import { Accounts, Faults, Sandbox } from "@effect-marketdata/sandbox"
import type { SandboxReply } from "@effect-marketdata/sandbox/SandboxReply"
import { Contract, MarketDataTest } from "@effect-marketdata/testing"
import { Effect, Layer, Redacted, Result } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { forAll, isFull, runs } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import * as Broken from "./support/brokenService.ts"

const options = { baseUrl: "https://sandbox.test", token: Redacted.make("sandbox-paid"), budget: 100 }

const price = (extent: Contract.Extent) => Result.getOrThrow(Contract.price(extent))

/** Asks a sandbox, and returns the report with what the sandbox billed. */
const ask = (
  extent: Partial<Contract.Options> = {},
  service: Layer.Layer<Sandbox.Sandbox> = Sandbox.layer({ profile: extent.profile }),
  [at, seconds]: readonly [at: number, seconds: number] = [MarketDataTest.noon, 0]
) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(at * 1000)
    const slow = HttpClient.mapRequestEffect((request) => Effect.as(TestClock.adjust(seconds * 1000), request))
    const report = yield* Effect.updateService(Contract.run({ ...options, ...extent }), HttpClient.HttpClient, slow)
    const sandbox = yield* Sandbox.Sandbox
    return { report, billed: yield* sandbox.billed, log: yield* sandbox.requests }
  }).pipe(Effect.provide(Layer.provideMerge(Sandbox.layerHttpClient, service)))

const clausesOf = (report: Contract.Report, tag: Contract.Verdict["_tag"]) =>
  Contract.withVerdict(report, tag).map(({ clause }) => clause)

it("clauses are all clauses of the service, each once", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/conformance/clauses.md"), "utf8")
  const rows = Array.from(page.matchAll(/^\| (\d[\w.-]+) \|.*\| ([^|]+) \|$/gm), ([, id = "", where = ""]) => ({
    id,
    isOfService: where.includes("sandbox")
  }))
  const known = Contract.clauses.map(({ clause }) => clause)
  assert.sameMembers(known, [...new Set(known)])
  assert.includeMembers(rows.map(({ id }) => id), known)
  const missing = rows.filter(({ id, isOfService }) => isOfService && !known.includes(id)).map(({ id }) => id)
  assert.deepStrictEqual(missing, [])
})

describe("price", () => {
  it("says what all of it costs, and that the requests are shared", () => {
    const { clauses, credits, over, requests } = price({ budget: 100 })
    assert.deepStrictEqual(over, [])
    assert.isAtMost(credits, 52)
    assert.isAtMost(requests, 47)
    const alone = Contract.clauses.reduce((sum, clause) => sum + ("credits" in clause ? clause.credits : 0), 0)
    assert.isAbove(alone, credits)
    assert.strictEqual(clauses.length, Contract.clauses.filter((clause) => "credits" in clause).length)
  })

  it("leaves out what the budget has no room for, and takes what has room behind it", () => {
    const { clauses, credits, over } = price({ budget: 1, clauses: ["2.1-lengths", "4.1-date", "5.7-401"] })
    assert.deepStrictEqual([...clauses], ["2.1-lengths", "5.7-401"])
    assert.strictEqual(credits, 1)
    assert.deepStrictEqual(over.map(({ clause }) => clause), ["4.1-date"])
  })

  it("keeps every budget, and forgets no clause", () => {
    const askable = Contract.clauses.flatMap((clause) => "question" in clause ? [clause.clause] : [])
    forAll({ seed: 30 }, fc.shuffledSubarray(askable), fc.integer({ min: 0, max: 60 }), (clauses, budget) => {
      const { clauses: asked, credits: all, over } = price({ budget, clauses })
      assert.isAtMost(all, budget)
      assert.sameMembers([...asked, ...over.map(({ clause }) => clause)], clauses)
      for (const { credits } of over) assert.isAbove(all + credits, budget)
    })
  })

  it("refuses what is not a budget, and clauses that do not exist, from untyped callers too", () => {
    const wrong: ReadonlyArray<readonly [extent: unknown, message: RegExp]> = [
      [{ budget: NaN }, /^budget NaN must be an integer of 0 or more credits/],
      [{ budget: -1 }, /^budget -1 must be/],
      [{ budget: 1.5 }, /^budget 1\.5 must be/],
      [{ budget: "60" }, /^budget "60" must be .* e\.g\. 60\./],
      [{ budget: 60n }, /^budget 60n must be/],
      [{}, /^budget undefined must be/],
      [undefined, /^options \w+ must be an object/],
      [null, /^options \w+ must be an object/],
      [{ budget: 1, clauses: "2.1-mid" }, /^clauses "2\.1-mid" must be a list of ids, e\.g\. \["2\.1-mid"\]/],
      [{ budget: 1, clauses: ["0-none"] }, /^clause "0-none" must be the id of a clause of the contract/],
      [{ budget: 1, clauses: [7] }, /^clause 7 must be/]
    ]
    for (const [extent, message] of wrong) {
      const error = Result.getOrThrow(Result.flip(Contract.price(extent as Contract.Extent)))
      assert.strictEqual(error._tag, "ContractError")
      assert.match(error.message, message)
    }
    assert.strictEqual(price({ budget: Infinity }).over.length, 0)
  })

  it("needs a budget of nothing where nothing can be charged", () =>
    assert.deepStrictEqual(price({ budget: 0 }).clauses, ["5.1-token-everywhere", "5.5-demo", "5.7-401"]))
})

describe("run", () => {
  for (const profile of ["contract", "public"] as const) {
    it.effect(`finds everything testable to hold of the sandbox by the profile ${profile}`, function*() {
      const { billed, report } = yield* ask({ profile })
      assert.deepStrictEqual(clausesOf(report, "Broken"), [], Contract.format(report))
      // A quote may come from a cache or not: where it does not there is nothing to see.
      assert.includeMembers(["7.2-203-price"], clausesOf(report, "NotShown"))
      assert.deepStrictEqual(clausesOf(report, "OverBudget"), [])
      assert.strictEqual(report.spent, billed)
      assert.isAtMost(billed, price({ budget: 100 }).credits)
    })
  }

  it.effect("accuses no service while a day, a session or an option ends", () =>
    Effect.forEach(
      ([[16, 15], [0, 0], [9, 30], [16, 0]] as const).slice(0, runs(4, 1)),
      ([hour, minute]) =>
        Effect.gen(function*() {
          const end = NewYork.at(NewYork.dateOf(MarketDataTest.noon), hour, minute)
          const { report } = yield* ask({}, Sandbox.layer(), [end - 45, 2])
          assert.deepStrictEqual(clausesOf(report, "Broken"), [], Contract.format(report))
        }),
      { discard: true }
    ))

  it.effect("never passes a budget, whatever it is", () =>
    Effect.forEach([0, 9, 20, 1, 2, 5, 14, 27].slice(0, runs(8, 3)), (budget) =>
      Effect.gen(function*() {
        const { billed, report } = yield* ask({ budget })
        assert.isAtMost(billed, budget)
        assert.isAtMost(price({ budget }).credits, budget)
        assert.strictEqual(report.lines.length, Contract.clauses.length)
        assert.deepStrictEqual(clausesOf(report, "Broken"), [])
      }), { discard: true }))

  it.effect("sends less where a reply has cost more than it may", function*() {
    const { report } = yield* ask({ budget: 20 }, Broken.service({ credits: (credits) => credits * 5 }))
    assert.isNotEmpty(clausesOf(report, "OverBudget"))
    // Four credits of the highest price were left for the last request, and it was billed five times that.
    assert.isAtMost(report.spent, 20 + 4 * 4)
    assert.include(clausesOf(report, "Broken"), "4.1-cost-cached")
  })

  it.effect("shows the token to the service in the header alone, and asks for nothing but what was priced", function*() {
    const { log, report } = yield* ask()
    assert.isTrue(log.every(({ target }) => !target.includes("token=") && !target.includes("sandbox-paid")))
    assert.isAtMost(report.requests, price({ budget: 100 }).requests)
    assert.notInclude(JSON.stringify(report), "sandbox-paid")
  })

  it.effect("refuses options that are not valid before it sends, from untyped callers too", function*() {
    const wrong: ReadonlyArray<readonly [options: object, message: RegExp]> = [
      [{ baseUrl: "service" }, /^baseUrl "service" must be http or https/],
      [{ baseUrl: undefined }, /^baseUrl undefined must be a URL/],
      [{ baseUrl: "http://service.test" }, /^baseUrl "http:\/\/service\.test" must be https/],
      [{ clauses: ["0-none"] }, /^clause "0-none" must be the id of a clause/],
      [{ budget: NaN }, /^budget NaN/],
      [{ token: "sandbox-paid" }, /^token .* Redacted\.make\(text\)\. Nothing was sent/],
      [{ token: Redacted.make("{a-token}") }, /^token \S+ must be .* without spaces, braces or quotes/],
      [{ token: Redacted.make("a token") }, /^token \S+ must be/],
      [{ token: Redacted.make("") }, /^token \S+ must be/],
      [{ token: undefined }, /^token \S+ must be/],
      [{ profile: "private" }, /^profile "private" must be "contract" or "public"/],
      [{ underlying: "msft" }, /^underlying "msft" must be a ticker in capital letters, e\.g\. MSFT\./],
      [{ underlying: "MSFT/../F" }, /^underlying /],
      [{ tickers: ["MSFT"] }, /^tickers \["MSFT"\] must be two different stocks/],
      [{ tickers: ["F", "F"] }, /^tickers \["F","F"\] must be two different/],
      [{ tickers: ["F", null] }, /^tickers null must be a ticker/],
      [{ demo: "?" }, /^demo "\?" must be a ticker/]
    ]
    for (const [option, message] of wrong) {
      const error = yield* Effect.flip(ask(option, Sandbox.layer()))
      assert.strictEqual(error._tag, "ContractError")
      assert.match(error.message, message)
      assert.notInclude(error.message, "a-token")
    }
  })

  it.effect("takes a base URL with a path of its own", function*() {
    const { report } = yield* ask(
      { baseUrl: "https://proxy.test/md/" },
      Broken.service({ target: (target) => target.startsWith("/md/v1/") ? target.slice(3) : "/nowhere/" })
    )
    assert.strictEqual(report.baseUrl, "https://proxy.test/md")
    assert.deepStrictEqual(clausesOf(report, "Broken"), [])
  })

  it.effect("[4.3-lookup] takes either of two options that are alike in the words of a lookup", function*() {
    const reply = (reply: SandboxReply, target: string) =>
      target.includes("/lookup/") ? { ...reply, body: Array.from(reply.body).join("").replace("SPXW", "SPX") } : reply
    const { report } = yield* ask({ underlying: "SPX", clauses: ["4.3-lookup"] }, Broken.service({ reply }))
    assert.deepStrictEqual(clausesOf(report, "Holds"), ["4.3-lookup"], Contract.format(report))
  })

  it.effect("[2.3-format] accuses no symbol of a company that was merged into the underlying", function*() {
    const merged = Broken.service({ reply: Broken.within("/chain/", /"MSFT(?=\d)/, "\"ATVI") })
    const { report } = yield* ask({ clauses: ["2.3-format"] }, merged)
    assert.deepStrictEqual(clausesOf(report, "Holds"), ["2.3-format"], Contract.format(report))
  })

  it.effect("stops at an address block", function*() {
    const blocked = `{"s":"error","errmsg":"Access denied. Multiple IP addresses."}`
    const refusing = Broken.service({ reply: (reply) => ({ ...reply, status: 403, body: blocked }) })
    const { log, report } = yield* ask({}, refusing)
    assert.deepStrictEqual([log.length, report.spent], [1, 1])
    assert.match(report.stopped ?? "", /\. It was charged 1 credit\.$/)
    assert.deepStrictEqual(clausesOf(report, "Broken"), [])
  })

  it.effect("stops where the account has no credits left", function*() {
    const account = AccountCore.make({
      plan: "paid",
      user: AccountCore.nonProfessional("realTime"),
      allowance: { credits: 3, window: "day" }
    })
    const sandbox = Sandbox.layer({ accounts: [Accounts.make("sandbox-paid", account)] })
    const { billed, log, report } = yield* ask({}, sandbox)
    assert.isDefined(report.stopped)
    assert.strictEqual(report.spent, billed)
    assert.isBelow(log.length, 8)
    assert.deepStrictEqual(clausesOf(report, "Broken"), [])
  })

  it.effect("counts a reply that was lost at its highest price", function*() {
    const lost = Faults.layer({ faults: [{ match: "/v1/options/chain/", kind: { _tag: "Reset" } }] })
    const { billed, report } = yield* ask({ budget: 4 }, Layer.provide(lost, Sandbox.layer()))
    assert.strictEqual(report.spent, 0)
    assert.isAtLeast(billed, 1)
    assert.isAtMost(billed, report.uncertain)
    assert.isAtMost(report.uncertain, 4)
    assert.deepStrictEqual(clausesOf(report, "Broken"), [])
  })

  it("never claims to have spent more than was billed, nor less than may have been, whatever replies show of it", () =>
    fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.record({ consumed: fc.boolean(), remaining: fc.boolean() })), (shown) => {
        const reply = (reply: SandboxReply) => {
          const { consumed, remaining } = shown.next().value
          const headers = Object.entries(reply.headers).filter(([name]) =>
            name === "x-api-ratelimit-consumed" ? consumed : name === "x-api-ratelimit-remaining" ? remaining : true
          )
          return { ...reply, headers: Object.fromEntries(headers) }
        }
        const program = Effect.gen(function*() {
          const { billed, report } = yield* ask({}, Broken.service({ reply }))
          assert.isAtMost(report.spent, billed)
          assert.isAtMost(billed, report.spent + report.uncertain)
          assert.isAtMost(report.spent + report.uncertain, report.budget)
          // Prices are as they should be: what is shown of them holds, and what is not does not break.
          assert.deepStrictEqual(clausesOf(report, "Broken"), [], Contract.format(report))
        })
        return Effect.runPromise(Effect.provide(program, TestClock.layer()))
      }),
      { numRuns: runs(8, 4), seed: 31 }
    ))

  it.effect("relies on no figure that another contradicts, because another program may use the account", function*() {
    const { report } = yield* ask(
      {},
      Broken.service({
        reply: (reply, target) =>
          target.includes("?mode=live&expiration")
            ? { ...reply, headers: { ...reply.headers, "x-api-ratelimit-remaining": "7" } }
            : reply
      })
    )
    const verdict = report.lines.find(({ clause }) => clause === "4.1-cost-live")?.verdict
    const why =
      "the service says that it consumed 2 credits, and the remaining credits fell by [\\d,]+: another program may have used"
    assert.match(JSON.stringify(verdict), new RegExp(`"NotShown".*: ${why}`))
  })

  it.effect("looks at refusals also where the HTTP client fails for them", function*() {
    yield* TestClock.setTime(MarketDataTest.noon * 1000)
    const report = yield* Contract.run(options).pipe(
      Effect.updateService(HttpClient.HttpClient, HttpClient.filterStatusOk)
    )
    assert.strictEqual(report.outcome, "Passed", Contract.format(report))
  }, Layer.provide(Sandbox.layerHttpClient, Sandbox.layer()))
})

describe("of a broken service", () => {
  for (const [mistake, clauses, service] of Broken.mistakes) {
    it.effect(mistake, function*() {
      const asked = isFull ? {} : { clauses }
      const { report } = yield* ask({ budget: 1000, demo: "AAPL", ...asked }, Broken.service(service))
      assert.includeMembers(clausesOf(report, "Broken"), [...clauses], Contract.format(report))
      // A word behind "token:" would be taken for one.
      assert.notInclude(Contract.format(report), "<redacted>")
    })
  }

  it.effect("[5.7-401] who has no token is forbidden: that is not a block of the account, which is served", function*() {
    const clauses = ["4.4-stock-quote", "5.1-token-everywhere", "5.7-401"]
    const { report } = yield* ask({ budget: 10, clauses }, Broken.service({ reply: Broken.status(401, 403) }))
    assert.deepStrictEqual(clausesOf(report, "Broken"), ["5.1-token-everywhere", "5.7-401"])
  })

  it("there is one for every clause that can be asked", () => {
    const found = new Set(Broken.mistakes.flatMap(([, clauses]) => clauses))
    const asked = Contract.clauses.flatMap((clause) => "question" in clause ? [clause.clause] : [])
    assert.deepStrictEqual(asked.filter((clause) => !found.has(clause)), [])
  })
})

it.effect("format begins with the sum, and shows the evidence of what is broken", function*() {
  const extent = { clauses: ["4.1-cost-cached", "2.1-mid", "5.3-query"], budget: 2 }
  const { report } = yield* ask(extent, Broken.service({ credits: (credits) => credits + 1 }))
  assert.deepStrictEqual(Contract.format(report).split("\n").map((line) => line.trimEnd()), [
    "https://sandbox.test: 1 request sent, 2 of 2 credits spent",
    "Failed: 1 clause broken",
    "",
    "1 broken",
    "  4.1-cost-cached              Does a cached chain cost one credit, however large? " +
    "GET /v1/options/chain/MSFT/?mode=cached: expected a charge of 1 credit, received one of 2 " +
    "(as X-Api-Ratelimit-Consumed says)",
    "",
    "1 not to be asked from outside",
    "  5.3-query                    the token would stand in a URL, which others may log",
    "",
    "1 hold",
    "  2.1-mid                      Is mid halfway between bid and ask?"
  ])
})

import { NewYork, Plan, TradingCalendar } from "@effect-marketdata/core"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer, Result } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { linkSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { runs, trials } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import * as PlannerPage from "../plannerPage.ts"
import { queryCommands } from "../src/commands/list.ts"
import { OpenPage } from "../src/output/programs.ts"
import { choicesOf, commands, fieldsOf } from "../src/planner/fields.ts"
import * as Prices from "../src/planner/prices.ts"
import * as State from "../src/planner/state.ts"
import * as FlagValues from "../src/plans/flagValues.ts"
import * as PlanFile from "../src/plans/planFile.ts"
import { marketdata, run, servicesOf } from "./support/printed.ts"
import { folder } from "./support/service.ts"
import * as Typed from "./support/typedPlans.ts"

const now = { now: NewYork.at({ year: 2026, month: 11, day: 20 }, 12, 0), calendar: TradingCalendar.NYSE }

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** What `marketdata plan` makes of a text. */
const ofProgram = (text: string) =>
  Effect.runPromise(
    TestClock.setTime(now.now * 1000).pipe(
      Effect.andThen(PlanFile.read(text, "plan")),
      Effect.result,
      Effect.provide(Layer.merge(servicesOf({}), TestClock.layer()))
    )
  )

describe("the fields of the planner", () => {
  it("are those of all commands that ask", () =>
    assert.sameMembers(Object.keys(commands), queryCommands.map(({ name }) => name)))

  it.effect.each(queryCommands)("are the flags of $name, each with its choices", function*({ load, name }) {
    const flags = FlagValues.namedOf((yield* Effect.promise(load)).flags).filter(({ kind }) => kind === "flag")
    assert.sameMembers(fieldsOf(name).map(({ key }) => key), flags.map(({ name }) => name))
    for (const field of fieldsOf(name)) {
      const { key } = field
      const { param } = flags.find(({ name }) => name === key)!
      for (const value of choicesOf(field)) {
        yield* Effect.provide(param.parse({ flags: { [key]: [value] }, arguments: [] }), NodeServices.layer)
      }
    }
  })
})

/** Prices without the column that says whose a row is: the program adds it to rows of several symbols, and it moves no price. */
const withoutNames = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutNames).filter((one) => one !== "symbol" && one !== "optionSymbol")
    : typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutNames(one)]))
    : value

describe("what is typed into the planner", () => {
  it("costs what `marketdata plan` says of the exported file, row by row", () =>
    fc.assert(
      fc.asyncProperty(Typed.states, async (typed) => {
        const { allowance, hitRate, rows } = Prices.of(typed, now)
        for (const [index, row] of typed.tasks.entries()) {
          const { account = "" } = typed.settings
          const read = await ofProgram(State.file({ settings: { account }, tasks: [row] }))
          const page = rows[index]!
          const says = JSON.stringify([row, page, read])
          assert.strictEqual(Result.isSuccess(page), Result.isSuccess(read), says)
          if (Result.isFailure(read) || Result.isFailure(page)) continue
          const program = Result.getOrThrow(Plan.price(read.success.tasks[0]!, { ...read.success, hitRate }))
          for (const part of ["requests", "asked", "others", "choices"] as const) {
            assert.deepStrictEqual(withoutNames(page.success[part]), withoutNames(program[part]), says)
          }
        }
        if (rows.every(Result.isSuccess)) {
          assert.deepStrictEqual(Result.getOrThrow(await ofProgram(State.file(typed))).allowance, allowance)
        }
      }),
      { numRuns: runs(400), seed: 390 }
    ))

  it("is the same behind its link, and in its file", () =>
    fc.assert(
      fc.property(Typed.states, (typed) => {
        const linked = Result.getOrThrow(State.fromHash(State.hash(typed))!)
        for (const [index, row] of typed.tasks.entries()) {
          for (const [key, text] of Object.entries(row)) {
            if (key !== "subject") {
              assert.strictEqual(linked.tasks[index]![key], text, `${key} of ${JSON.stringify(row)}`)
            }
          }
        }
        assert.deepStrictEqual(State.read(State.file(typed)), Result.succeed(linked))
        assert.strictEqual(State.hash(linked), State.hash(typed))
        assert.deepStrictEqual(Prices.of(linked, now), Prices.of(typed, now))
      }),
      { numRuns: runs(400), seed: 391 }
    ))

  it("has a hit rate as a number, and a name as a text, however they are typed", () => {
    const typed = { settings: { "hit-rate": ".90" }, tasks: [{ command: "chain", subject: "SPX", name: "true" }] }
    assert.deepStrictEqual(JSON.parse(State.file(typed)), { "hit-rate": 0.9, tasks: [{ chain: "SPX", name: "true" }] })
  })

  it("comes to these figures, each with its formula and its clauses", () => {
    const { figures } = Prices.figures(Prices.of(State.example, now), State.example.tasks)
    assert.deepStrictEqual(Object.fromEntries(figures.map(([id, , value]) => [id, value])), {
      allowance: "lasts, 95,930 left",
      day: "26 to 4,070",
      expected: "4,031",
      month: "560 to 88,160",
      peak: "1 to 119",
      requests: "776",
      total: "26 to 4,070"
    })
    for (const [id, , , , { clause = "", formula = "" }] of figures) {
      assert.match(clause, /^\d/, id)
      assert.isAbove(formula.length, 20, id)
    }
  })

  it("is told beside its field where it is wrong: value, rule, example", () => {
    const told = (texts: Record<string, string>, command = "chain", subject = "SPX") => {
      const { rows, troubles } = Prices.of({ tasks: [{ ...texts, command, subject }], settings: texts }, now)
      const [row] = rows
      return [...row !== undefined && Result.isFailure(row) ? [row.failure] : [], ...troubles]
    }
    const cases: ReadonlyArray<readonly [Record<string, string>, string, RegExp]> = [
      [{ when: "evry 1min" }, "when", /"evry" must say how often.*every 1min/],
      [{ contracts: "some" }, "contracts", /"some" must be a number.*3000/],
      [{ strike: "9-3" }, "strike", /"9-3" must go from the smaller number to the greater.*3-9/],
      [{ "max-age": "5min" }, "max-age", /is for cached data only/],
      [{ mode: "cached", "max-age": "soon" }, "max-age", /"soon"/],
      [{ expiration: "12/18" }, "expiration", /12\/18/],
      [{ "fresh-within": "now" }, "fresh-within", /"now" must be a duration.*5min/],
      [{ when: "every 1s from 0:00 to 23:59 on 2026-01-01..2028-09-01" }, "when", /100000 minutes.*every 5min/],
      [{ allowance: "lots" }, "allowance", /"lots" must be credits/],
      [{ "hit-rate": "2" }, "hit-rate", /"2" must be the share/],
      [{ account: "broker" }, "account", /"broker" must be paid, trial/]
    ]
    for (const [texts, key, message] of cases) {
      const [trouble] = told(texts)
      assert.strictEqual(trouble?.key, key, JSON.stringify(texts))
      assert.match(trouble!.message, message)
      assert.notInclude(trouble!.message, "Nothing was sent")
    }
    assert.deepStrictEqual([told({}, "quote", "AAPL")[0]?.key, told({}, "chain", "")[0]?.key], ["subject", "subject"])
  })
})

describe("a link or a file from a stranger", () => {
  const refused = (hash: string, message: RegExp) => {
    const read = State.fromHash(hash)
    assert.isTrue(read !== undefined && Result.isFailure(read) && message.test(read.failure), hash.slice(0, 80))
  }

  it("is not a plan, and says why", () => {
    assert.isUndefined(State.fromHash(""))
    assert.isUndefined(State.fromHash("#figure-day"))
    refused("#plan=%", /link is damaged/)
    refused("#plan={", /valid JSON/)
    refused("#plan=tasks:", /marketdata planner FILE/)
    refused(`#plan=${"x".repeat(10_000_000)}`, /may have 100000/)
    refused(`#plan=${"[".repeat(90_000)}`, /valid JSON/)
    refused("#plan=[]", /list of 1 to 20/)
    refused(`#plan=${JSON.stringify(Array.from({ length: 21 }, () => ({ chain: "SPX" })))}`, /list of 1 to 20/)
    refused(`#plan={"tasks":[{"__proto__":"SPX"}]}`, /must have one query.*"tasks"/)
    refused(`#plan={"tasks":[{"constructor":"SPX"}]}`, /must have one query.*"tasks"/)
    refused(`#plan={"tasks":[{"chain":"SPX","__proto__":{"mode":"live"}}]}`, /a value.*"__proto__"/)
    refused(`#plan={"tasks":[{"chain":"SPX","__proto__":"live"}]}`, /`__proto__` must be an option/)
    refused(`#plan={"tasks":[{"chain":{"toString":1}}]}`, /"chain"/)
    refused(`#plan={"tasks":[{"chain":"SPX","expiratoin":"all"}]}`, /e\.g\. expiration\./)
    assert.isUndefined(({} as { readonly mode?: string }).mode)
  })

  it("never ends the page: any JSON is a plan or a reason", () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 3 }), (any, value) => {
        const plans = [any, { tasks: [any] }, { tasks: [{ chain: any }] }, {
          tasks: [{ chain: "SPX", when: value, mode: any }]
        }]
        for (const plan of plans) {
          const read = State.read(JSON.stringify(plan))
          if (Result.isSuccess(read)) Prices.of(read.success, now)
          else assert.isTrue(read.failure.length < 2000)
        }
      }),
      trials(392)
    ))
})

describe("marketdata planner", () => {
  it.effect("opens the page, or prints its address only", function*() {
    const opened: Array<string> = []
    const open = (has: boolean) => Context.make(OpenPage, (address) => Effect.sync(() => (opened.push(address), has)))
    const address = pathToFileURL(join(root, PlannerPage.planner)).href
    // Other systems always have a display.
    const elsewhere = process.platform === "linux" ? "No browser was found: open the address above in one." : ""
    const cases = [
      ["", true, true, "", { DISPLAY: ":0" }],
      ["", true, false, "No browser was found: open the address above in one.", { WAYLAND_DISPLAY: "wayland-0" }],
      ["", true, elsewhere === "", elsewhere, {}],
      ["", false, true, "", { DISPLAY: ":0" }],
      ["--no-open", true, true, "", { DISPLAY: ":0" }]
    ] as const
    for (const [flags, isTerminal, has, errors, variables] of cases) {
      const printed = yield* marketdata(`planner ${flags}`, { isTerminal, services: open(has), variables })
      assert.deepStrictEqual(printed, { code: 0, out: address, errors })
    }
    assert.deepStrictEqual(opened, elsewhere === "" ? [address, address, address] : [address, address])
  })

  it.effect("writes a page with a plan in YAML in it, of which no text is markup", function*() {
    const here = folder()
    const [file, output] = [join(here, "plan.yaml"), join(here, "page.html")]
    const tasks = `tasks:\n  - chain: SPX\n    name: "</script><b>"\n    expiration: 2026-12-18\n    strikeLimit: 5\n`
    writeFileSync(file, tasks)
    const { code, errors } = yield* run(["planner", file, "--output", output])
    assert.strictEqual(code, 0, errors)
    const page = readFileSync(output, "utf8")
    const [, given = ""] = /<script type="application\/json" id="given">(.*?)<\/script>/.exec(page) ?? []
    assert.deepStrictEqual(Result.getOrThrow(State.read(given)).tasks, [
      { command: "chain", subject: "SPX", name: "</script><b>", expiration: "2026-12-18", "strike-limit": "5" }
    ])
    assert.strictEqual(page.match(/<\/script>/g)?.length, 2)
  })

  it.effect("opens the desk's plan, and refuses a wrong one with its place", function*() {
    const output = join(folder(), "page.html")
    writeFileSync(output, "old")
    linkSync(output, `${output}.old`)
    const desk = yield* run(["planner", join(root, "docs/guide/cli/desk.yaml"), "-o", output])
    assert.strictEqual(desk.code, 0, desk.errors)
    // A page is renamed to its place once it is whole: a full disk leaves what was there.
    assert.strictEqual(readFileSync(`${output}.old`, "utf8"), "old")
    const file = join(dirname(output), "wrong.yaml")
    writeFileSync(file, "- chain: SPX\n  when: soon\n")
    const { code, errors } = yield* run(["planner", file, "-o", output])
    assert.strictEqual(code, 2)
    assert.match(errors, /line 2, column 9: `when`/)
  })
})

it("the planner page may run its one script and its one style, by their hashes, and load nothing", async () => {
  const page = await PlannerPage.page(root)
  const { createHash } = await import("node:crypto")
  const hashOf = (text = "") => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
  const [, script] = /<script type="module">([\s\S]*)<\/script>/.exec(page) ?? []
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
  assert.include(
    page,
    `content="default-src 'none'; script-src ${hashOf(script)}; style-src ${
      hashOf(style)
    }; img-src data:; base-uri 'none'; form-action 'none'"`
  )
  assert.notMatch(page, /<(?:img|iframe|object|script src|link rel="stylesheet")/)
  assert.notMatch(script!, /innerHTML|insertAdjacentHTML|document\.write|fetch\(|XMLHttpRequest|import\(/)
})

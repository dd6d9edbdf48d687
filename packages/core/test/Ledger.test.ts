import { type Account, Ledger, NewYork } from "@effect-marketdata/core"
import type { CreditBudgetExceeded, FallbackDeclined } from "@effect-marketdata/core/Reason"
import { assert, describe, it } from "@effect/vitest"
import { Equal, Result } from "effect"
import * as fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { forAll, trials } from "./support/depth.ts"

const runs = trials(5)

/** Reserves credits that are there. */
const reserved = (ledger: Ledger.Ledger, bound: number) => Result.getOrThrow(Ledger.reserve(ledger, bound))

/** Why the budget does not cover it. */
const exceeded = <A>(result: Result.Result<A, CreditBudgetExceeded | FallbackDeclined>): CreditBudgetExceeded => {
  const reason = Result.getOrThrow(Result.flip(result))
  assert(reason._tag === "CreditBudgetExceeded")
  return reason
}

/** Why live data is declined. */
const declined = <A>(result: Result.Result<A, CreditBudgetExceeded | FallbackDeclined>): FallbackDeclined => {
  const reason = Result.getOrThrow(Result.flip(result))
  assert(reason._tag === "FallbackDeclined")
  return reason
}

/** 2026-11-20, 12:00 in New York: 21.5 hours before the allowance of the day is renewed. */
const noon = Date.UTC(2026, 10, 20, 17) / 1000

/**
 * A step of a query's way through the ledger: what to do, with which of the reservations so far, under which number in it, and how many
 * credits. `besides` is what may have been charged in addition, `beyond` sends for more than is reserved, or without a bound; `seconds` is how
 * much time passes.
 */
const command = fc.record({
  step: fc.constantFrom("reserve", "extend", "send", "charge", "lose", "settle", "wait"),
  which: fc.nat({ max: 5 }),
  request: fc.nat({ max: 1 }),
  credits: fc.nat({ max: 60 }),
  besides: fc.oneof(fc.constant(0), fc.nat({ max: 20 })),
  beyond: fc.constantFrom("no", "no", "no", "more", "unbounded"),
  seconds: fc.oneof(fc.nat({ max: 90 }), fc.nat({ max: 20 }).map((hours) => hours * 3600))
})
type Command = typeof command extends fc.Arbitrary<infer A> ? A : never

/** What a reservation has been through, as an accountant would note it. */
interface Spending {
  readonly id: number
  readonly bound: number
  readonly used: number
  readonly open: ReadonlyMap<number, number>
}

/** The same ledger kept a second time, from what happened and not from the first. */
interface Model {
  readonly accounts: ReadonlyArray<Spending>
  readonly charged: number
  readonly uncertain: number
  readonly lost: number
  readonly excess: ReadonlyArray<readonly [id: number, credits: number]>
  readonly now: number
  readonly ends: number
}

const noModel: Model = { accounts: [], charged: 0, uncertain: 0, lost: 0, excess: [], now: noon, ends: noon + 77_400 }

/** When the window ends in which the allowance is renewed next, as a calendar without summer time says. */
const endOf = (window: Account.Window, { ends, now }: Model): number =>
  window === "day" ? (now >= ends ? ends + 86_400 : ends) : window === "minute" ? now - now % 60 + 60 : Infinity

const change = (model: Model, account: Spending): Model => ({
  ...model,
  accounts: model.accounts.map((other) => other.id === account.id ? account : other)
})

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, amount) => total + amount, 0)

const sumOpen = (account: Spending): number => sum([...account.open.values()].filter(Number.isFinite))

const outstanding = (account: Spending): number => Math.max(0, account.bound - account.used, sumOpen(account))

const leftOf = (account: Spending): number => Math.max(0, account.bound - account.used - sumOpen(account))

const without = (account: Spending, request: number): Spending => ({
  ...account,
  open: new Map([...account.open].filter(([number]) => number !== request))
})

const loseIn = (model: Model, account: Spending, request: number): readonly [Model, Spending] => {
  const open = account.open.get(request)
  if (open === undefined) return [model, account]
  const closed = without(account, request)
  const credits = open === Infinity ? leftOf(account) : open
  return [
    { ...model, uncertain: model.uncertain + credits, lost: model.lost + (open === Infinity ? 1 : 0) },
    { ...closed, used: closed.used + credits }
  ]
}

/** Takes one step in both records. */
const take = (
  ledger: Ledger.Ledger,
  model: Model,
  { besides, beyond, credits, request, seconds, step, which }: Command
): readonly [Ledger.Ledger, Model] => {
  if (step === "reserve") {
    const result = Ledger.reserve(ledger, credits)
    if (Result.isFailure(result)) return [ledger, model]
    const account: Spending = { id: result.success.id, bound: credits, used: 0, open: new Map() }
    return [result.success.ledger, { ...model, accounts: [...model.accounts, account] }]
  }
  if (step === "wait") {
    const now = model.now + seconds
    const ends = endOf(ledger.window, { ...model, now })
    const renewed = now >= model.ends
      ? {
        charged: 0,
        uncertain: 0,
        lost: 0,
        excess: model.excess.filter(([id]) => model.accounts.some((account) => account.id === id)),
        ends
      }
      : {}
    return [Ledger.advance(ledger, now), { ...model, now, ...renewed }]
  }
  const account = model.accounts[which]
  if (account === undefined) return [ledger, model]
  switch (step) {
    case "extend": {
      const result = Ledger.extend(ledger, account.id, credits)
      if (Result.isFailure(result)) return [ledger, model]
      const bound = Math.max(account.bound, account.used + sumOpen(account) + credits)
      return [result.success, change(model, { ...account, bound })]
    }
    case "send": {
      const [losing, held] = loseIn(model, account, request)
      const left = leftOf(held)
      const bound = beyond === "unbounded" ? Infinity : beyond === "more" ? left + credits : Math.min(credits, left)
      const excess = bound !== Infinity && bound > left ? bound - left : 0
      const sent = {
        ...held,
        open: new Map(held.open).set(request, bound),
        bound: excess > 0 ? held.used + sumOpen(held) + bound : held.bound
      }
      return [
        Ledger.send(ledger, account.id, bound, request),
        { ...change(losing, sent), excess: [...losing.excess, [account.id, excess]] }
      ]
    }
    case "charge": {
      const sent = account.open.get(request) ?? Infinity
      const left = leftOf(account)
      const most = credits + besides
      const charged = { ...without(account, request), used: account.used + most }
      return [Ledger.charge(ledger, account.id, credits, { request, uncertain: besides }), {
        ...change(model, charged),
        charged: model.charged + credits,
        uncertain: model.uncertain + besides,
        excess: [...model.excess, [account.id, Math.max(0, most - (sent === Infinity ? left : sent))]]
      }]
    }
    case "lose": {
      const [losing, closed] = loseIn(model, account, request)
      return [Ledger.markLost(ledger, account.id, request), change(losing, closed)]
    }
    case "settle": {
      const [settled] = [...account.open.keys()].reduce<readonly [Model, Spending]>(
        ([model, account], request) => loseIn(model, account, request),
        [model, account]
      )
      return [
        Ledger.settle(ledger, account.id),
        { ...settled, accounts: model.accounts.filter(({ id }) => id !== account.id) }
      ]
    }
  }
}

const balance = (ledger: Ledger.Ledger) =>
  Ledger.available(ledger) + ledger.charged + ledger.uncertain + Ledger.reserved(ledger) + Ledger.elsewhere(ledger)

/** A ledger at noon. */
const opened = (window: Account.Window, credits: number) => Ledger.makeRenewing({ credits, window, now: noon })

it("keeps its balance on every way through every window, and goes over the allowance by recorded overruns only", () => {
  const windows = fc.constantFrom<Account.Window>("day", "minute", "none")
  const commands = fc.array(command, { maxLength: 40 })
  forAll(runs, windows, fc.integer({ min: 0, max: 200 }), commands, (window, allowance, commands) => {
    let ledger = opened(window, allowance)
    let model: Model = { ...noModel, ends: endOf(window, noModel) }
    for (const command of commands) {
      ;[ledger, model] = take(ledger, model, command)
      const reserved = sum(model.accounts.map(outstanding))
      const excess = sum(model.excess.map(([, credits]) => credits))
      assert.deepInclude(ledger, { charged: model.charged, uncertain: model.uncertain, lost: model.lost })
      assert.deepStrictEqual([Ledger.reserved(ledger), ledger.overdrawn], [reserved, excess])
      assert.strictEqual(sum(ledger.overruns.map(({ bound, charged }) => charged - bound)), excess)
      assert.strictEqual(balance(ledger), allowance)
      assert.isAtMost(ledger.charged + ledger.uncertain + reserved, allowance + excess)
      assert.deepStrictEqual([...ledger.reservations.keys()], model.accounts.map(({ id }) => id))
    }
    for (const { id } of model.accounts) ledger = Ledger.settle(ledger, id)
    assert.strictEqual(Ledger.reserved(ledger), 0)
    assert.strictEqual(Ledger.available(ledger), allowance - ledger.charged - ledger.uncertain)
  })
})

it("is a value: equal to what came to the same, whatever was asked of one of them", () => {
  const reset = noon + 3600
  const opened = Ledger.makeRenewing({ credits: 100, window: "day", now: noon })
  const observed = Ledger.observe(opened, { limit: 100, remaining: 90, reset })
  const sent = () => Ledger.send(reserved(observed, 40).ledger, 1, 30)
  const [asked, other] = [sent(), sent()]
  assert.strictEqual(Ledger.available(asked), 50)
  // Of a reservation that is not open: what the request in flight may cost explains 30 of 45 credits.
  assert.strictEqual(Ledger.unexplained(asked, 100, 0, { figures: { limit: 100, remaining: 45, reset } }), 15)
  assert.deepStrictEqual(asked, other)
  assert.isTrue(isDeepStrictEqual(asked, other))
  assert.isTrue(Equal.equals(asked, other))
  assert.isFalse(Equal.equals(asked, reserved(observed, 40).ledger))
})

it("tells once what each step did: its events come to the ledger", () => {
  forAll(runs, fc.array(command, { maxLength: 40 }), fc.integer({ min: 0, max: 200 }), (commands, allowance) => {
    let ledger = opened("day", allowance)
    const told = { charged: 0, uncertain: 0, overdrawn: 0, reserved: new Map<number, number>() }
    const tell = (event: Ledger.Happening): void => {
      if (event._tag === "Reserved" || event._tag === "Extended") told.reserved.set(event.reservation, event.bound)
      if (event._tag === "Charged") told.charged += event.credits
      if (event._tag === "Charged") told.uncertain += event.uncertain
      if (event._tag === "Lost") told.uncertain += event.credits
      if (event._tag === "Overran") told.overdrawn += event.charged - event.bound
      if (event._tag === "Settled") told.reserved.delete(event.reservation)
      if (event._tag !== "Renewed") return
      Object.assign(told, { charged: 0, uncertain: 0, overdrawn: ledger.overdrawn })
      assert.strictEqual(event.allowance, allowance)
    }
    const { advance, charge, extend, markLost, reserve, send, settle } = Ledger.steps
    for (const { besides, credits, request, seconds, step, which } of commands) {
      const id = [...ledger.reservations.keys()][which] ?? 1000
      const taken = {
        reserve: () => reserve(ledger, credits),
        wait: () => advance(ledger, ledger.now + seconds),
        extend: () => extend(ledger, id, credits),
        send: () => send(ledger, id, credits, request),
        charge: () => charge(ledger, id, credits, { request, uncertain: besides }),
        lose: () => markLost(ledger, id, request),
        settle: () => settle(ledger, id)
      }[step]()
      ledger = taken.ledger
      taken.events.forEach(tell)
      const { charged, overdrawn, uncertain } = ledger
      const stands = { charged, uncertain, overdrawn, reserved: [...ledger.reservations.keys()] }
      assert.deepStrictEqual(stands, { ...told, reserved: [...told.reserved.keys()] })
    }
  })
})

it("changes no earlier ledger", () => {
  const image = (ledger: Ledger.Ledger) => JSON.stringify({ ...ledger, reservations: [...ledger.reservations] })
  forAll(runs, fc.array(command, { maxLength: 20 }), (commands) => {
    const ledgers: Array<readonly [Ledger.Ledger, string]> = []
    let ledger = Ledger.make(100)
    let model = noModel
    for (const command of commands) {
      ledgers.push([ledger, image(ledger)])
      ;[ledger, model] = take(ledger, model, command)
    }
    for (const [ledger, earlier] of ledgers) assert.strictEqual(image(ledger), earlier)
  })
})

describe("reserve", () => {
  it("takes the last credit, and refuses one more with what is left", () => {
    const { ledger } = reserved(Ledger.make(100), 60)
    assert.strictEqual(Ledger.available(reserved(ledger, 40).ledger), 0)
    const reason = exceeded(Ledger.reserve(ledger, 41))
    assert.deepStrictEqual([reason.cause, reason.bound, reason.available], ["Insufficient", 41, 40])
    assert.include(reason.message, "may cost 41 credits, and the budget has 40 credits left")
  })

  it("[8.5-not-shown] refuses nothing without an allowance: no limit is invented, and what happens is counted", () => {
    const { id, ledger } = reserved(Ledger.make(), Infinity)
    assert.strictEqual(Ledger.available(ledger), Infinity)
    const other = reserved(ledger, 1e9)
    assert.strictEqual(Ledger.available(other.ledger), Infinity)
    const charged = Ledger.charge(Ledger.send(ledger, id, Infinity), id, 22_718)
    assert.deepInclude(charged, { charged: 22_718, overruns: [] })
    assert.strictEqual(Ledger.available(charged), Infinity)
  })
})

it("charge keeps apart what was charged for certain and what may have been besides, and counts both as spent", () => {
  const { id, ledger } = reserved(Ledger.make(100), 40)
  const charged = Ledger.charge(Ledger.send(ledger, id, 30), id, 10, { uncertain: 20 })
  assert.deepStrictEqual([charged.charged, charged.uncertain, Ledger.reserved(charged)], [10, 20, 10])
  assert.strictEqual(Ledger.available(Ledger.settle(charged, id)), 70)
  const over = Ledger.charge(Ledger.send(ledger, id, 30), id, 10, { uncertain: 21 })
  assert.deepStrictEqual(over.overruns, [{ id, bound: 30, charged: 31 }])
  for (const uncertain of [NaN, -1, Infinity]) {
    const lost = Ledger.charge(Ledger.send(ledger, id, 30), id, 10, { uncertain })
    assert.deepStrictEqual([lost.charged, lost.uncertain], [0, 30], String(uncertain))
  }
})

it("lose records nothing for a request without a bound, since there is no honest figure, and counts it apart", () => {
  const { id, ledger } = reserved(Ledger.make(), Infinity)
  const lost = Ledger.markLost(Ledger.send(ledger, id, Infinity), id)
  assert.deepStrictEqual([lost.uncertain, lost.lost], [0, 1])
})

describe("a ceiling of consent", () => {
  const consented = (bound: number, ceiling: number, allowance = Infinity) =>
    Result.getOrThrow(Ledger.reserve(Ledger.make(allowance), bound, ceiling))

  it("holds before anything is sent, for a price without end too, and where it is not an amount", () => {
    for (const [bound, ceiling] of [[501, 500], [Infinity, 500], [1, NaN], [1, -1], [1, 0.9]] as const) {
      const reason = declined(Ledger.reserve(Ledger.make(), bound, ceiling))
      assert.deepInclude(reason, { price: bound === Infinity ? undefined : bound, cost: "none" })
    }
    assert.isTrue(Result.isSuccess(Ledger.reserve(Ledger.make(), Infinity, Infinity)))
    assert.isTrue(Result.isSuccess(Ledger.reserve(Ledger.make(), 0, 0)))
  })

  it("bounds all that the requests of a query were charged, or may have been, whatever becomes of them", () => {
    const request = fc.record({
      number: fc.nat({ max: 2 }),
      bound: fc.nat({ max: 60 }),
      fate: fc.constantFrom("charge", "lose", "leave"),
      share: fc.nat({ max: 100 })
    })
    forAll(runs, fc.nat({ max: 200 }), fc.array(request, { maxLength: 30 }), (ceiling, requests) => {
      let { id, ledger } = consented(0, ceiling)
      for (const { bound, fate, number, share } of requests) {
        const extended = Ledger.extend(ledger, id, bound)
        if (Result.isFailure(extended)) {
          const { charged = 0, uncertain = 0 } = declined(extended)
          assert.isAbove(charged + uncertain + bound, ceiling)
          assert.isAtMost(charged + uncertain, ceiling)
          assert.strictEqual(charged, ledger.charged)
          continue
        }
        const sent = Ledger.send(extended.success, id, bound, number)
        ledger = fate === "charge"
          ? Ledger.charge(sent, id, Math.floor(bound * share / 100), { request: number })
          : fate === "lose"
          ? Ledger.markLost(sent, id, number)
          : sent
      }
      const settled = Ledger.settle(ledger, id)
      assert.isAtMost(settled.charged + settled.uncertain, ceiling)
    })
  })
})

describe("extend", () => {
  it("says in its refusal that an earlier request was sent, and never says so of the first", () => {
    const { id, ledger } = reserved(Ledger.make(100), 40)
    const refusal = (ledger: Ledger.Ledger) => exceeded(Ledger.extend(ledger, id, 101))
    const sent = Ledger.send(ledger, id, 40)
    for (const ledger of [sent, Ledger.markLost(sent, id)]) {
      assert.strictEqual(refusal(ledger).cost, "possible")
      assert.include(refusal(ledger).message, "may have been charged")
    }
    assert.strictEqual(refusal(ledger).cost, "none")
    assert.include(refusal(ledger).message, "Nothing was sent")
    const reason = exceeded(Ledger.reserve(sent, 101))
    assert.include(reason.message, "Nothing was sent")
  })

  it("takes the difference alone, up to the last credit", () => {
    const { id, ledger } = reserved(Ledger.make(100), 60)
    const sent = Ledger.send(ledger, id, 30)
    assert.strictEqual(Ledger.available(Result.getOrThrow(Ledger.extend(sent, id, 70))), 0)
  })

  it("changes nothing where there is room", () => {
    const { id, ledger } = reserved(Ledger.make(100), 40)
    assert.strictEqual(Result.getOrThrow(Ledger.extend(ledger, id, 40)), ledger)
    assert.strictEqual(Result.getOrThrow(Ledger.extend(ledger, 99, 1000)), ledger)
  })
})

describe("windows", () => {
  const clock = (text: string) => {
    const [year, month, day, hour, minute, second = 0] = text.split(/[- :]/).map(Number)
    return NewYork.at({ year: year!, month: month!, day: day! }, hour!, minute!, second)
  }
  const spent = (credits: number, now: number, window: "day" | "minute" | "none" = "day") => {
    const { id, ledger } = reserved(Ledger.makeRenewing({ credits: 100, window, now }), credits)
    return Ledger.settle(Ledger.charge(ledger, id, credits), id)
  }

  it("[8.5-not-shown] renews at 9:30 in New York, also on the days on which clocks change, and not a second earlier", () => {
    const cases = [
      ["2026-11-20 12:00", "2026-11-21 9:30"],
      ["2026-03-07 9:30", "2026-03-08 9:30"],
      ["2026-11-01 0:30", "2026-11-01 9:30"],
      ["2026-11-01 9:29:59", "2026-11-01 9:30"]
    ] as const
    for (const [from, renewal] of cases) {
      const ledger = spent(30, clock(from))
      assert.strictEqual(Ledger.available(Ledger.advance(ledger, clock(renewal) - 1)), 70, from)
      assert.strictEqual(Ledger.available(Ledger.advance(ledger, clock(renewal))), 100, from)
    }
    // 23 hours from one 9:30 to the next where clocks go forward.
    assert.strictEqual(clock("2026-03-08 9:30") - clock("2026-03-07 9:30"), 23 * 3600)
  })

  it("[8.5-not-shown] lies around every time, begins where the one before ends, and a day always at 9:30", () => {
    const time = fc.integer({ min: 0, max: clock("2099-12-31 9:30") })
    forAll(runs, time, fc.constantFrom("day" as const, "minute" as const), (now, window) => {
      const { end, start } = Ledger.windowAt(window, now)
      assert.isAtMost(start, now)
      assert.isAbove(end, now)
      assert.strictEqual(Ledger.windowAt(window, end).start, end)
      assert.deepStrictEqual(Ledger.windowAt(window, end - 1), { start, end })
      if (window === "day") assert.match(NewYork.format(start), / 09:30:00 E[SD]T$/)
    })
  })

  it("leaves behind what was charged, uncertain or overrun, and keeps the overruns of what goes along", () => {
    const first = reserved(opened("day", 100), 40)
    const second = reserved(first.ledger, 10)
    const lost = Ledger.markLost(Ledger.send(second.ledger, second.id, 10), second.id)
    const over = Ledger.send(Ledger.charge(Ledger.send(lost, second.id, 0), second.id, 5), first.id, 60)
    assert.deepStrictEqual(over.overruns.map(({ id }) => id), [second.id, first.id])
    const next = Ledger.advance(Ledger.settle(over, second.id), noon + 86_400)
    assert.deepStrictEqual([next.charged, next.uncertain, Ledger.available(next)], [0, 0, 40])
    assert.deepStrictEqual(next.overruns, [{ id: first.id, bound: 40, charged: 60 }])
  })

  it("renews nothing in what is not a window", () => {
    for (const window of ["week", null] as Array<never>) {
      const wrong = /window .* must be "day", "minute" or "none", e\.g\. "day"\./
      assert.throws(() => Ledger.makeRenewing({ credits: 5, window, now: noon }), wrong)
      assert.throws(() => Ledger.windowAt(window, noon), wrong)
    }
  })

  it("takes no time that is past, or is none, for a new window", () => {
    const ledger = spent(30, noon)
    // Milliseconds, and what untyped callers have for a time.
    const none: ReadonlyArray<never> = [noon * 1000, `${noon + 1}`, new Date(noon * 1001)] as Array<never>
    for (const now of [noon, noon - 86_400, NaN, -Infinity, Infinity, ...none]) {
      assert.strictEqual(Ledger.advance(ledger, now), ledger, String(now))
      const late = Ledger.makeRenewing({ credits: 100, window: "day", now: now === noon ? NaN : now })
      assert.strictEqual(Ledger.advance(late, noon).ends, noon + 77_400)
      assert.isTrue(Result.isFailure(Ledger.reserve(Ledger.makeRenewing({ ...late, credits: 0 }), 1)))
    }
  })
})

describe("the service's figures", () => {
  const reset = noon + 3600
  const figures = (remaining: number, at = reset): Ledger.Figures => ({ limit: 1000, remaining, reset: at })

  describe("that show more gone than the ledger explains", () => {
    /** A ledger to which a first reply of 10 credits has told that 900 are left. */
    const told = () => {
      const { id, ledger } = reserved(opened("day", 1000), 10)
      return Ledger.settle(Ledger.charge(Ledger.send(ledger, id, 10), id, 10, { figures: figures(900) }), id)
    }
    const unexplained = (ledger: Ledger.Ledger, remaining: number, credits = 10) => {
      const { id, ledger: held } = reserved(ledger, 10)
      return Ledger.unexplained(Ledger.send(held, id, 10), id, credits, { figures: figures(remaining) })
    }

    it("name none for a reply that is older than the figures, of another window, or without any", () => {
      const { id, ledger } = reserved(told(), 10)
      const sent = Ledger.send(ledger, id, 10)
      assert.deepStrictEqual([unexplained(told(), 950), Ledger.unexplained(sent, id, 10, {})], [0, 0])
      assert.strictEqual(Ledger.unexplained(sent, id, 10, { figures: figures(0, noon + 2 * 86_400) }), 0)
      const first = reserved(opened("day", 1000), 10)
      const figured = { figures: figures(0) }
      assert.strictEqual(Ledger.unexplained(Ledger.send(first.ledger, first.id, 10), first.id, 10, figured), 0)
    })

    it("name none that another request of the ledger may have cost: in flight, lost, or charged without a figure", () => {
      const other = reserved(told(), 40)
      const flying = Ledger.send(other.ledger, other.id, 40, 7)
      assert.deepStrictEqual([850, 849].map((remaining) => unexplained(flying, remaining)), [0, 1])
      // A lost request counts twice: it may be charged once more than the next figures say, long after it was given up.
      const lost = Ledger.markLost(flying, other.id, 7)
      assert.deepStrictEqual([850, 810, 809].map((remaining) => unexplained(lost, remaining)), [0, 0, 1])
      const seen = reserved(lost, 10)
      const later = Ledger.charge(Ledger.send(seen.ledger, seen.id, 10), seen.id, 10, { figures: figures(890) })
      assert.deepStrictEqual([840, 839].map((remaining) => unexplained(later, remaining)), [0, 1])
      const charged = Ledger.charge(flying, other.id, 30, { request: 7 })
      assert.deepStrictEqual([860, 859].map((remaining) => unexplained(charged, remaining)), [0, 1])
    })

    it("name none where something of the ledger has no bound", () => {
      const other = reserved(Ledger.observe(Ledger.make(), figures(900)), Infinity)
      const flying = Ledger.send(other.ledger, other.id, Infinity)
      assert.deepStrictEqual([unexplained(flying, 0), unexplained(Ledger.markLost(flying, other.id), 0)], [0, 0])
      const own = Ledger.unexplained(flying, other.id, 10, { figures: figures(870) })
      assert.strictEqual(own, 20)
    })
  })

  it("may be less than nothing, and refuse nothing where no budget was set", () => {
    const ledger = Ledger.observe(Ledger.make(), figures(-12))
    assert.deepStrictEqual([Ledger.available(ledger), Ledger.elsewhere(ledger)], [-12, 0])
    assert.isTrue(Result.isSuccess(Ledger.reserve(ledger, 1000)))
  })

  it("hold until their reset, and those of a window that is over say nothing", () => {
    const ledger = Ledger.observe(opened("day", 100), figures(5))
    assert.strictEqual(Ledger.available(Ledger.advance(ledger, reset - 1)), 5)
    const over = Ledger.advance(ledger, reset)
    assert.strictEqual(Ledger.available(over), 100)
    assert.strictEqual(Ledger.observe(over, figures(5)), over)
  })

  it("say nothing without balance or reset, where they are not numbers, and to callers without a token", () => {
    const ledger = opened("day", 100)
    const partial = [{}, { remaining: 5 }, { reset }, { remaining: NaN, reset }, { remaining: 5, reset: Infinity }]
    const useless: ReadonlyArray<Ledger.Figures> = [...partial, { limit: 0, remaining: 0, reset }]
    for (const figures of useless) assert.strictEqual(Ledger.observe(ledger, figures), ledger)
  })

  it("say the same in whatever order they come in, and as often", () => {
    const told = fc.array(
      fc.tuple(fc.integer({ min: -50, max: 200 }), fc.integer({ min: 1, max: 3 })).map(([remaining, hour]) =>
        figures(remaining, noon + hour * 3600)
      ),
      { minLength: 1, maxLength: 6 }
    )
    forAll(
      runs,
      told.chain((told) =>
        fc.tuple(fc.constant(told), fc.shuffledSubarray([...told, ...told], { minLength: told.length * 2 }))
      ),
      ([told, again]) => {
        const ledger = opened("day", 100)
        assert.deepStrictEqual(again.reduce(Ledger.observe, ledger), told.reduce(Ledger.observe, ledger))
      }
    )
  })

  it("never promise what the service has not got, in whatever order replies come, and are exact when all is told", () => {
    const event = fc.record({
      step: fc.constantFrom("send", "send", "bill", "bill", "arrive", "arrive", "lose"),
      which: fc.nat({ max: 4 }),
      credits: fc.nat({ max: 30 }),
      told: fc.boolean()
    })
    const asked = fc.tuple(fc.integer({ min: 0, max: 300 }), fc.boolean(), fc.array(event, { maxLength: 60 }))
    forAll(runs, asked, ([balance, alwaysTold, events]) => {
      let left = balance
      let ledger = Ledger.observe(opened("day", 100_000), figures(left))
      let flight: ReadonlyArray<
        { readonly id: number; readonly bound: number; readonly bill: { cost: number; left: number } | undefined }
      > = []
      for (const { credits, step, told, which } of events) {
        const request = flight[which]
        if (step === "send") {
          const made = Ledger.reserve(ledger, credits)
          if (Result.isFailure(made)) continue
          const { id } = made.success
          ledger = Ledger.send(made.success.ledger, id, credits)
          flight = [...flight, { id, bound: credits, bill: undefined }]
        } else if (request === undefined) {
          continue
        } else if (step === "bill" && request.bill === undefined) {
          const cost = Math.min(credits, request.bound)
          left -= cost
          flight = flight.map((other) => other === request ? { ...other, bill: { cost, left } } : other)
        } else if (step === "arrive" && request.bill !== undefined) {
          const { cost, left } = request.bill
          const options = told || alwaysTold ? { figures: figures(left) } : {}
          ledger = Ledger.settle(Ledger.charge(ledger, request.id, cost, options), request.id)
          flight = flight.filter((other) => other !== request)
        } else if (step === "lose" && !alwaysTold) {
          ledger = Ledger.settle(ledger, request.id)
          flight = flight.filter((other) => other !== request)
        }
        const unbilled = sum(flight.filter(({ bill }) => bill === undefined).map(({ bound }) => bound))
        assert.isAtMost(Ledger.available(ledger), left - unbilled)
      }
      if (alwaysTold && flight.length === 0) assert.strictEqual(Ledger.available(ledger), left)
    })
  })
})

describe("makeFollowing", () => {
  const reset = noon + 60
  const figures = (remaining: number, at = reset): Ledger.Figures => ({ limit: 1000, remaining, reset: at })
  const following = (allowance?: number) => Ledger.advance(Ledger.makeFollowing(allowance), noon)
  const told = (ledger: Ledger.Ledger, credits: number, told: Ledger.Figures) => {
    const { id, ledger: held } = reserved(ledger, credits)
    return Ledger.settle(Ledger.charge(Ledger.send(held, id, credits), id, credits, { figures: told }), id)
  }

  it("refuses what the service would: what costs something when nothing is left, and nothing before", () => {
    const left = (remaining: number) => Ledger.observe(following(10), figures(remaining))
    for (const bound of [1, 3, 1001, Infinity]) {
      assert.isTrue(Result.isSuccess(Ledger.reserve(left(1), bound)), String(bound))
      for (const remaining of [0, -2]) {
        const reason = exceeded(Ledger.reserve(left(remaining), bound))
        assert.deepInclude(reason, { cause: "Insufficient", available: remaining })
        assert.strictEqual(reason.bound, bound === Infinity ? undefined : bound)
      }
    }
    assert.isTrue(Result.isSuccess(Ledger.reserve(left(0), 0)))
    const { id, ledger } = reserved(left(1), 3)
    assert.strictEqual(Ledger.available(ledger), -2)
    assert.isTrue(Result.isFailure(Ledger.reserve(ledger, 1)))
    const lost = Ledger.markLost(Ledger.send(ledger, id, 3), id)
    assert.isTrue(Result.isFailure(Ledger.extend(lost, id, 3)))
    // Until the next window's first figure the whole allowance counts as left.
    assert.isTrue(Result.isSuccess(Ledger.reserve(Ledger.advance(left(0), reset), 1001)))
  })

  it("believes the service where it charged less than was recorded as lost", () => {
    const first = reserved(told(following(), 1, figures(999)), 40)
    const lost = Ledger.settle(Ledger.send(first.ledger, first.id, 40), first.id)
    assert.strictEqual(Ledger.available(lost), 959)
    const ledger = told(lost, 1, figures(998))
    assert.deepStrictEqual([Ledger.available(ledger), Ledger.elsewhere(ledger)], [998, -40])
  })

  it("takes the service's word for it that a new window has begun", () => {
    const ledger = told(told(following(), 5, figures(3)), 2, figures(998, reset + 60))
    assert.deepStrictEqual([Ledger.available(ledger), ledger.charged, Ledger.elsewhere(ledger)], [998, 2, 0])
  })

  it("is not brought to a standstill by a reservation without end from before the first figure", () => {
    const unbounded = reserved(following(), Infinity)
    const ledger = Ledger.advance(Ledger.observe(unbounded.ledger, figures(900)), reset)
    assert.deepStrictEqual([Ledger.available(ledger), Ledger.reserved(ledger)], [1000, Infinity])
  })
})

it("refuses what is not a ledger, such as the Result of reserve, in each step and figure", () => {
  const { advance, available, elsewhere, observe, reserved } = Ledger
  const { charge, extend, markLost, reserve, send, settle } = Ledger.steps
  for (const none of [null, undefined, {}, Ledger.reserve(Ledger.make(5), 1)] as Array<never>) {
    for (const take of [reserve, extend, send, charge, markLost, settle, advance, Ledger.unexplained]) {
      assert.throws(() => take(none, 1, 1), /^ledger .* must be a ledger, e\.g\. Ledger\.make/)
    }
    for (const take of [available, elsewhere, reserved]) assert.throws(() => take(none), /must be a ledger/)
    assert.throws(() => observe(none, {}), /must be a ledger/)
  }
})

it("takes what is not an amount for nothing spent, or for the worst it could be", () => {
  assert.deepStrictEqual([Ledger.make(NaN).allowance, Ledger.make(-5).allowance], [0, 0])
  const unknown: ReadonlyArray<never> = [NaN, null, "", [], 5n] as Array<never>
  for (const bound of unknown) assert.isTrue(Result.isFailure(Ledger.reserve(Ledger.make(100), bound)))
  for (const credits of unknown) assert.strictEqual(Ledger.make(credits).allowance, 0)
  assert.strictEqual(Ledger.available(reserved(Ledger.make(100), -5).ledger), 100)
  const { id, ledger } = reserved(Ledger.make(100), 40)
  for (const credits of [-1, Infinity, 1e300, ...unknown]) {
    const charged = Ledger.charge(Ledger.send(ledger, id, 30), id, credits)
    assert.deepStrictEqual([charged.charged, charged.uncertain], [0, 30], String(credits))
  }
  assert.strictEqual(Ledger.markLost(Ledger.send(ledger, id, NaN), id).lost, 1)
})

it("counts whole credits, so that rounding promises nothing", () => {
  const amount = fc.double({ min: 0, max: 40, noNaN: true })
  forAll(runs, amount, fc.array(amount, { maxLength: 30 }), (allowance, bounds) => {
    let ledger = Ledger.make(allowance)
    for (const bound of bounds) {
      const made = Ledger.reserve(ledger, bound)
      if (Result.isFailure(made)) continue
      const { id } = made.success
      ledger = Ledger.charge(Ledger.send(made.success.ledger, id, bound), id, bound / 2)
      for (const credits of [ledger.charged, Ledger.reserved(ledger), Ledger.available(ledger)]) {
        assert.isTrue(Number.isInteger(credits) && credits >= 0, String(credits))
      }
      assert.strictEqual(balance(ledger), Math.floor(allowance))
    }
  })
  assert.deepStrictEqual(Ledger.make(1e300), Ledger.make())
  assert.strictEqual(exceeded(Ledger.reserve(Ledger.make(100), 1e300)).cause, "Unbounded")
})

it("keeps the latest overruns, and counts them all", () => {
  let { id, ledger } = reserved(Ledger.make(), 0)
  for (let times = 1; times <= 2 * Ledger.maxOverruns; times++) ledger = Ledger.charge(ledger, id, times)
  assert.strictEqual(ledger.overruns.length, Ledger.maxOverruns)
  assert.deepStrictEqual(ledger.overruns.at(-1), { id, bound: 0, charged: 200 })
  assert.strictEqual(ledger.overdrawn, 20_100)
})

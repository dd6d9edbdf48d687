import * as Ledger from "@effect-marketdata/core/Ledger"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"

const runs = { numRuns: 3000, seed: 5 }

/** Reserves credits that are there. */
const reserved = (ledger: Ledger.Ledger, bound: number) => Result.getOrThrow(Ledger.reserve(ledger, bound))

/** A step of a question's way through the book: what to do, with which of the reservations so far, and how many credits. */
const command = fc.record({
  step: fc.constantFrom("reserve", "extend", "send", "charge", "lose", "settle"),
  which: fc.nat({ max: 5 }),
  credits: fc.nat({ max: 60 })
})

/** What a reservation has been through, as an accountant would note it. */
interface Account {
  readonly id: number
  readonly bound: number
  readonly used: number
  readonly open: number | undefined
}

/** The same book kept a second time, from what happened and not from the first. */
interface Model {
  readonly accounts: ReadonlyArray<Account>
  readonly charged: number
  readonly uncertain: number
  readonly excess: number
}

const change = (model: Model, account: Account): ReadonlyArray<Account> =>
  model.accounts.map((other) => other.id === account.id ? account : other)

/** Takes one step in both books. Callers keep to two rules: one request at a time, and none above what is reserved for it. */
const take = (
  ledger: Ledger.Ledger,
  model: Model,
  { credits, step, which }: typeof command extends fc.Arbitrary<infer Command> ? Command : never
): readonly [Ledger.Ledger, Model] => {
  if (step === "reserve") {
    const result = Ledger.reserve(ledger, credits)
    if (Result.isFailure(result)) return [ledger, model]
    const account = { id: result.success.id, bound: credits, used: 0, open: undefined }
    return [result.success.ledger, { ...model, accounts: [...model.accounts, account] }]
  }
  const account = model.accounts[which]
  if (account === undefined) return [ledger, model]
  const lost = { ...account, used: account.used + (account.open ?? 0), open: undefined }
  switch (step) {
    case "extend": {
      const result = Ledger.extend(ledger, account.id, credits)
      if (Result.isFailure(result)) return [ledger, model]
      const bound = Math.max(account.bound, account.used + credits)
      return [result.success, { ...model, accounts: change(model, { ...account, bound }) }]
    }
    case "send": {
      const open = Math.min(credits, account.bound - account.used)
      if (account.open !== undefined || open < 0) return [ledger, model]
      return [Ledger.send(ledger, account.id, open), { ...model, accounts: change(model, { ...account, open }) }]
    }
    case "charge": {
      if (account.open === undefined) return [ledger, model]
      return [Ledger.charge(ledger, account.id, credits), {
        ...model,
        accounts: change(model, { ...account, used: account.used + credits, open: undefined }),
        charged: model.charged + credits,
        excess: model.excess + Math.max(0, credits - account.open)
      }]
    }
    case "lose":
      return [Ledger.lose(ledger, account.id), {
        ...model,
        accounts: change(model, lost),
        uncertain: model.uncertain + (account.open ?? 0)
      }]
    case "settle":
      return [Ledger.settle(ledger, account.id), {
        ...model,
        accounts: model.accounts.filter(({ id }) => id !== account.id),
        uncertain: model.uncertain + (account.open ?? 0)
      }]
  }
}

const excessOf = ({ overruns }: Ledger.Ledger): number =>
  overruns.reduce((total, { bound, charged }) => total + charged - bound, 0)

const balance = (ledger: Ledger.Ledger) =>
  Ledger.available(ledger) + ledger.charged + ledger.uncertain + Ledger.reserved(ledger)

describe("Ledger", () => {
  it("keeps its balance on every way through, and goes over the allowance by recorded overruns only", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.array(command, { maxLength: 40 }), (allowance, commands) => {
        let ledger = Ledger.make(allowance)
        let model: Model = { accounts: [], charged: 0, uncertain: 0, excess: 0 }
        for (const command of commands) {
          ;[ledger, model] = take(ledger, model, command)
          const reserved = model.accounts.reduce((total, { bound, used }) => total + Math.max(0, bound - used), 0)
          assert.strictEqual(ledger.charged, model.charged)
          assert.strictEqual(ledger.uncertain, model.uncertain)
          assert.strictEqual(Ledger.reserved(ledger), reserved)
          assert.strictEqual(excessOf(ledger), model.excess)
          assert.strictEqual(balance(ledger), allowance)
          assert.isAtMost(ledger.charged + ledger.uncertain + reserved, allowance + model.excess)
          assert.deepStrictEqual([...ledger.reservations.keys()], model.accounts.map(({ id }) => id))
        }
        for (const { id } of model.accounts) ledger = Ledger.settle(ledger, id)
        assert.strictEqual(Ledger.reserved(ledger), 0)
        assert.strictEqual(Ledger.available(ledger), allowance - ledger.charged - ledger.uncertain)
      }),
      runs
    )
  })

  it("changes no earlier book", () => {
    const image = (ledger: Ledger.Ledger) => JSON.stringify({ ...ledger, reservations: [...ledger.reservations] })
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
        const books: Array<readonly [Ledger.Ledger, string]> = []
        let ledger = Ledger.make(100)
        let model: Model = { accounts: [], charged: 0, uncertain: 0, excess: 0 }
        for (const command of commands) {
          books.push([ledger, image(ledger)])
          ;[ledger, model] = take(ledger, model, command)
        }
        for (const [book, earlier] of books) assert.strictEqual(image(book), earlier)
      }),
      { ...runs, numRuns: 500 }
    )
  })

  describe("reserve", () => {
    it("sets the whole bound aside until the reservation is settled", () => {
      const { id, ledger } = reserved(Ledger.make(100), 40)
      assert.strictEqual(Ledger.available(ledger), 60)
      assert.strictEqual(Ledger.available(Ledger.settle(ledger, id)), 100)
    })

    it("takes the last credit, and refuses one more with what is left", () => {
      const { ledger } = reserved(Ledger.make(100), 60)
      assert.strictEqual(Ledger.available(reserved(ledger, 40).ledger), 0)
      const reason = Result.getOrThrow(Result.flip(Ledger.reserve(ledger, 41)))
      assert.deepStrictEqual([reason.cause, reason.bound, reason.available], ["Insufficient", 41, 40])
      assert.include(reason.message, "may cost 41 credits, and the budget has 40 left")
    })

    it("refuses a bound without end under an allowance, and names the ways out", () => {
      const reason = Result.getOrThrow(Result.flip(Ledger.reserve(Ledger.make(100), Infinity)))
      assert.deepStrictEqual([reason.cause, reason.bound, reason.available], ["Unbounded", undefined, 100])
      assert.include(reason.message, "assume: { contracts }")
      assert.include(reason.message, "cached data first")
    })

    it("[8.5-not-shown] refuses nothing without an allowance: no limit is invented, and what happens is counted", () => {
      const { id, ledger } = reserved(Ledger.make(), Infinity)
      assert.strictEqual(Ledger.available(ledger), Infinity)
      const other = reserved(ledger, 1e9)
      assert.strictEqual(Ledger.available(other.ledger), Infinity)
      const charged = Ledger.charge(Ledger.send(ledger, id, Infinity), id, 22_718)
      assert.strictEqual(charged.charged, 22_718)
      assert.deepStrictEqual(charged.overruns, [])
      assert.strictEqual(Ledger.available(charged), Infinity)
    })

    it("gives every reservation a number of its own, settled ones included", () => {
      const first = reserved(Ledger.make(100), 1)
      const second = reserved(Ledger.settle(first.ledger, first.id), 1)
      assert.notStrictEqual(first.id, second.id)
    })
  })

  describe("charge", () => {
    it("spends what was charged, and keeps the rest for the next request of the same question", () => {
      const { id, ledger } = reserved(Ledger.make(100), 40)
      const charged = Ledger.charge(Ledger.send(ledger, id, 40), id, 25)
      assert.deepStrictEqual([charged.charged, Ledger.reserved(charged), Ledger.available(charged)], [25, 15, 60])
      assert.strictEqual(Ledger.available(Ledger.settle(charged, id)), 75)
    })

    it("books a charge above the bound as an overrun with both figures", () => {
      const { id, ledger } = reserved(Ledger.make(100), 40)
      const charged = Ledger.charge(Ledger.send(ledger, id, 40), id, 130)
      assert.deepStrictEqual(charged.overruns, [{ id, bound: 40, charged: 130 }])
      assert.strictEqual(Ledger.available(charged), -30)
      assert.isTrue(Result.isFailure(Ledger.reserve(charged, 1)))
    })

    it("takes a charge up to the bound for none", () => {
      const { id, ledger } = reserved(Ledger.make(100), 40)
      assert.deepStrictEqual(Ledger.charge(Ledger.send(ledger, id, 40), id, 40).overruns, [])
    })
  })

  describe("lose", () => {
    it("books the bound of a lost request as uncertain", () => {
      const { id, ledger } = reserved(Ledger.make(100), 40)
      const lost = Ledger.lose(Ledger.send(ledger, id, 30), id)
      assert.deepStrictEqual([lost.uncertain, Ledger.reserved(lost), Ledger.available(lost)], [30, 10, 60])
    })

    it("books nothing where nothing was sent, and nothing twice", () => {
      const { id, ledger } = reserved(Ledger.make(100), 40)
      assert.strictEqual(Ledger.lose(ledger, id).uncertain, 0)
      const lost = Ledger.lose(Ledger.send(ledger, id, 30), id)
      assert.deepStrictEqual(Ledger.lose(lost, id), lost)
    })

    it("books nothing for a request without a bound: there is no honest figure", () => {
      const { id, ledger } = reserved(Ledger.make(), Infinity)
      assert.strictEqual(Ledger.lose(Ledger.send(ledger, id, Infinity), id).uncertain, 0)
    })
  })

  describe("extend", () => {
    it("makes room for another request after a lost one", () => {
      const { id, ledger } = reserved(Ledger.make(100), 40)
      const lost = Ledger.lose(Ledger.send(ledger, id, 40), id)
      const extended = Result.getOrThrow(Ledger.extend(lost, id, 40))
      assert.deepStrictEqual([Ledger.reserved(extended), Ledger.available(extended)], [40, 20])
      const reason = Result.getOrThrow(Result.flip(Ledger.extend(lost, id, 61)))
      assert.deepStrictEqual([reason.cause, reason.bound, reason.available], ["Insufficient", 61, 60])
    })

    it("changes nothing where there is room", () => {
      const { id, ledger } = reserved(Ledger.make(100), 40)
      assert.strictEqual(Result.getOrThrow(Ledger.extend(ledger, id, 40)), ledger)
      assert.strictEqual(Result.getOrThrow(Ledger.extend(ledger, 99, 1000)), ledger)
    })
  })

  describe("settle", () => {
    it("twice changes nothing, whatever came before", () => {
      fc.assert(
        fc.property(fc.array(command, { maxLength: 20 }), fc.integer({ min: 0, max: 8 }), (commands, id) => {
          let ledger = Ledger.make(100)
          let model: Model = { accounts: [], charged: 0, uncertain: 0, excess: 0 }
          for (const command of commands) [ledger, model] = take(ledger, model, command)
          const settled = Ledger.settle(ledger, id)
          assert.deepStrictEqual(Ledger.settle(settled, id), settled)
        }),
        { ...runs, numRuns: 1000 }
      )
    })

    it("counts a request still in flight as lost", () => {
      const { id, ledger } = reserved(Ledger.make(100), 40)
      const settled = Ledger.settle(Ledger.send(ledger, id, 30), id)
      assert.deepStrictEqual([settled.uncertain, Ledger.reserved(settled), Ledger.available(settled)], [30, 0, 70])
    })
  })

  it("takes steps for a reservation that is no more for nothing", () => {
    const { id, ledger } = reserved(Ledger.make(100), 40)
    const settled = Ledger.settle(ledger, id)
    assert.deepStrictEqual(Ledger.send(settled, id, 40), settled)
    assert.deepStrictEqual(Ledger.charge(settled, id, 40), settled)
    assert.deepStrictEqual(Ledger.lose(settled, id), settled)
  })
})

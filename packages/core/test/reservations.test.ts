import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { OpenReservations, type Reservation } from "../src/credits/ledgerBalance.ts"
import { forAll, trials } from "./support/depth.ts"

const credits = fc.oneof(fc.nat(1000), fc.constantFrom(Infinity, Number.MAX_SAFE_INTEGER))

const reservation: fc.Arbitrary<Reservation> = fc.record({
  bound: credits,
  ceiling: fc.constant(Infinity),
  used: fc.nat(100),
  uncertain: fc.nat(100),
  overdrawn: fc.nat(10),
  open: fc.array(credits, { maxLength: 3 }).map((bounds) =>
    new Map(bounds.map((bound, request) => [request, { bound, unseen: 0 }]))
  )
})

/** A step: a new reservation, `after` ids behind the last one; another value of a present one, if that is 0; or its removal, without a value. */
const step = fc.record({
  after: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 1000 })),
  which: fc.nat(),
  reservation: fc.option(reservation, { nil: undefined, freq: 3 })
})

/** What can be asked of reservations. */
const image = (reservations: ReadonlyMap<number, Reservation>) => {
  const seen: Array<unknown> = []
  reservations.forEach((reservation, id, map) => seen.push([id, reservation, map === reservations]))
  return {
    seen,
    size: reservations.size,
    keys: [...reservations.keys()],
    values: [...reservations.values()],
    entries: [...reservations.entries()],
    iterated: [...reservations]
  }
}

it("is a map, whatever is put in and taken out, and changes nothing that was there", () => {
  forAll(trials(7), fc.array(step, { maxLength: 300 }), (steps) => {
    const map = new Map<number, Reservation>()
    let open = OpenReservations.of(new Map())
    let last = 0
    for (const { after, reservation, which } of steps) {
      const before = open
      const earlier = image(before)
      const ids = [...map.keys()]
      const isNew = reservation !== undefined && (after > 0 || ids.length === 0)
      const id = isNew ? last += after : ids[which % ids.length] ?? which
      if (reservation === undefined) map.delete(id)
      else map.set(id, reservation)
      open = open.with(id, reservation)
      assert.strictEqual(open.get(id), reservation)
      assert.strictEqual(open.has(id), reservation !== undefined)
      assert.deepStrictEqual(image(before), earlier)
    }
    assert.deepStrictEqual(image(open), image(map))
    assert.deepStrictEqual(image(OpenReservations.of(map)), image(map))
    assert.strictEqual(OpenReservations.of(open), open)
  })
})

it("comes to what its reservations come to, after whatever was put in and taken out, amounts beyond all counting among it", () => {
  forAll(
    trials(8),
    fc.array(fc.tuple(fc.nat(30), fc.option(reservation, { nil: undefined, freq: 3 })), { maxLength: 60 }),
    fc.nat(30),
    fc.nat(2),
    (all, id, request) => {
      const map = new Map<number, Reservation>()
      let open = OpenReservations.of(map)
      for (const [id, reservation] of all) {
        if (reservation === undefined) map.delete(id)
        else map.set(id, reservation)
        open = open.with(id, reservation)
      }
      const sum = (amounts: ReadonlyArray<number>) => amounts.reduce((sum, amount) => sum + amount, 0)
      const bounds = (but?: number) =>
        [...map].flatMap(([own, { open }]) =>
          [...open].flatMap(([number, { bound }]) => own === id && number === but ? [] : [bound])
        )
      const aside = [...map.values()].map(({ bound, open, used }) =>
        Math.max(0, bound - used, sum([...open.values()].map(({ bound }) => bound).filter(Number.isFinite)))
      )
      const isExact = sum(bounds().filter(Number.isFinite)) <= Number.MAX_SAFE_INTEGER
      const outstanding = sum(aside.filter(Number.isFinite))
      if (outstanding <= Number.MAX_SAFE_INTEGER && isExact) {
        assert.strictEqual(open.outstanding, outstanding)
        assert.strictEqual(open.inFlightBut(id, request), sum(bounds(request)))
      }
      assert.strictEqual(open.isBounded, [...map.values()].every(({ bound }) => bound !== Infinity))
      assert.strictEqual(open.inFlightBut(id, request) === Infinity, bounds(request).includes(Infinity))
    }
  )
})

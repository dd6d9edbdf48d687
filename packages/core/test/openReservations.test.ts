import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Reservation } from "../src/credits/ledgerState.ts"
import { OpenReservations } from "../src/credits/openReservations.ts"
import * as Reservations from "../src/credits/reservation.ts"
import { trials } from "./support/depth.ts"

const credits = fc.oneof(fc.nat(1000), fc.constant(Infinity))

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

describe("OpenReservations", () => {
  it("is a map, whatever is put in and taken out, and changes nothing that was there", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
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
          open = reservation === undefined ? open.without(id) : open.with(id, reservation)
          assert.strictEqual(open.get(id), reservation)
          assert.strictEqual(open.has(id), reservation !== undefined)
          assert.deepStrictEqual(image(before), earlier)
        }
        assert.deepStrictEqual(image(open), image(map))
        assert.deepStrictEqual(image(OpenReservations.of(map)), image(map))
        assert.strictEqual(OpenReservations.of(open), open)
      }),
      trials(7)
    )
  })

  it("comes to what its reservations come to", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(5000), reservation), { maxLength: 300 }),
        fc.nat(299),
        fc.nat(2),
        (all, at, request) => {
          const map = new Map(all)
          const open = OpenReservations.of(map)
          const but = { id: all[at % Math.max(1, all.length)]?.[0] ?? 0, request }
          assert.strictEqual(open.outstanding, Reservations.sum(map.values(), Reservations.outstanding))
          assert.strictEqual(open.isBounded, [...map.values()].every(({ bound }) => bound !== Infinity))
          assert.strictEqual(open.inFlightBut(but), Reservations.others(map, but))
        }
      ),
      trials(8)
    )
  })
})

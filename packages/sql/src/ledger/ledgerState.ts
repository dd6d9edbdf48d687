/** A ledger as it is written: all that core knows of it, as JSON. */
import type * as Ledger from "@effect-marketdata/core/Ledger"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** All but the reservations, of which there may be thousands: a schema for each of them would take as long as the rest of a step. */
const Head = Schema.Struct({
  allowance: Schema.Number,
  window: Schema.Literals(["day", "minute", "none"]),
  ends: Schema.Number,
  now: Schema.Number,
  charged: Schema.Number,
  uncertain: Schema.Number,
  lost: Schema.Number,
  overruns: Schema.Array(Schema.Struct({ id: Schema.Number, bound: Schema.Number, charged: Schema.Number })),
  overdrawn: Schema.Number,
  follows: Schema.Boolean,
  isTold: Schema.Boolean,
  standing: Schema.UndefinedOr(Schema.Struct({
    limit: Schema.UndefinedOr(Schema.Number),
    remaining: Schema.Number,
    reset: Schema.Number,
    seen: Schema.Number
  })),
  unseen: Schema.Number,
  nextId: Schema.Number
})

const head = Schema.toCodecJson(Head)
const encodeHead: (rest: Omit<Ledger.Ledger, "reservations">) => object = Schema.encodeSync(head) as never
const decodeHead = Schema.decodeUnknownResult(head)

/** A number: JSON has no infinite ones, which are texts in it. */
const written = (value: number): number | string => Number.isFinite(value) ? value : String(value)

/** Writes a ledger. */
export const encode = (ledger: Ledger.Ledger): string => {
  const { reservations, ...rest } = ledger
  const rows = Array.from(reservations, ([id, { bound, ceiling, open, overdrawn, uncertain, used }]) => [
    id,
    ...[bound, ceiling, used, uncertain, overdrawn].map(written),
    Array.from(open, ([request, sent]) => [request, written(sent.bound), sent.unseen])
  ])
  return JSON.stringify({ ...encodeHead(rest), reservations: rows })
}

const unreadable = (what: unknown): Error => new Error(`${JSON.stringify(what)} is no part of a ledger`)

const read = (value: unknown): number => {
  if (typeof value === "number") return value
  if (value === "Infinity") return Infinity
  throw unreadable(value)
}

const listed = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value
  throw unreadable(value)
}

const readOpen = (row: unknown): readonly [number, Ledger.Open] => {
  const [request, bound, unseen] = listed(row)
  return [read(request), { bound: read(bound), unseen: read(unseen) }]
}

const readReservation = (row: unknown): readonly [number, Ledger.Reservation] => {
  const [id, bound, ceiling, used, uncertain, overdrawn, open] = listed(row)
  return [read(id), {
    bound: read(bound),
    ceiling: read(ceiling),
    used: read(used),
    uncertain: read(uncertain),
    overdrawn: read(overdrawn),
    open: new Map(listed(open).map(readOpen))
  }]
}

/** Reads what `encode` wrote; fails with what is wrong where somebody else wrote it. */
export const decode = (text: string): Result.Result<Ledger.Ledger, string> =>
  Result.try({
    try: (): Ledger.Ledger => {
      const { reservations, ...rest } = JSON.parse(text)
      return {
        ...Result.getOrThrow(decodeHead(rest)),
        reservations: new Map(listed(reservations).map(readReservation))
      }
    },
    catch: (error) => error instanceof Error ? error.message : String(error)
  })

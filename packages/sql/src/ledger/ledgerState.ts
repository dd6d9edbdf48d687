/** A ledger as it is written: the ledger itself, and each of its reservations, as JSON. */
import type * as Ledger from "@effect-marketdata/core/Ledger"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Clocks from "../database/clocks.ts"

/** An amount of 0 or more. */
export const Amount = Schema.Number.check(Schema.isGreaterThanOrEqualTo(0))

/** A number that may be unknown. */
export const figure = Schema.UndefinedOr(Schema.Number)

/** What the service said of an account's credits. */
export const Standing = Schema.Struct({
  limit: figure,
  remaining: Schema.Number,
  reset: Schema.Number,
  seen: Schema.Number
})

/** The ledger without its reservations: there may be thousands, and each has a row of its own. */
const Head = Schema.Struct({
  allowance: Amount,
  window: Schema.Literals(["day", "minute", "none"]),
  ends: Schema.Number,
  now: Schema.Number,
  charged: Amount,
  uncertain: Amount,
  lost: Amount,
  overruns: Schema.Array(Schema.Struct({ id: Schema.Number, bound: Amount, charged: Amount })),
  overdrawn: Amount,
  follows: Schema.Boolean,
  isTold: Schema.Boolean,
  standing: Schema.UndefinedOr(Standing),
  unseen: Amount,
  nextId: Amount
})

const head = Schema.toCodecJson(Head)
const encodeHead = Schema.encodeSync(head)
const decodeHead = Schema.decodeUnknownResult(head)

/** A number; infinite ones are texts in JSON. */
const written = (value: number): number | string => Number.isFinite(value) ? value : String(value)

/** Writes a ledger without its reservations. */
export const encode = (ledger: Ledger.Ledger): string => JSON.stringify(encodeHead(ledger))

/** Writes a reservation. */
export const encodeReservation = ({ bound, ceiling, open, overdrawn, uncertain, used }: Ledger.Reservation): string =>
  JSON.stringify([
    ...[bound, ceiling, used, uncertain, overdrawn].map(written),
    Array.from(open, ([request, sent]) => [request, written(sent.bound), sent.unseen])
  ])

const unreadable = (what: unknown): Error => new Error(`${JSON.stringify(what)} is not part of a ledger`)

const read = (value: unknown): number => {
  if (typeof value === "number" && value >= 0) return value
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

/** Reads a text; fails with what is wrong if something else wrote it. */
const reading = <A>(of: () => A): Result.Result<A, string> =>
  Result.try({ try: of, catch: (error) => error instanceof Error ? error.message : String(error) })

/** A reservation as it is in a row. */
export interface ReservationRow {
  /** Some databases give large numbers as texts. */
  readonly reservation: unknown
  readonly state: string | null
}

const readReservation = ({ reservation, state }: ReservationRow): [number, Ledger.Reservation] => {
  const [bound, ceiling, used, uncertain, overdrawn, open] = listed(JSON.parse(state ?? "null"))
  return [read(Number(reservation)), {
    bound: read(bound),
    ceiling: read(ceiling),
    used: read(used),
    uncertain: read(uncertain),
    overdrawn: read(overdrawn),
    open: new Map(listed(open).map(readOpen))
  }]
}

/** Reads reservations. */
export const decodeReservations = (
  rows: ReadonlyArray<ReservationRow>
): Result.Result<ReadonlyArray<[number, Ledger.Reservation]>, string> => reading(() => rows.map(readReservation))

/** Reads what `encode` wrote, and adds the reservations, which were read from their rows. */
export const decode = (
  text: string,
  reservations: Ledger.Ledger["reservations"]
): Result.Result<Ledger.Ledger, string> =>
  reading(() => ({ ...Result.getOrThrow(decodeHead(JSON.parse(text))), reservations }))

/** Whether the clock was set back since the ledger was written, by more than clocks may differ. */
export const isBack = (ledger: Ledger.Ledger, now: number): boolean => ledger.now - now > Clocks.tolerance

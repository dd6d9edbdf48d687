/** An event of a ledger as a row: columns for what is searched for, and the whole event as JSON. */
import type * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as Query from "@effect-marketdata/core/Query"
import { CreditBudgetExceeded, FallbackDeclined } from "@effect-marketdata/core/Reason"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Amount, figure, Standing } from "./ledgerState.ts"

/** The event without what the columns hold: its number, its time, its query and its claim. */
type Told = Without<CreditLedger.Event, "number" | "time" | "query" | "claim">
type Without<Event, Name extends PropertyKey> = Event extends unknown ? Omit<Event, Name> : never

const available = { available: Schema.Number }
const ofReservation = { ...available, reservation: Schema.Number }
const ofRequest = { ...ofReservation, request: Schema.Number }
const charged = { credits: Amount, uncertain: Amount, reported: figure, computed: figure }

const Told: Schema.Codec<Told, unknown> = Schema.Union([
  Schema.TaggedStruct("Reserved", { ...ofReservation, bound: Schema.Number }),
  Schema.TaggedStruct("Extended", { ...ofReservation, bound: Schema.Number, credits: Schema.Number }),
  Schema.TaggedStruct("Refused", {
    ...available,
    reservation: figure,
    reason: Schema.Union([CreditBudgetExceeded, FallbackDeclined])
  }),
  Schema.TaggedStruct("Sent", { ...ofRequest, bound: Schema.Number }),
  Schema.TaggedStruct("Charged", { ...ofRequest, ...charged }),
  Schema.TaggedStruct("Lost", { ...ofRequest, credits: Amount }),
  Schema.TaggedStruct("Overran", { ...ofRequest, bound: Schema.Number, charged: Schema.Number }),
  Schema.TaggedStruct("Reconciled", { ...ofRequest, standing: Standing, elsewhere: Schema.Number }),
  Schema.TaggedStruct("Settled", { ...ofReservation, used: Schema.Number, released: Schema.Number }),
  Schema.TaggedStruct("Renewed", { ...available, allowance: Schema.Number })
])

const told = Schema.toCodecJson(Told)
const encodeTold = Schema.encodeSync(told)
const decodeTold = Schema.decodeEffect(Schema.fromJsonString(told))

/** Writes figures as the schema does, ten times as fast: JSON has neither infinite numbers nor undefined. */
const figured = (_: string, value: unknown): unknown => {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value)
  return value === undefined ? null : value
}

const asJson = Schema.fromJsonString(Schemas.Query)
const encodeQuery = Schema.encodeResult(asJson)
const decodeQuery = Schema.decodeEffect(asJson)

/** A query as it is written: as JSON for programs, and as a line for people. */
export type WrittenQuery = Readonly<Record<"query" | "asked", string | null>>

const nothing: WrittenQuery = { query: null, asked: null }

/** The queries that were written: all events of a query have the same one. */
const known = new WeakMap<Query.Query, WrittenQuery>()

/** Writes a query. If it was changed into an invalid one, it could not be read again, and only its line is written. */
export const writeQuery = (query: Query.Query | undefined): WrittenQuery => {
  if (query === undefined) return nothing
  const before = known.get(query)
  if (before !== undefined) return before
  const written = Result.getOrElse(
    Result.try((): WrittenQuery => ({
      query: Result.getOrElse(encodeQuery(query), () => null),
      asked: Query.format(query)
    })),
    () => nothing
  )
  known.set(query, written)
  return written
}

/** Reads the query of a row; nothing where none was written. */
export const readQuery = (query: string | null): Effect.Effect<Query.Query | undefined, Schema.SchemaError> =>
  query === null ? Effect.undefined : decodeQuery(query)

/** A claim as it is written. */
export type WrittenClaim = Readonly<Record<"claim" | "run", string | null>>

/** Writes a claim. */
export const writeClaim = (claim: CreditLedger.Purpose["claim"]): WrittenClaim => ({
  claim: claim?.key ?? null,
  run: claim?.run ?? null
})

/** Reads the claim of a row, as a part of what a reservation is for. */
export const readClaim = ({ claim, run }: WrittenClaim): Pick<CreditLedger.Purpose, "claim"> =>
  claim === null || run === null ? {} : { claim: { key: claim, run } }

/** The columns of an event, apart from those that say of which ledger it is and who asked. */
export interface EventColumns extends WrittenQuery, WrittenClaim {
  readonly number: number
  readonly time: number
  readonly kind: CreditLedger.Event["_tag"]
  readonly credits: number
  readonly uncertain: number
  readonly event: string
}

/** The credits that an event spent, and at most in addition. */
const spent = (event: CreditLedger.Event): Pick<EventColumns, "credits" | "uncertain"> => {
  if (event._tag === "Charged") return { credits: event.credits, uncertain: event.uncertain }
  return { credits: 0, uncertain: event._tag === "Lost" ? event.credits : 0 }
}

/** Writes an event. */
export const write = (event: CreditLedger.Event): EventColumns => {
  const { claim, number, query, time, ...rest }: CreditLedger.Event & Partial<CreditLedger.Purpose> = event
  return {
    number,
    time,
    kind: event._tag,
    ...writeQuery(query),
    ...writeClaim(claim),
    ...spent(event),
    event: JSON.stringify(event._tag === "Refused" ? encodeTold(event) : rest, figured)
  }
}

/** The columns that an event is read from. */
export interface Row extends Pick<EventColumns, "time" | "query" | "claim" | "run" | "event"> {
  /** Some databases give large numbers as texts. */
  readonly number: unknown
}

/** The names of these columns. */
export const columns = "number, time, query, claim, run, event"

/** Reads an event from its row. */
export const read = (row: Row): Effect.Effect<CreditLedger.Event, Schema.SchemaError> =>
  Effect.flatMap(decodeTold(row.event), (told) => {
    const moment = { ...told, number: Number(row.number), time: row.time }
    return told._tag === "Renewed"
      ? Effect.succeed(moment as CreditLedger.Event)
      : Effect.map(readQuery(row.query), (query) => ({ ...moment, query, ...readClaim(row) }) as CreditLedger.Event)
  })

/** The reservation that a written event is about; a text that cannot be read is about none. */
export const reservationOf = (event: string): number | undefined => {
  try {
    return JSON.parse(event).reservation
  } catch {
    return undefined
  }
}

/** Data that are not tables. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import type * as AccountStatuses from "../endpoints/AccountStatus.ts"
import type * as OptionExpirationLists from "../endpoints/OptionExpirations.ts"
import type * as OptionLookups from "../endpoints/OptionLookup.ts"
import type * as OptionStrikeLists from "../endpoints/OptionStrikes.ts"
import type * as RequestHeaderMaps from "../endpoints/RequestHeaders.ts"
import * as OptionSymbol from "../symbol/OptionSymbol.ts"
import * as Strike from "../symbol/Strike.ts"
import * as CalendarDate from "../time/CalendarDate.ts"

/** A day as data. */
const Day = /* @__PURE__ */ Schema.Struct({ year: Schema.Int, month: Schema.Int, day: Schema.Int }).check(
  /* @__PURE__ */ Schema.makeFilter(CalendarDate.isCalendarDate, { expected: "a day of the calendar" })
)

/** A strike in dollars. */
const Dollars = /* @__PURE__ */ Schema.Finite.check(
  /* @__PURE__ */ Schema.makeFilter((dollars) => Result.isSuccess(Strike.parse(dollars)), { expected: "a strike" })
)

/**
 * The schema of the contract that a lookup found.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OptionLookup: Schema.Codec<OptionLookups.OptionLookup, Schema.Json> = /* @__PURE__ */ Schema.Struct({
  optionSymbol: Schema.String,
  contract: /* @__PURE__ */ Schema.Struct({
    root: Schema.String,
    expiration: Day,
    side: /* @__PURE__ */ Schema.Literals(["call", "put"]),
    strike: Schema.Finite
  }).check(
    /* @__PURE__ */ Schema.makeFilter(OptionSymbol.isOptionSymbol, { expected: "the parts of an option symbol" })
  )
}).check(
  /* @__PURE__ */ Schema.makeFilter(({ contract, optionSymbol }) =>
    OptionSymbol.format(contract) === optionSymbol ||
    { path: ["optionSymbol"], issue: "Expected the symbol of the contract" }
  )
)

/**
 * The schema of the expirations of an underlying's options.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OptionExpirations: Schema.Codec<OptionExpirationLists.OptionExpirations, Schema.Json> =
  /* @__PURE__ */ Schema.Struct({ expirations: /* @__PURE__ */ Schema.Array(Day), updated: Schema.Finite })

/**
 * The schema of the strikes of an underlying's options, by expiration.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OptionStrikes: Schema.Codec<OptionStrikeLists.OptionStrikes, Schema.Json> = /* @__PURE__ */ Schema.Struct({
  expirations: /* @__PURE__ */ Schema.Array(
    /* @__PURE__ */ Schema.Struct({ expiration: Day, strikes: /* @__PURE__ */ Schema.Array(Dollars) })
  ),
  updated: Schema.Finite
})

/**
 * The schema of what the service knows of an account.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AccountStatus: Schema.Codec<AccountStatuses.AccountStatus, Schema.Json> = /* @__PURE__ */ Schema.Struct({
  creditsLimit: Schema.Finite,
  creditsRemaining: Schema.Finite,
  optionsData: Schema.String
})

/**
 * The schema of the headers of a request. In JSON they are a list of pairs of name and value.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RequestHeaders: Schema.Codec<RequestHeaderMaps.RequestHeaders, Schema.Json> = /* @__PURE__ */ Schema.Array(
  /* @__PURE__ */ Schema.Tuple([Schema.String, Schema.String])
).pipe(
  /* @__PURE__ */ Schema.decodeTo(/* @__PURE__ */ Schema.ReadonlyMap(Schema.String, Schema.String), {
    decode: /* @__PURE__ */ SchemaGetter.transform((entries) => new Map(entries)),
    encode: /* @__PURE__ */ SchemaGetter.transform((headers) => [...headers])
  })
)

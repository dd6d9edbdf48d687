import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { DatabaseError } from "../database/DatabaseError.ts"
import * as Options from "../database/options.ts"
import type { Settings } from "./sqlStore.ts"

/** What a caller says of the ledger to open. */
export interface Named {
  readonly account: string
  readonly budget?: string | undefined
  readonly askedBy?: string | undefined
  readonly lease?: Duration.Input | undefined
  readonly history?: number | undefined
  readonly keep?: Duration.Input | undefined
}

/**
 * Which events of a database: all of them by default.
 *
 * - `account`, `budget`, `askedBy`: the names that ledgers were opened with
 * - `since`, `until`: from when on and before when, in epoch seconds
 *
 * @category models
 * @since 0.1.0
 */
export interface Filter {
  readonly account?: string | undefined
  readonly budget?: string | undefined
  readonly askedBy?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/**
 * Which claim of a database: that of a key, in the ledger of an account and, if it has one, a budget.
 *
 * @category models
 * @since 0.1.0
 */
export interface NamedClaim {
  readonly account: string
  readonly budget?: string | undefined
  readonly key: string
}

/** Reads which ledger of a database is meant. */
const ofLedger = Effect.fnUntraced(
  function*(ledger: { readonly account: string; readonly budget?: string | undefined }) {
    const { account, budget } = (ledger ?? {}) as Partial<typeof ledger>
    return {
      account: yield* Options.named("account", account),
      budget: budget === undefined ? "" : yield* Options.named("budget", budget)
    }
  }
)

/** Reads the options of a ledger, as callers without types may give them. */
export const of = Effect.fnUntraced(function*(options: Named): Effect.fn.Return<Omit<Settings, "open">, DatabaseError> {
  const { askedBy, history = 1000, keep = "90 days", lease = "60 seconds" } = (options ?? {}) as Partial<Named>
  return {
    ...yield* ofLedger(options),
    ...yield* Options.program(askedBy),
    lease: yield* Options.lease(lease),
    keep: yield* Options.seconds("keep", keep, {
      least: 86_400,
      rule: "must be at least 1 day, or Infinity",
      example: "\"90 days\""
    }),
    history: Math.max(1, Math.floor(history) || 1),
    poll: 1000
  }
})

const optional = <A>(value: A | undefined, check: (value: A) => Effect.Effect<A, DatabaseError>) =>
  value === undefined ? Effect.undefined : check(value)

const time = (option: string) => (value: number): Effect.Effect<number, DatabaseError> =>
  Number.isFinite(value)
    ? Effect.succeed(value)
    : Effect.fail(Options.refuse(option, value, { rule: "must be a time in epoch seconds", example: "1795185000" }))

/** Reads a filter of events, as callers without types may give it. */
export const ofFilter = Effect.fnUntraced(function*(filter: Filter): Effect.fn.Return<Filter, DatabaseError> {
  // A name in place of a filter would say nothing, and count the credits of all.
  if (filter && typeof filter !== "object") {
    return yield* Options.refuse("filter", filter, { rule: "must be an object", example: "{ account: \"main\" }" })
  }
  const { account, askedBy, budget, since, until } = filter ?? {}
  return {
    account: yield* optional(account, (value) => Options.named("account", value)),
    budget: yield* optional(budget, (value) => Options.named("budget", value)),
    askedBy: yield* optional(askedBy, (value) => Options.named("askedBy", value)),
    since: yield* optional(since, time("since")),
    until: yield* optional(until, time("until"))
  }
})

/** Reads the name of a claim, as callers without types may give it. */
export const ofClaim = Effect.fnUntraced(function*(
  claim: NamedClaim
): Effect.fn.Return<Pick<Settings, "account" | "budget"> & Pick<NamedClaim, "key">, DatabaseError> {
  const { key } = (claim ?? {}) as Partial<NamedClaim>
  return { ...yield* ofLedger(claim), key: yield* Options.named("key", key, 200) }
})

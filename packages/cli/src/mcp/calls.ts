/** What a tool that may spend asks: its arguments as those of a command, so that one declaration makes the query, its price and its rows. */
import type * as Credits from "@effect-marketdata/core/Credits"
import * as DataMode from "@effect-marketdata/core/DataMode"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Call } from "../asking/call.ts"
import * as Sizes from "../asking/sizes.ts"
import { asking } from "../commands/asking.ts"
import { wrong } from "../failure/failure.ts"
import * as FlagValues from "../plans/flagValues.ts"
import { type Paid, paid, presets } from "./parameters.ts"

/** The arguments of a tool. */
export type ArgumentsOf<Name extends Paid> = Schema.Schema.Type<(typeof paid)[Name]>

type Value = string | number | ReadonlyArray<string> | undefined

/** A command with values for its arguments and flags, and which columns are shown of what comes; all that were asked for where it says none. */
export interface Command {
  readonly name: string
  readonly values: Readonly<Record<string, Value>>
  readonly shown?: ReadonlyArray<string> | undefined
  /** Whether strangers wrote some of its texts. */
  readonly untrusted?: boolean
}

const [usualStrikes, usualDays] = [10, 30]

/** What is known of the age of data comes with the column `updated`, which is asked for beside the others: it has no price of its own. */
const columnsOf = (shown: ReadonlyArray<string> | undefined) => shown && [[...new Set([...shown, "updated"])].join()]

const cachedUnlessSaid = ({ max_age, mode = "cached" }: { readonly max_age?: string; readonly mode?: string }) => ({
  mode,
  "max-age": max_age
})

const capitals = (symbols: ReadonlyArray<string>) => symbols.map((symbol) => symbol.toUpperCase())

/** The command of each tool. `limit` holds a chain to the price that was told. */
const commands: { readonly [Name in Paid]: (given: ArgumentsOf<Name>, limit?: number) => Command } = {
  expirations: ({ mode, strike, symbol }) => ({ name: "expirations", values: { symbol, strike, mode } }),
  chain_slice: (given, limit) => {
    const { columns, date, expiration, preset, side, strikes = usualStrikes, symbol } = given
    // Without a day all expirations come, whose number bounds no price.
    const dte = given.dte ?? (expiration === undefined ? usualDays : undefined)
    const shown = columns ?? (preset === undefined ? undefined : presets[preset])
    const values = { symbol, expiration, dte, side, date, "strike-limit": strikes, columns: columnsOf(shown), limit }
    const mode = date === undefined || given.mode !== undefined ? cachedUnlessSaid(given) : {}
    return { name: "chain", values: { ...values, ...mode }, shown: shown ?? presets.overview }
  },
  quote: ({ columns, symbols, ...given }) => ({
    name: "quote",
    values: { symbol: symbols, columns: columnsOf(columns), ...cachedUnlessSaid(given) },
    shown: columns
  }),
  stock: ({ columns, countback = 1, symbols, what = "quote", ...given }) => {
    const isTold = what === "news" || what === "earnings"
    return {
      name: `stock ${what}`,
      values: {
        symbol: capitals(symbols),
        ...isTold
          ? { countback, mode: given.mode === "cached" ? undefined : given.mode, columns: columns && [columns.join()] }
          : { columns: columnsOf(columns), ...cachedUnlessSaid(given) }
      },
      shown: columns,
      untrusted: isTold
    }
  },
  candles: ({ columns, countback, from, kind = "stock", mode, resolution, symbol, to }) => ({
    name: `${kind} candles`,
    values: { symbol, resolution, from, to, mode, countback, columns: columns && [columns.join()] },
    shown: columns
  })
}

/** A call that is priced: what it asks, and the most that it may cost. */
export interface Priced {
  readonly call: Call
  readonly estimates: ReadonlyArray<Credits.Estimate>
  readonly most: number
  readonly command: Command
}

const callOf = Effect.fnUntraced(function*({ name, values }: Command) {
  const row = asking.find((row) => row.name === name)!
  const askable = yield* Effect.promise(row.load)
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Arr.ensure(value).map(String)] as const]
  )
  const { input, refused: [refused] } = yield* FlagValues.read(FlagValues.namedOf(askable.flags), new Map(given))
  if (refused !== undefined) return yield* wrong("InvalidArguments", `${refused.error.message} Nothing was sent.`)
  return yield* askable.call(input)
})

/** Makes and prices the call of a tool. A chain of which each contract costs is asked for with a limit of as many as its price is for. */
export const priced = Effect.fnUntraced(function*<Name extends Paid>(
  name: Name,
  given: ArgumentsOf<Name>,
  baseUrl: string
) {
  const of = Effect.fnUntraced(function*(limit?: number) {
    const command = commands[name](given, limit)
    const call = yield* callOf(command)
    const estimates = yield* Sizes.pricesOf(call, baseUrl)
    return { call, estimates, most: Sizes.boundOf(estimates), command } satisfies Priced
  })
  const first = yield* of()
  const { kind, mode } = first.call.query
  const isHeld = kind === "chain" && !DataMode.isCached(mode) && first.most > 0 && first.most < Infinity
  return isHeld ? yield* of(first.call.query.historical ? 1000 * first.most : first.most) : first
})

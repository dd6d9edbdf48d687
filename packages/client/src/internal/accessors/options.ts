import type * as Endpoint from "@effect-marketdata/core/Endpoint"
import type * as OptionChain from "@effect-marketdata/core/OptionChain"
import type * as OptionChainEndpoint from "@effect-marketdata/core/OptionChainEndpoint"
import type * as OptionExpirations from "@effect-marketdata/core/OptionExpirations"
import type * as OptionExpirationsEndpoint from "@effect-marketdata/core/OptionExpirationsEndpoint"
import type * as OptionLookup from "@effect-marketdata/core/OptionLookup"
import type * as OptionLookupEndpoint from "@effect-marketdata/core/OptionLookupEndpoint"
import type * as OptionQuote from "@effect-marketdata/core/OptionQuote"
import type * as OptionQuoteEndpoint from "@effect-marketdata/core/OptionQuoteEndpoint"
import type * as OptionStrikes from "@effect-marketdata/core/OptionStrikes"
import type * as OptionStrikesEndpoint from "@effect-marketdata/core/OptionStrikesEndpoint"
import type * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Query from "@effect-marketdata/core/Query"
import { named } from "../named.ts"
import { ask, type Asked } from "../service.ts"

/**
 * Asks for the option chain of an underlying (contract 4.1).
 *
 * @category questions
 * @since 0.1.0
 */
export const optionChain = <
  const Name extends OptionChain.Column = OptionChain.Column,
  const Mode extends Endpoint.AnyMode = undefined
>(
  underlying: string,
  options?: OptionChainEndpoint.Options<Name, Mode>
): Asked<OptionChain.OptionChain<Name>, Mode> =>
  ask(named("optionChain", underlying), Query.optionChain(underlying, options))

/**
 * Asks for the quote of an option (contract 4.2): the present one, that of a past day, or one for each day of a range.
 *
 * @category questions
 * @since 0.1.0
 */
export const optionQuote = <
  const Name extends OptionQuote.Column = OptionQuote.Column,
  const Mode extends Endpoint.AnyMode = undefined
>(
  symbol: string | OptionSymbol.OptionSymbol,
  options?: OptionQuoteEndpoint.Options<Name, Mode>
): Asked<OptionQuote.OptionQuote<Name>, Mode> => ask(named("optionQuote", symbol), Query.optionQuote(symbol, options))

/**
 * Asks for the OCC symbol of a contract that is described in parts or in words (contract 4.3).
 *
 * @category questions
 * @since 0.1.0
 */
export const optionLookup = <
  const Mode extends Endpoint.UncachedMode = undefined
>(
  description: string | OptionLookupEndpoint.Description,
  options?: Endpoint.General<Mode>
): Asked<OptionLookup.OptionLookup, Mode> => ask("optionLookup", Query.optionLookup(description, options))

/**
 * Asks for the expirations of an underlying's options.
 *
 * @category questions
 * @since 0.1.0
 */
export const optionExpirations = <
  const Mode extends Endpoint.UncachedMode = undefined
>(
  underlying: string,
  options?: OptionExpirationsEndpoint.Options<Mode>
): Asked<OptionExpirations.OptionExpirations, Mode> =>
  ask(named("optionExpirations", underlying), Query.optionExpirations(underlying, options))

/**
 * Asks for the strikes of an underlying's options, expiration by expiration.
 *
 * @category questions
 * @since 0.1.0
 */
export const optionStrikes = <
  const Mode extends Endpoint.UncachedMode = undefined
>(
  underlying: string,
  options?: OptionStrikesEndpoint.Options<Mode>
): Asked<OptionStrikes.OptionStrikes, Mode> =>
  ask(named("optionStrikes", underlying), Query.optionStrikes(underlying, options))

/**
 * All modules of the core by name. Importing one module by its subpath brings less along.
 *
 * @since 0.1.0
 */
export * as Answer from "./Answer.ts"
export * as CalendarDate from "./CalendarDate.ts"
export * as ColumnTable from "./ColumnTable.ts"
export * as Credits from "./Credits.ts"
export * as DataMode from "./DataMode.ts"
export * as DecodeError from "./DecodeError.ts"
export * as Eastern from "./Eastern.ts"
export * as Expiration from "./Expiration.ts"
export * as Finding from "./Finding.ts"
export * as Freshness from "./Freshness.ts"
export * as HttpRequest from "./HttpRequest.ts"
export * as Ledger from "./Ledger.ts"
export * as MaxAge from "./MaxAge.ts"
export * as OptionChain from "./OptionChain.ts"
export * as OptionSymbol from "./OptionSymbol.ts"
export * as OptionSymbolError from "./OptionSymbolError.ts"
export * as Provenance from "./Provenance.ts"
export * as Query from "./Query.ts"
export * as Reason from "./Reason.ts"
export * as Reply from "./Reply.ts"
export * as Retry from "./Retry.ts"
export * as Strike from "./Strike.ts"
export * as TradingCalendar from "./TradingCalendar.ts"

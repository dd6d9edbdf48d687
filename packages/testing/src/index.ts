/**
 * All modules of the testing package by name.
 *
 * @since 0.1.0
 */
export * as Accounts from "./arbitraries/Accounts.ts"
export * as Chains from "./arbitraries/Chains.ts"
export * as Chunkings from "./arbitraries/Chunkings.ts"
export * as Days from "./arbitraries/Days.ts"
export * as MalformedChains from "./arbitraries/MalformedChains.ts"
export * as OptionSymbols from "./arbitraries/OptionSymbols.ts"
export * as Queries from "./arbitraries/Queries.ts"
export * as Replies from "./arbitraries/Replies.ts"
export * as Schemas from "./arbitraries/Schemas.ts"
export * as Strikes from "./arbitraries/Strikes.ts"
export * as Travels from "./arbitraries/Travels.ts"
export * as Workloads from "./arbitraries/Workloads.ts"
export * as Law from "./Law.ts"
export * as Laws from "./Laws.ts"
export * as AccountLaws from "./laws/AccountLaws.ts"
export * as ChainLaws from "./laws/ChainLaws.ts"
export * as CreditLaws from "./laws/CreditLaws.ts"
export * as EgressLaws from "./laws/EgressLaws.ts"
export * as FreshnessLaws from "./laws/FreshnessLaws.ts"
export * as ReplyLaws from "./laws/ReplyLaws.ts"
export * as RequestLaws from "./laws/RequestLaws.ts"
export * as SymbolLaws from "./laws/SymbolLaws.ts"
export * as TimeLaws from "./laws/TimeLaws.ts"
export * as WorkloadLaws from "./laws/WorkloadLaws.ts"

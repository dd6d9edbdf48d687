/**
 * All laws, in one list, applied to `@effect-marketdata/core`. Each group has a function `of` that takes another implementation.
 *
 * @example
 * ```ts
 * import * as Laws from "@effect-marketdata/testing/Laws"
 *
 * // In a test: for (const law of Laws.all) it(law.name, () => Laws.check(law, { runs: 1000 }))
 * for (const law of Laws.all) Laws.check(law, { runs: 5, seed: 1 })
 * ```
 *
 * @since 0.1.0
 */
import type * as Law from "../harness/Law.ts"
import * as AccountLaws from "./AccountLaws.ts"
import * as BillLaws from "./BillLaws.ts"
import * as ChainLaws from "./ChainLaws.ts"
import * as CreditLaws from "./CreditLaws.ts"
import * as FreshnessLaws from "./FreshnessLaws.ts"
import * as IpLaws from "./IpLaws.ts"
import * as ReplyLaws from "./ReplyLaws.ts"
import * as RequestLaws from "./RequestLaws.ts"
import * as ReuseLaws from "./ReuseLaws.ts"
import * as SizeLaws from "./SizeLaws.ts"
import * as SymbolLaws from "./SymbolLaws.ts"
import * as TimeLaws from "./TimeLaws.ts"
import * as WorkloadLaws from "./WorkloadLaws.ts"

/**
 * Checks a law; throws `LawBroken` with a seed that reproduces it and the smallest counterexample. `attempt` returns it instead.
 *
 * @since 0.1.0
 */
export { attempt, check } from "../harness/Law.ts"

const values = [SymbolLaws, TimeLaws, FreshnessLaws]
const replies = [ChainLaws, ReplyLaws, ReuseLaws]
const askers = [AccountLaws, RequestLaws, CreditLaws, BillLaws, SizeLaws, WorkloadLaws, IpLaws]

/**
 * Every law, applied to core. Their names are distinct.
 *
 * @category laws
 * @since 0.1.0
 */
export const all: ReadonlyArray<Law.Law> = [...values, ...replies, ...askers].flatMap(({ all }) => all)

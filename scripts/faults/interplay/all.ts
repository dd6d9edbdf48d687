import * as InterplayData from "./data.ts"
import type { InterplayFault } from "./fault.ts"
import * as Money from "./money.ts"
import * as Traffic from "./traffic.ts"

/** Every fault of interplay. */
export const faults: ReadonlyArray<InterplayFault> = [...Money.faults, ...Traffic.faults, ...InterplayData.faults]

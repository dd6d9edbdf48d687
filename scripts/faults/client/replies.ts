import { counted, priced, refused, taken } from "../changes.ts"
import { of, type Seam } from "../seam.ts"

const Reply = of(() => import("@effect-marketdata/core/Reply"))
const Tariff = of(() => import("../../../packages/core/src/credits/tariff.ts"))

/** What the client could get wrong in reading replies and recording charges. */
export const faults: ReadonlyArray<Seam> = [
  // Cached data are told to come from the provider.
  taken("7.1-203", (query, head) => [query, { ...head, status: 200 }]),
  Reply(
    "5.5-demo",
    "outcome",
    (outcome) => (query, head, body, request) => outcome(query, head, body, { ...request, tokenSent: true })
  ),
  refused(["8.2-access", "5.8-premium-mode"], (head, text) => [head, { ...text, cached: false }]),
  // A chain costs one credit, as from the cache.
  counted(["4.1-cost-live", "4.1-cost-delayed"], (outcome) => ({ ...outcome, contracts: 1 })),
  priced("4.1-cost-cached", ({ contracts }, { mode }) => mode?._tag === "Cached" ? contracts : undefined),
  // One credit for each hundred.
  Tariff(
    ["4.1-cost-historical", "8.2-cost-candles"],
    "perThousand",
    (price) => (count, rounding) => price(count * 10, rounding)
  ),
  priced("8.3-hit", ({ status }, { mode }) => status === 203 && mode?._tag === "Cached" ? 0 : undefined),
  counted("8.2-cost-bulk-candles", (outcome) => ({ ...outcome, symbols: 1 })),
  priced("8.2-cost-other", ({ status }, { kind }) => kind === "other" && status === 200 ? 0 : undefined)
]

import * as Effect from "effect/Effect"
import { of, type Seam } from "../../../../core/test/support/seam.ts"

const CreditLedger = of(() => import("../../../../client/src/account/CreditLedger.ts"))
const Consent = of(() => import("../../../src/call/consent.ts"))
const Failure = of(() => import("../../../src/failure/failure.ts"))
const Kept = of(() => import("../../../src/call/kept.ts"))
const Ledger = of(() => import("../../../src/call/ledger.ts"))
const Names = of(() => import("../../../src/failure/names.ts"))
const Person = of(() => import("../../../src/output/person.ts"))
const Plan = of(() => import("../../../../core/src/plan/Plan.ts"))
const Round = of(() => import("../../../src/call/round.ts"))
const Settings = of(() => import("../../../src/settings/settings.ts"))

/** The tests that should find them, as `client/retry` for one of the client's. */
export const tests = "auth cache chain commands consent failure ledger notes sizes told watch".split(" ")
  .map((name) => `cli/${name}`)

/** What a command would spend, or say of it, that nobody allowed. */
export const faults: ReadonlyArray<Seam> = [
  Consent.consent(
    "the price of several queries is that of the first",
    (consent) => (priced, allowed, rounds, left) =>
      consent({ ...priced, estimates: priced.estimates.slice(0, 1) }, allowed, rounds, left)
  ),
  Consent.consent(
    "a ceiling of live data allows twice as much",
    (consent) => (priced, allowed, rounds, left) =>
      consent(priced, { ...allowed, fallbackUpTo: 2 * allowed.fallbackUpTo + 1000 }, rounds, left)
  ),
  Consent.consent(
    "a script is not asked",
    (consent) => (priced, allowed, rounds, left) => consent(priced, { ...allowed, yes: true }, rounds, left)
  ),
  Failure.of("a failure says nothing of what was charged", (failureOf) => (error) => {
    const failure = failureOf(error)
    return Object.assign(failure, { credits: undefined })
  }),
  Kept.where(
    "an invented market is kept for the real one",
    (where) => (name, service, isBudget) => where(name, { ...service, embedded: false }, isBudget)
  ),
  Kept.seenOf("no size of a chain is known", () => () => Effect.succeed({})),
  CreditLedger.both("what the allowance refuses stays set aside in the command", (both) => (own, shared) =>
    both({
      ...own,
      reserve: (...reservation) =>
        Effect.map(own.reserve(...reservation), (reserved) => ({ ...reserved, settle: Effect.void }))
    }, shared)),
  Ledger.layer("a command may spend twice what was allowed", (layer) => (most) => layer(2 * most)),
  Ledger.accountOf("the spending of all services is one", () => () => "one"),
  Person.ask("a key that was pressed before is an answer", () => (prompt) => prompt),
  Plan.capped("a ceiling bounds no price", () => (_query, estimated) => estimated),
  Round.missingOf("rows that are missing are not told", () => () => undefined),
  Settings.normalAddress("an address is another one with a slash at its end", () => (address) => address),
  Names.withFlags(
    "a flag stands twice in a command to copy",
    () => (typed, flags) => [...typed, ...Object.entries(flags).flatMap(([name, value]) => [name, String(value)])]
  )
]

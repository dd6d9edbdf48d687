import { client, clientTests, core, coreTests, type InterplayFault } from "./fault.ts"

/** Credits that are counted twice, not at all, or for somebody else. */
export const faults: ReadonlyArray<InterplayFault> = [
  {
    name: "a reply is charged twice",
    file: client("internal/attempt"),
    find: "        reservation.charge(charge, number, figures),",
    replace: "        Effect.andThen(reservation.charge(charge, number, figures), reservation.charge(charge, number)),",
    tests: clientTests("MarketData", "batches", "CreditLedger")
  },
  {
    name: "a settled reservation goes on holding its credits",
    file: core("credits/Ledger"),
    find: "  reservations.delete(id)\n",
    replace: "",
    tests: [...clientTests("MarketData", "CreditLedger"), ...coreTests("Ledger")]
  },
  {
    name: "an interrupted question never settles",
    file: client("internal/pipeline"),
    find: "(reservation) => reservation.settle",
    replace: `(reservation, exit) => exit._tag === "Success" ? reservation.settle : Effect.void`,
    tests: clientTests("interruption", "retry")
  },
  {
    name: "the reservation of many requests is that of one",
    file: client("internal/pipeline"),
    find: "Credits.estimate(query, requests === 1 ? {} : { requests })",
    replace: "Credits.estimate({ ...query, tickers: query.tickers.slice(0, 1) }, {})",
    tests: clientTests("batches", "MarketData")
  },
  {
    name: "the charge of an answer is that of its last request",
    file: core("reply/Answer"),
    find: "trace.reduce((sum, { charge }) => sum + (charge?.credits ?? 0), 0)",
    replace: "trace.at(-1)?.charge?.credits ?? 0",
    tests: clientTests("batches", "MarketData", "QuoteResolver")
  },
  {
    name: "an answer does not say what its lost requests may have cost",
    file: core("reply/Answer"),
    find: "trace.reduce((sum, { uncertain }) => sum + uncertain, 0)",
    replace: "0",
    tests: clientTests("CacheFallback", "MarketDataStream")
  },
  {
    name: "consent is forgotten where a request is sent again",
    file: core("credits/Ledger"),
    find: "if (declined !== undefined) return Result.fail(declined)",
    replace: "if (declined?.charged === -1) return Result.fail(declined)",
    tests: [...coreTests("Ledger"), ...clientTests("CacheFallback")]
  },
  {
    name: "what may have been charged does not count against consent",
    file: core("credits/Ledger"),
    find: "taken + bound <= ceiling",
    replace: "used - uncertain + bound <= ceiling",
    tests: [...coreTests("Ledger"), ...clientTests("CacheFallback")]
  },
  {
    name: "consent does not reach the reservation",
    file: client("internal/fallback"),
    find: "ask(live, batches, ceiling ?? Credits.bound(price))",
    replace: "ask(live, batches, ceiling === undefined ? Credits.bound(price) : Infinity)",
    tests: clientTests("CacheFallback")
  },
  {
    name: "what may have been charged is booked as free",
    file: client("internal/attempt"),
    find: "    charge: known,\n",
    replace: "    charge: known ?? Credits.charged(query, { status: 204 }),\n",
    tests: clientTests("MarketData", "interruption", "faultMatrix", "retry")
  },
  {
    name: "what never arrived is booked as perhaps charged",
    file: client("internal/attempt"),
    find: "if (!reason.mayHaveBeenCharged) {",
    replace: "if (reason._tag === undefined) {",
    tests: clientTests("MarketData", "retry", "transport")
  },
  {
    name: "a reply that nobody can price is free",
    file: client("internal/attempt"),
    find: "? Effect.as(reservation.lose(number, figures), {",
    replace: "? Effect.as(reservation.charge({ credits: 0 }, number, figures), {",
    tests: clientTests("MarketData", "faultMatrix", "transport")
  },
  {
    name: "requests go out without being marked as sent",
    file: client("internal/attempt"),
    find: "Effect.exit(reservation.send(bound, number))",
    replace: "Effect.exit(Effect.void)",
    tests: clientTests("interruption", "MarketData", "retry")
  },
  {
    name: "the requests of a question take each other's place in the book",
    file: client("internal/attempt"),
    find: "reservation.send(bound, number)",
    replace: "reservation.send(bound, 0)",
    tests: clientTests("batches", "MarketData", "interruption")
  },
  {
    name: "an attempt that was cut off is taken for one that cost nothing",
    file: client("internal/attempt"),
    find: `new TimedOut({ limit: "attempt", milliseconds, mayHaveBeenCharged: true })`,
    replace: `new TimedOut({ limit: "attempt", milliseconds, mayHaveBeenCharged: false })`,
    tests: clientTests("retry", "MarketData")
  },
  {
    name: "a new window forgets what is set aside",
    file: core("credits/Ledger"),
    find: "  ends,\n  charged: 0,",
    replace: "  ends,\n  reservations: new Map(),\n  charged: 0,",
    tests: [...coreTests("Ledger"), ...clientTests("CreditLedger")]
  },
  {
    name: "a new window keeps the charges of the old one",
    file: core("credits/Ledger"),
    find: "  ends,\n  charged: 0,",
    replace: "  ends,\n  charged: self.charged,",
    tests: [...coreTests("Ledger"), ...clientTests("CreditLedger")]
  },
  {
    name: "the last word of the service wins, and not the latest",
    file: core("credits/serviceFigures"),
    find: "told.remaining < known.remaining ? [known, told] : [told, known]",
    replace: "[known, told]",
    tests: [...coreTests("Ledger"), ...clientTests("CreditLedger")]
  },
  {
    name: "a charge that the service has told of is taken off once more",
    file: core("credits/Ledger"),
    find: "unseen: standing === undefined ? told.unseen + most : told.unseen",
    replace: "unseen: told.unseen + most",
    tests: [...coreTests("Ledger"), ...clientTests("CreditLedger")]
  },
  {
    name: "two questions are given the same last credits",
    file: core("credits/Ledger"),
    find:
      "self.allowance - self.charged - self.uncertain - Reservations.sum(self.reservations, Reservations.outstanding)",
    replace: "self.allowance - self.charged - self.uncertain",
    tests: [...coreTests("Ledger"), ...clientTests("MarketData", "CreditLedger")]
  },
  {
    name: "what may have been charged is spent again",
    file: core("credits/Ledger"),
    find: "self.allowance - self.charged - self.uncertain - ",
    replace: "self.allowance - self.charged - ",
    tests: [...coreTests("Ledger"), ...clientTests("MarketData", "CreditLedger")]
  },
  {
    name: "a reservation holds what it has spent already",
    file: core("credits/reservation"),
    find: "Math.max(0, reservation.bound - reservation.used, inFlight(reservation))",
    replace: "Math.max(0, reservation.bound, inFlight(reservation))",
    tests: [...coreTests("Ledger"), ...clientTests("CreditLedger")]
  },
  {
    name: "a retry after a lost request is paid from what that one may have cost",
    file: core("credits/Ledger"),
    find: "if (needed <= reservation.bound) return Result.succeed(self)",
    replace: "if (most <= reservation.bound) return Result.succeed(self)",
    tests: [...coreTests("Ledger"), ...clientTests("retry")]
  },
  {
    name: "what a question cost above its bound is not named",
    file: core("credits/Ledger"),
    find: "return most > bound ? overrun(ledger, closed, { id, bound, charged: most }) : put(ledger, id, closed)",
    replace: "return put(ledger, id, closed)",
    tests: [...coreTests("Ledger"), ...clientTests("MarketData", "CreditLedger")]
  },
  {
    name: "live data are fetched without consent",
    file: client("internal/fallback"),
    find: "yield* decide(query, price)",
    replace: "yield* Effect.orElseSucceed(decide(query, price), () => Infinity)",
    tests: clientTests("MarketData", "CacheFallback", "batches")
  },
  {
    name: "consent is asked at the price of cached data",
    file: client("internal/fallback"),
    find: "Credits.estimate(live, { requests: missed.length })",
    replace: "Credits.estimate(Query.withMode(live, DataMode.cached()), { requests: missed.length })",
    tests: clientTests("MarketData", "CacheFallback", "batches")
  },
  {
    name: "consent is asked for what the cache had too",
    file: client("internal/fallback"),
    find: "{ ...query, tickers: missed.flatMap(({ query }) => query.tickers) }",
    replace: "{ ...query }",
    tests: clientTests("batches", "CacheFallback", "MarketData")
  },
  {
    name: "what a lost reply said that it cost is forgotten",
    file: client("internal/attempt"),
    find: "head?.reported === undefined ?",
    replace: "head === undefined || number >= 0 ?",
    tests: clientTests("CreditLedger")
  },
  {
    name: "a book that follows the service holds on to an allowance of its own",
    file: core("credits/Ledger"),
    find: "self.follows && self.standing !== undefined ? ofStanding(self)",
    replace: "self.standing === null ? ofStanding(self)",
    tests: [...clientTests("CreditLedger"), ...coreTests("Ledger")]
  },
  {
    name: "a budget that nobody gave an allowance has no limit",
    file: client("CreditLedger"),
    find: "allowance = 0,",
    replace: "allowance = Infinity,",
    tests: clientTests("CreditLedger")
  },
  {
    name: "a book that follows the service refuses what that serves",
    file: core("credits/Ledger"),
    find: "if (self.isTold) return needed > 0 && left <= 0",
    replace: "if (self.isTold) return needed > left",
    tests: [...coreTests("Ledger"), ...clientTests("CreditLedger")]
  },
  {
    name: "a book that follows the service asks when nothing is left",
    file: core("credits/Ledger"),
    find: "needed > 0 && left <= 0",
    replace: "needed > 0 && left < -needed",
    tests: [...coreTests("Ledger"), ...clientTests("CreditLedger")]
  },
  {
    name: "credits that are gone behind the client's back are nobody's",
    file: core("credits/Ledger"),
    find: "Math.max(0, known.remaining - told.remaining - explained)",
    replace: "Math.max(0, told.remaining - known.remaining - explained)",
    tests: [...coreTests("Ledger"), ...clientTests("ambient")]
  },
  {
    name: "what is in flight is taken for spent elsewhere",
    file: core("credits/Ledger"),
    find: "ours + Reservations.others(self.reservations, { id, request })",
    replace: "ours",
    tests: [...coreTests("Ledger"), ...clientTests("ambient")]
  },
  {
    name: "a reply that an HTTP client gave up with in its hands costs its bound",
    file: client("internal/wire"),
    find: "if (response !== undefined) hear(response)",
    replace: "if (response === null) hear(response)",
    tests: clientTests("ambient")
  },
  {
    name: "the history tells of a settlement that there was not",
    file: client("internal/ledgerSteps"),
    find: "if (reservation === undefined) return lost",
    replace:
      "if (reservation === undefined) return { ...lost, events: [{ _tag: `Settled`, ...of, used: 0, released: 0 }] }",
    tests: clientTests("CreditLedger")
  }
]

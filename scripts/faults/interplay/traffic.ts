import { client, clientTests, core, coreTests, type InterplayFault } from "./fault.ts"

/** Requests that go out too often, too early, or never. */
export const faults: ReadonlyArray<InterplayFault> = [
  {
    name: "a reply may be as large as the client's limit, whatever its endpoint",
    file: client("internal/limits"),
    find: "bytes: Math.min(maxReplyBytes, configured)",
    replace: "bytes: Math.max(maxReplyBytes, Math.min(configured, 134_217_728))",
    tests: clientTests("bytesInFlight")
  },
  {
    name: "what is announced to be too large is read",
    file: client("internal/body"),
    find: `if (Number(headers["content-length"]) > maxBytes)`,
    replace: `if (Number(headers["content-length"]) > Infinity)`,
    tests: clientTests("bytesInFlight")
  },
  {
    name: "replies never wait for each other, however much they hold",
    file: client("internal/bytesInFlight"),
    find: "return mayGoOn()\n",
    replace: "return true\n",
    tests: clientTests("bytesInFlight")
  },
  {
    name: "the bytes of a reply that is over stay counted",
    file: client("internal/bytesInFlight"),
    find: "total -= held\n",
    replace: "total -= 0\n",
    tests: clientTests("bytesInFlight")
  },
  {
    name: "nobody is told that there is room again",
    file: client("internal/bytesInFlight"),
    find: "        wake()\n",
    replace: "",
    tests: clientTests("bytesInFlight")
  },
  {
    name: "a reply that never pauses holds up the program",
    file: client("internal/turns"),
    find: "isOver: () => nanos > mostNanos || bytes > mostBytes",
    replace: "isOver: () => nanos < 0n && bytes < 0",
    tests: clientTests("bytesInFlight")
  },
  {
    name: "fifty replies have their turns at the same time",
    file: client("internal/turns"),
    find: "next: one.withPermit(Effect.andThen(",
    replace: "next: Effect.suspend(() => Effect.andThen(",
    tests: clientTests("bytesInFlight")
  },
  {
    name: "a coded reply that was cut is taken for one that is wrong",
    file: client("internal/transport"),
    find: "Body.cutShort(headers, held)",
    replace: "undefined",
    tests: clientTests("faultMatrix")
  },
  {
    name: "an HTTP client sends again by itself",
    file: client("internal/wire"),
    find: "      throw new SentAgain()\n",
    replace: "      return first = new Send(options)\n",
    tests: clientTests("ambient")
  },
  {
    name: "what a request brought that was wanted again is taken for lost",
    file: client("internal/wire"),
    find: "wire.first() ?? Exit.fail(givenUp)",
    replace: "Exit.fail(givenUp)",
    tests: clientTests("ambient")
  },
  {
    name: "a status that an HTTP client makes an error of is asked again",
    file: client("internal/wire"),
    find: "(isStatusError(error) || !holdsData(response.status))",
    replace: "response.status === 0",
    tests: clientTests("ambient")
  },
  {
    name: "cached data that an HTTP client makes an error of are lost",
    file: client("internal/wire"),
    find: "isStatusError(error) || ",
    replace: "",
    tests: clientTests("ambient")
  },
  {
    name: "an HTTP client around another one is refused",
    file: client("internal/wire"),
    find: "first?.exit === undefined && first === around(options.parent)",
    replace: "first === undefined",
    tests: clientTests("ambient")
  },
  {
    name: "a client around another one may ask again in there",
    file: client("internal/wire"),
    find: "first?.exit === undefined && first === around(options.parent)",
    replace: "around(options.parent) !== undefined",
    tests: clientTests("ambient")
  },
  {
    name: "a token that is fetched twice elsewhere is taken for a request of ours",
    file: client("internal/wire"),
    find: "(sent) => !isOurs(sent)",
    replace: "() => false",
    tests: clientTests("ambient")
  },
  {
    name: "a request at another address is not known again",
    file: client("internal/wire"),
    find: "sent === prepared || sent.method",
    replace: "sent === prepared || sent.url === prepared?.url && sent.method",
    tests: clientTests("ambient")
  },
  {
    name: "a plan that does not reach is asked again",
    file: core("reply/Retry"),
    find: "if (!failure.reason.isRetryable) return",
    replace: `if (!failure.reason.isRetryable && failure.reason._tag !== "PlanRequired") return`,
    tests: [...coreTests("Retry"), ...clientTests("retry", "MarketData")]
  },
  {
    name: "one attempt too many",
    file: core("reply/Retry"),
    find: "failure.attempt < policy.attempts",
    replace: "failure.attempt <= policy.attempts",
    tests: [...coreTests("Retry"), ...clientTests("retry")]
  },
  {
    name: "attempts are not counted",
    file: client("internal/retry"),
    find: "from(count + 1)",
    replace: "from(count)",
    tests: clientTests("retry")
  },
  {
    name: "every question has a budget of retries for itself",
    file: client("internal/retry"),
    find: "Retry.next(terms.retry, before, {",
    replace: "Retry.next(terms.retry, Retry.makeBudget(before.allowance), {",
    tests: clientTests("retry")
  },
  {
    name: "retries take nothing from their budget",
    file: core("reply/Retry"),
    find: "budget: { ...present, tokens: present.tokens - 1 }",
    replace: "budget: present",
    tests: [...coreTests("Retry"), ...clientTests("retry")]
  },
  {
    name: "the deadline begins anew with each attempt",
    file: client("internal/retry"),
    find: "const elapsed = now - startedAt",
    replace: "const elapsed = 0",
    tests: clientTests("interplay", "retry")
  },
  {
    name: "the deadline begins anew with the second question of a fallback",
    file: client("internal/retry"),
    find: "duration: Math.max(0, asking.startedAt + milliseconds - now) || 0",
    replace: "duration: Math.max(0, milliseconds) || 0",
    tests: clientTests("interplay", "retry", "CacheFallback")
  },
  {
    name: "what the service asks to be left alone for is ignored",
    file: core("reply/Retry"),
    find: "const asked = retryAfter(failure.reason)",
    replace: "const asked = 0",
    tests: [...coreTests("Retry"), ...clientTests("retry")]
  },
  {
    name: "chance waits longer than the cap",
    file: core("reply/Retry"),
    find: "base * 2 ** (attempt - 1)) * upTo(1, jitter)",
    replace: "base * 2 ** (attempt - 1)) * (1 + upTo(1, jitter))",
    tests: [...coreTests("Retry"), ...clientTests("retry")]
  },
  {
    name: "a lost request stays in the books of the address",
    file: client("internal/egress"),
    find: "({ departure }) => admission.leave(departure)",
    replace: `({ departure }) => departure === "lost" ? Effect.void : admission.leave(departure)`,
    tests: clientTests("interplay", "EgressGuard", "interruption")
  },
  {
    name: "a block is forgotten when it has been told of",
    file: client("EgressGuard"),
    find: `departure === "blocked" ? Egress.blocked(settled, address, now) : settled`,
    replace: "settled",
    tests: clientTests("EgressGuard")
  },
  {
    name: "a block is forgotten when another request is answered",
    file: client("EgressGuard"),
    find: `suspect = departure === "blocked" || suspect && !(isTrial && departure === "answered")`,
    replace: `suspect = departure === "blocked" || suspect && departure !== "answered"`,
    tests: clientTests("EgressGuard")
  },
  {
    name: "as many requests as there are questions",
    file: client("internal/egress"),
    find: "permits.withPermit(",
    replace: "((self: Effect.Effect<Passed<A> | Held>) => self)(",
    tests: clientTests("MarketData", "batches", "EgressGuard", "retry")
  },
  {
    name: "a permit is never given back",
    file: client("internal/egress"),
    find: "permits.withPermit(",
    replace: "((self: Effect.Effect<Passed<A> | Held>) => Effect.andThen(permits.take(1), self))(",
    tests: clientTests("EgressGuard", "interruption")
  },
  {
    name: "an attempt cannot be interrupted",
    file: client("internal/attempt"),
    find: "restore(inTime(terms.attemptTimeout, send)),",
    replace: "inTime(terms.attemptTimeout, send),",
    tests: clientTests("interruption")
  },
  {
    name: "questions that ask the same are each asked",
    file: client("internal/coalesce"),
    find: "const flight = present ?? {",
    replace: "const flight = {",
    tests: clientTests("coalesce")
  },
  {
    name: "a call that one consented to is shared with who did not",
    file: client("internal/coalesce"),
    find: "present !== undefined && !isSame(present.terms, terms)",
    replace: "false",
    tests: clientTests("coalesce")
  },
  {
    name: "who may fall back shares the call of who may not",
    file: client("internal/coalesce"),
    find: "query.mode?._tag ?? null",
    replace: "null",
    tests: clientTests("interplay", "coalesce")
  },
  {
    name: "a shared call goes on when nobody waits for it",
    file: client("internal/coalesce"),
    find: "return flight.waiting === 0 ? Fiber.interrupt(flight.fiber) : Effect.void",
    replace: "return Effect.void",
    tests: clientTests("coalesce", "interruption")
  },
  {
    name: "who leaves first ends the call of all",
    file: client("internal/coalesce"),
    find: "return flight.waiting === 0 ? Fiber.interrupt",
    replace: "return flight.waiting >= 0 ? Fiber.interrupt",
    tests: clientTests("coalesce")
  },
  {
    name: "a call that is over is joined",
    file: client("internal/coalesce"),
    find: "(isOver || flight.waiting === 0) && flights.get(key) === flight",
    replace: "flights.get(key) === undefined",
    tests: clientTests("coalesce")
  },
  {
    name: "one symbol that is asked for twice is paid for twice",
    file: client("internal/together"),
    find: "[...new Set(entries.map(symbolOf))]",
    replace: "entries.map(symbolOf)",
    tests: clientTests("QuoteResolver")
  },
  {
    name: "quotes go together that were asked on different terms",
    file: client("internal/together"),
    find: "  query.assume,\n  ...terms\n",
    replace: "  query.assume\n",
    tests: clientTests("QuoteResolver")
  },
  {
    name: "who leaves first takes the quotes of the others along",
    file: client("internal/together"),
    find: "return found.journey.waiting === 0 ? Deferred",
    replace: "return found.journey.waiting >= 0 ? Deferred",
    tests: clientTests("QuoteResolver")
  }
]

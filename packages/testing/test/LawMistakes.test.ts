/** Each law is worth its while: implementations with a mistake, each of which a law finds, and no law that finds none of them. */
import { Account, CalendarDate, type ChainSize, Credits, Freshness, IpRule } from "@effect-marketdata/core"
import { MaxAge, NewYork, OptionChain, OptionSymbol, Reuse, Strike, Workload } from "@effect-marketdata/core"
import { AccountLaws, BillLaws, ChainLaws, CreditLaws, FreshnessLaws, IpLaws } from "@effect-marketdata/testing"
import { type Law, ReplyLaws, RequestLaws, ReuseLaws, SizeLaws, SymbolLaws } from "@effect-marketdata/testing"
import { TimeLaws, WorkloadLaws } from "@effect-marketdata/testing"
import { assert, it } from "@effect/vitest"
import { Option, Redacted, Result } from "effect"
import * as fc from "fast-check"

type Served = ReturnType<AccountLaws.Serve>

const serving = (change: (served: Served, ...asked: Parameters<AccountLaws.Serve>) => Served) =>
  AccountLaws.of((account, asked) => change(Account.serve(account, asked), account, asked))

const refusal = Account.serve(Account.make({ plan: "free", user: Account.unknown }), {
  mode: { _tag: "Cached", maxAge: undefined },
  historical: false
})

const bills = BillLaws.core("contract")
const billing = (change: Partial<typeof bills>) => BillLaws.of({ ...bills, ...change })

const { bounds, charged } = CreditLaws.core
const pricing = (change: Partial<typeof CreditLaws.core>) => CreditLaws.of({ ...CreditLaws.core, ...change })

const aging = (change: Partial<Parameters<typeof TimeLaws.ages>[0]>) => TimeLaws.ages({ ...MaxAge, ...change })

const admitting = (admit: typeof IpRule.admit) => IpLaws.of({ ...IpRule, admit })

const rowwise = (change: (row: OptionChain.Row) => OptionChain.Row) =>
  ChainLaws.of({ decode: (body) => Result.map(ChainLaws.core.decode(body), (rows) => rows.map(change)) })

const told = (body: Uint8Array) => {
  const decoded = OptionChain.decode(body)
  return Result.isSuccess(decoded) ? OptionChain.toRows(decoded.success) : decoded.failure.code
}

const interpreting = (status: number, _tag: ReplyLaws.Meaning["_tag"]) =>
  ReplyLaws.of((query, reply) => reply.status === status ? { _tag } : ReplyLaws.core(query, reply))

const receiving = (
  change: (received: ReplyLaws.Received, pieces: ReadonlyArray<Uint8Array>) => Partial<ReplyLaws.Received>
) =>
  ReplyLaws.receiving((query, reply, pieces) => {
    const received = ReplyLaws.receive(query, reply, pieces)
    return { ...received, ...change(received, pieces) }
  })

const reading = (change: (text: string) => string) =>
  SymbolLaws.of({ ...OptionSymbol, parse: (text) => OptionSymbol.parse(change(text)) })

const sending = (change: (sent: RequestLaws.Sent) => Partial<RequestLaws.Sent>) =>
  RequestLaws.of((query) => RequestLaws.core(query).map((sent) => ({ ...sent, ...change(sent) })))

const bounding = (most: typeof SizeLaws.core.most) => SizeLaws.of({ ...SizeLaws.core, most })

/** The same sizes, changed. */
const sized = (seen: ChainSize.Seen, change: (size: ChainSize.ChainSize) => Partial<ChainSize.ChainSize>) => ({
  ...seen,
  sizes: seen.sizes.map((size) => ({ ...size, ...change(size) } as ChainSize.ChainSize))
})

const { byMode, byWindow, total } = Workload
const accounting = (change: Partial<Parameters<typeof WorkloadLaws.of>[0]>) =>
  WorkloadLaws.of({ byMode, byWindow, total, ...change })

/** Implementations with a mistake, by what they implement: the laws as they are asked of them. */
const mistakes: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<Law.Law>>>>> = {
  "AccountLaws.of": {
    "live is refused": serving((served, { plan }, { mode }) =>
      plan === "free" && mode?._tag === "Live" ? refusal : served
    ),
    "everything is served, as fresh as can be": serving((_, __, { mode }) =>
      Account.serve(Account.make({ plan: "paid", user: Account.nonProfessional("realTime") }), {
        mode: mode === undefined ? { _tag: "Delayed" } : { _tag: "Live" },
        historical: false
      })
    ),
    "the default of trials is live": serving((served, account, { historical, mode }) =>
      account.plan === "trial" && mode === undefined
        ? Account.serve(Account.make({ ...account, plan: "paid" }), { historical, mode })
        : served
    ),
    "delayed is live": serving((served, account, asked) =>
      asked.mode?._tag === "Delayed" ? Account.serve(account, { ...asked, mode: { _tag: "Live" } }) : served
    ),
    "live is live": serving((served, account, asked) =>
      asked.mode?._tag === "Live" ? Account.serve(Account.make({ ...account, plan: "paid" }), asked) : served
    )
  },
  "BillLaws.of": {
    "a strike has a call only": billing({ most: (query) => bills.most(query) / 2 }),
    "candles never cost more than a credit": billing({
      most: (query) => query.kind === "candles" ? 1 : bills.most(query)
    }),
    "a bill for the whole chain": billing({
      billed: (query) => bills.billed({ ...query, options: { expiration: "all" } }) + (query.kind === "candles" ? 1 : 0)
    })
  },
  "ChainLaws.of": {
    "null is 0": rowwise((row) => ({ ...row, last: row.last ?? 0 })),
    "six places": rowwise((row) => ({ ...row, gamma: Number(row.gamma?.toFixed(6)) })),
    "texts only": ChainLaws.of({
      decode: (body) => typeof body === "string" ? ChainLaws.core.decode(body) : Result.fail(body)
    }),
    "what cannot be read is empty": ChainLaws.of({
      decode: (body) => Result.succeed(Result.getOrElse(ChainLaws.core.decode(body), () => []))
    })
  },
  "ChainLaws.findings": {
    "sees nothing": ChainLaws.findings(() => []),
    "sees too much": ChainLaws.findings(() => [{ code: "MidMismatch", column: "mid", count: 2 }])
  },
  "ChainLaws.streaming": {
    "only the first piece": ChainLaws.streaming({ whole: told, pieces: ([first]) => told(first ?? new Uint8Array()) })
  },
  "ChainLaws.reasons": { "always the type": ChainLaws.reasons(() => "WrongType") },
  "ChainLaws.table": {
    "written with blanks, and not found": ChainLaws.table({
      rewrite: (body) => JSON.stringify(JSON.parse(body), null, 2),
      indexOf: () => -1
    })
  },
  "CreditLaws.of": {
    "a fallback always hits": pricing({
      bounds: (query, known) => ({ ...bounds(query, known), ...query.mode?._tag === "CachedOrLive" && { max: 1 } })
    }),
    "an estimate that hopes": pricing({ bounds: (query, known) => ({ ...bounds(query, known), max: 1 }) }),
    "what has no price is free": pricing({
      charged: (query, outcome) => charged(query, { ...outcome, contracts: outcome.quoted })
    }),
    "a 204 is billed": pricing({ charged: (query, outcome) => charged(query, { ...outcome, status: 200 }) }),
    "a 203 is cached": pricing({ charged: (query, outcome) => outcome.status === 203 ? 1 : charged(query, outcome) }),
    "cached data by the symbol": pricing({
      charged: (query, outcome) =>
        charged({ ...query, mode: undefined }, { ...outcome, symbols: 3 * (outcome.symbols ?? 0) })
    }),
    "a thousand and one": pricing({
      charged: (query, outcome) =>
        charged(query, query.historical ? { ...outcome, contracts: (outcome.contracts ?? 0) + 1 } : outcome)
    }),
    "less is more": pricing({
      charged: (query, outcome) => outcome.status === 204 ? 0 : 40_000 - (charged(query, outcome) ?? 0)
    })
  },
  "CreditLaws.recording": {
    "every figure wins, and a probe is dear": CreditLaws.recording({
      charged: (query, outcome) => Credits.charged(query, outcome, { figures: "any" }),
      sizeQuery: (query) => query
    }),
    "no figure wins": CreditLaws.recording({
      charged: (query, outcome) => Credits.charged(query, { ...outcome, reported: undefined }),
      sizeQuery: (query) => query
    })
  },
  "FreshnessLaws.of": {
    "fresh for a second more": FreshnessLaws.of((seen) => Freshness.classify({ ...seen, updated: seen.updated + 1 })),
    "always fresh": FreshnessLaws.of(() => "realTime"),
    "never fresh": FreshnessLaws.of((seen) => {
      const degree = Freshness.classify(seen)
      return degree === "realTime" ? "delayed" : degree
    }),
    "over at once after 16:15": FreshnessLaws.of((seen) =>
      NewYork.secondOfDay(seen.updated) < 58_500 ? Freshness.classify(seen) : "historical"
    ),
    "fresh again at night": FreshnessLaws.of((observation) =>
      NewYork.secondOfDay(observation.now) < 9 * 3600 ? "realTime" : Freshness.classify(observation)
    )
  },
  "FreshnessLaws.foresight": {
    "an hour late": FreshnessLaws.foresight({
      classify: Freshness.classify,
      nextBoundary: (observation) => Option.map(Freshness.nextBoundary(observation), (at) => at + 3600)
    })
  },
  "IpLaws.of": {
    "always open": admitting((traffic) => ({ _tag: "Send", traffic })),
    "open a second too early": admitting((traffic, address, now) => IpRule.admit(traffic, address, now + 1)),
    "closed": admitting((_, __, now) => ({ _tag: "WaitUntilPast", time: now }))
  },
  "IpLaws.service": { "nobody": IpLaws.service(() => []), "everybody": IpLaws.service((arrivals) => arrivals) },
  "ReplyLaws.of": {
    "an error is data": interpreting(200, "Delivered"),
    "only 200 is a success": interpreting(203, "UnexpectedStatus"),
    "all 400 are alike": interpreting(400, "BadRequest"),
    "any date is that of the contract": ReplyLaws.of((query, reply) =>
      reply.status === 400 && reply.text.includes("date") ? { _tag: "InvalidDate" } : ReplyLaws.core(query, reply)
    ),
    "all 429 are alike": interpreting(429, "TooManyRequests"),
    "a miss everywhere": interpreting(204, "NoCachedData")
  },
  "ReplyLaws.receiving": {
    "only the first piece": ReplyLaws.receiving((query, reply, pieces) =>
      ReplyLaws.receive(query, reply, pieces.slice(0, 1))
    ),
    "what is consumed is not read": receiving(({ _tag, credits }, [body]) => ({
      credits: _tag === "Delivered" ? body?.length : credits
    })),
    "a refusal is billed": receiving(() => ({ credits: 1 })),
    "the body is quoted": receiving((_, pieces) => ({
      message: pieces.map((piece) => new TextDecoder().decode(piece)).join("")
    }))
  },
  "RequestLaws.of": {
    "all at once": RequestLaws.of((query) => {
      const lines = RequestLaws.core(query)
      return [{ line: lines.map(({ line }) => line).join(""), tickers: query.tickers }]
    }),
    "a blank in the path": sending(({ line }) => ({ line: line.replace("/v1/", "/v1 /") })),
    "a parameter comes twice": sending(({ line }) => ({
      line: line.replace(/ HTTP/, line.includes("?") ? "&mode=live&mode=live HTTP" : "?a=1&a=1 HTTP")
    })),
    "dots that are resolved": sending(({ line }) => ({ line: line.replace("/v1/", "/v1/../v1/") })),
    "cached data are asked for as live": sending(({ line }) => ({ line: line.replace("=cached", "=live") })),
    "the last is forgotten": sending(({ tickers }) => ({ tickers: tickers.slice(0, -1) }))
  },
  "RequestLaws.addressing": {
    "a token that is shown, as it is": RequestLaws.addressing((query, baseUrl, token) => {
      const { wire } = RequestLaws.coreWithToken(query, baseUrl, Redacted.make("-"))
      const urls = wire.map((url) => url.replace(/-$/, Redacted.value(token)))
      return { wire: urls, shown: urls.join() }
    })
  },
  "ReuseLaws.of": {
    "never answers": ReuseLaws.of(() => false),
    "always answers": ReuseLaws.of(() => true),
    "forgets how old cached data were when they came": ReuseLaws.of((query, kept, when) =>
      Reuse.answers(query, { ...kept, updated: { oldest: kept.receivedAt, newest: kept.receivedAt } }, when)
    ),
    "takes cached data for live": ReuseLaws.of((query, kept, when) =>
      Reuse.answers(query, { ...kept, sentMode: "live" }, when)
    ),
    "lets its clock go back": ReuseLaws.of((query, kept, when) =>
      Reuse.answers(query, kept, { ...when, now: Math.max(when.now, kept.receivedAt) })
    ),
    "answers again a day later": ReuseLaws.of((query, kept, when) =>
      when.now - kept.receivedAt > 86_400 || Reuse.answers(query, kept, when)
    ),
    "takes any named day for a past one": ReuseLaws.of((query, kept, when) =>
      query.options["to"] !== undefined || Reuse.answers(query, kept, when)
    )
  },
  "SizeLaws.of": {
    "the strikes of one side": bounding((query, seen) => Math.ceil(SizeLaws.core.most(query, seen) / 2)),
    "nothing bounds": bounding(() => Infinity),
    "a size holds for ever": bounding((query, seen) =>
      SizeLaws.core.most(query, sized(seen, () => ({ seenAt: seen.now })))
    ),
    "an expired size comes back after a day": bounding((query, seen) =>
      seen.sizes.some(({ seenAt }) => seen.now - seenAt > 2 * 86_400) ? 1 : SizeLaws.core.most(query, seen)
    ),
    "a size raises a bound": bounding((query, seen) => SizeLaws.core.most(query, seen) + seen.sizes.length),
    "filters are not compared": bounding((query, seen) =>
      SizeLaws.core.most(query, sized(seen, () => ({ filters: { expiration: "all" } })))
    )
  },
  "SymbolLaws.of": {
    "strikes are not padded": SymbolLaws.of({
      ...OptionSymbol,
      format: (symbol) => OptionSymbol.format(symbol).replace(/([CP])0+/, "$1")
    }),
    "31 June is 1 July": reading((text) => text.replace(/0631(?=[CP]\d{8}$)/, "0701")),
    "29 February is 1 March": reading((text) => text.replace(/0229(?=[CP]\d{8}$)/, "0301")),
    "a line's end is none": reading((text) => text.replace(/\n$/, "")),
    "digits of any writing": reading((text) => text.normalize("NFKC")),
    "anything is a symbol": SymbolLaws.of({
      ...OptionSymbol,
      parse: (text) =>
        Result.succeed(Result.getOrElse(OptionSymbol.parse(text), () => OptionSymbol.parseUnsafe("A000101C00000000")))
    })
  },
  "SymbolLaws.reasons": {
    "the root": SymbolLaws.reasons(() => "RootInvalid"),
    "the side": SymbolLaws.reasons(() => "SideMissing")
  },
  "SymbolLaws.strikes": {
    "binary fractions": SymbolLaws.strikes({
      ...Strike,
      toDigits: (strike) => String(Math.floor(strike * 1000)).padStart(8, "0")
    }),
    "any number": SymbolLaws.strikes({ ...Strike, parse: (input) => Result.succeed(Number(input)) })
  },
  "SymbolLaws.padded": {
    "not padded": SymbolLaws.padded({ parse: OptionSymbol.parseOsi, format: OptionSymbol.format }),
    "always a call": SymbolLaws.padded({
      parse: (text) => OptionSymbol.parseOsi(text.replace(/P(?=\d{8}$)/, "C")),
      format: OptionSymbol.formatOsi
    })
  },
  "TimeLaws.of": {
    "winter all year": TimeLaws.of({
      fromEpochSeconds: (at) => ({
        date: CalendarDate.fromEpochDay(Math.floor((at - 18_000) / 86_400)),
        secondOfDay: ((at - 18_000) % 86_400 + 86_400) % 86_400
      }),
      instantsOf: () => []
    }),
    "the earlier of two": TimeLaws.of({
      fromEpochSeconds: NewYork.fromEpochSeconds,
      instantsOf: ({ date, secondOfDay }) => [NewYork.toEpochSeconds(date, secondOfDay)]
    })
  },
  "TimeLaws.calendar": {
    "a leap day too many": TimeLaws.calendar({
      ...CalendarDate,
      toEpochDay: (day) => CalendarDate.toEpochDay(day) + (day.year > 2096 ? 1 : 0)
    })
  },
  "TimeLaws.ages": {
    "minutes for hours": aging({ parse: (text) => MaxAge.parse(text.replace(/^(\d+)min$/, "$1h")) }),
    "the bound left out": aging({ accepts: (age, entered, now) => MaxAge.accepts(age, entered - 1, now) }),
    "a moment in UTC": aging({
      format: (age) =>
        "minutes" in age ? MaxAge.format(age) : new Date(age.epochSeconds * 1000).toISOString().slice(0, 19)
    }),
    "only the old": aging({ accepts: (age, entered, now) => !MaxAge.accepts(age, entered, now) })
  },
  "WorkloadLaws.of": {
    "asked once": accounting({
      total: (workload) => total(workload.map((task) => ({ ...task, schedule: { ...task.schedule, times: 1 } })))
    }),
    "a fee": accounting({ total: (workload) => Workload.add(total(workload), { ...Workload.zero, queries: 1 }) }),
    "a mode is forgotten": accounting({ byMode: (workload) => ({ ...byMode(workload), Cached: Workload.zero }) }),
    "the first window is forgotten": accounting({
      byWindow: (workload, window) => byWindow(workload, window).slice(1)
    }),
    "one window for all": accounting({ byWindow: (workload) => byWindow(workload, "none") }),
    "windows overlap": accounting({
      byWindow: (workload, window) => byWindow(workload, window).map((cost) => ({ ...cost, start: cost.start - 1 }))
    })
  },
  "WorkloadLaws.forecast": {
    "always lasts": WorkloadLaws.forecast({ ...Workload, fits: () => ({ _tag: "Holds", left: 0 }) }),
    "all for nothing": WorkloadLaws.forecast({ ...Workload, expected: () => ({ min: 0, max: 0 }) })
  }
}

/** How many values are drawn of each law before more are drawn of any: most mistakes are found at once. */
const depths = [10, 50, 500]

/** Whether one of some laws, each of which is asked of a mistake, finds it. The smallest value that shows it is not looked for. */
const isFound = (laws: ReadonlyArray<Law.Law>): boolean =>
  depths.some((numRuns) =>
    laws.some((law) =>
      fc.check(fc.property(law.arbitrary, (value) => law.holds(value)), { numRuns, seed: 7, endOnFailure: true }).failed
    )
  )

for (const [name, group] of Object.entries(mistakes)) {
  it(`${name} finds each of ${Object.keys(group).length}, and each of its laws finds one`, () => {
    for (const [mistake, laws] of Object.entries(group)) assert.isTrue(isFound(laws), `no law finds out: ${mistake}`)
    const all = Object.values(group).flat()
    for (const law of new Set(all.map((law) => law.name))) {
      assert.isTrue(isFound(all.filter(({ name }) => name === law)), `finds no mistake: ${law}`)
    }
  })
}

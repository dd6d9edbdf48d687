/** Each law that takes an implementation finds a mistake in one. */
import * as Account from "@effect-marketdata/core/Account"
import * as CalendarDate from "@effect-marketdata/core/CalendarDate"
import * as Eastern from "@effect-marketdata/core/Eastern"
import * as Egress from "@effect-marketdata/core/Egress"
import * as Freshness from "@effect-marketdata/core/Freshness"
import * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as OptionSymbol from "@effect-marketdata/core/OptionSymbol"
import * as Strike from "@effect-marketdata/core/Strike"
import * as Workload from "@effect-marketdata/core/Workload"
import * as AccountLaws from "@effect-marketdata/testing/laws/AccountLaws"
import * as ChainLaws from "@effect-marketdata/testing/laws/ChainLaws"
import * as CreditLaws from "@effect-marketdata/testing/laws/CreditLaws"
import * as EgressLaws from "@effect-marketdata/testing/laws/EgressLaws"
import * as FreshnessLaws from "@effect-marketdata/testing/laws/FreshnessLaws"
import * as ReplyLaws from "@effect-marketdata/testing/laws/ReplyLaws"
import * as RequestLaws from "@effect-marketdata/testing/laws/RequestLaws"
import * as SymbolLaws from "@effect-marketdata/testing/laws/SymbolLaws"
import * as TimeLaws from "@effect-marketdata/testing/laws/TimeLaws"
import * as WorkloadLaws from "@effect-marketdata/testing/laws/WorkloadLaws"
import { describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { assertAllBroken } from "../support/planted.ts"

describe("SymbolLaws", () => {
  it("of finds every mistake of a codec", () => {
    const symbol = OptionSymbol.parseUnsafe("A000101C00000000")
    assertAllBroken({
      "strikes are not padded": SymbolLaws.of({
        ...OptionSymbol,
        format: (symbol) => OptionSymbol.format(symbol).replace(/([CP])0+/, "$1")
      }),
      "anything is a symbol": SymbolLaws.of({
        ...OptionSymbol,
        parse: (text) => Result.succeed(Result.getOrElse(OptionSymbol.parse(text), () => symbol))
      })
    })
  })

  it("reasons find a reason that is always the same", () => {
    assertAllBroken({
      "the root": SymbolLaws.reasons(() => "RootInvalid"),
      "the side": SymbolLaws.reasons(() => "SideMissing")
    })
  })

  it("strikes find a strike that is cut off, and one that is none", () => {
    assertAllBroken({
      "binary fractions": SymbolLaws.strikes({
        ...Strike,
        toDigits: (strike) => String(Math.floor(strike * 1000)).padStart(8, "0")
      }),
      "any number": SymbolLaws.strikes({ ...Strike, parse: (input) => Result.succeed(Number(input)) })
    })
  })
})

describe("TimeLaws", () => {
  it("of finds a clock without daylight saving, and one that shows an hour once", () => {
    assertAllBroken({
      "winter all year": TimeLaws.of({
        fromEpochSeconds: (at) => ({
          date: CalendarDate.fromEpochDay(Math.floor((at - 18_000) / 86_400)),
          secondOfDay: ((at - 18_000) % 86_400 + 86_400) % 86_400
        }),
        instantsOf: () => []
      }),
      "the earlier of two": TimeLaws.of({
        fromEpochSeconds: Eastern.fromEpochSeconds,
        instantsOf: ({ date, secondOfDay }) => [Eastern.toEpochSeconds(date, secondOfDay)]
      })
    })
  })

  it("calendar finds a leap day too many", () => {
    assertAllBroken({
      "a leap day": TimeLaws.calendar({
        ...CalendarDate,
        toEpochDay: (day) => CalendarDate.toEpochDay(day) + (day.year > 2096 ? 1 : 0)
      })
    })
  })

  it("ages find a form that is read wrongly, and a bound that is not one", () => {
    assertAllBroken({
      "minutes for hours": TimeLaws.ages({
        ...MaxAge,
        parse: (text) => MaxAge.parse(text.replace(/^(\d+)min$/, "$1h"))
      }),
      "the bound left out": TimeLaws.ages({
        ...MaxAge,
        accepts: (maxAge, entryTime, now) => MaxAge.accepts(maxAge, entryTime - 1, now)
      }),
      "only the old": TimeLaws.ages({
        ...MaxAge,
        accepts: (maxAge, entryTime, now) => !MaxAge.accepts(maxAge, entryTime, now)
      })
    })
  })
})

describe("FreshnessLaws", () => {
  it("of finds every mistake of a classification", () => {
    assertAllBroken({
      "always fresh": FreshnessLaws.of(() => "realTime"),
      "fresh again at night": FreshnessLaws.of((question) =>
        Eastern.secondOfDay(question.now) < 9 * 3600 ? "realTime" : Freshness.classify(question)
      )
    })
  })
})

describe("ChainLaws", () => {
  it("of finds every mistake of a decoder", () => {
    assertAllBroken({
      "null is 0": ChainLaws.of({
        decode: (body) =>
          Result.map(ChainLaws.core.decode(body), (rows) => rows.map((row) => ({ ...row, last: row.last ?? 0 })))
      }),
      "what cannot be read is empty": ChainLaws.of({
        decode: (body) => Result.succeed(Result.getOrElse(ChainLaws.core.decode(body), () => []))
      })
    })
  })

  it("findings find what is overlooked, and what is made up", () => {
    assertAllBroken({
      "sees nothing": ChainLaws.findings(() => []),
      "sees too much": ChainLaws.findings(() => [{ code: "MidMismatch", column: "mid", count: 2 }])
    })
  })

  it("streaming finds a piece that is lost", () => {
    const told = (body: Uint8Array) => {
      const decoded = OptionChain.decode(body)
      return Result.isSuccess(decoded) ? OptionChain.toRows(decoded.success) : decoded.failure.code
    }
    assertAllBroken({
      "only the first piece": ChainLaws.streaming({ whole: told, pieces: ([first]) => told(first ?? new Uint8Array()) })
    })
  })
})

describe("ReplyLaws", () => {
  it("of finds every mistake of an interpretation", () => {
    assertAllBroken({
      "only 200 is a success": ReplyLaws.of((query, reply) =>
        reply.status === 203 ? { _tag: "UnexpectedStatus" } : ReplyLaws.core(query, reply)
      ),
      "all 400 are alike": ReplyLaws.of((query, reply) =>
        reply.status === 400 ? { _tag: "BadRequest" } : ReplyLaws.core(query, reply)
      ),
      "a miss everywhere": ReplyLaws.of((query, reply) =>
        reply.status === 204 ? { _tag: "NoCachedData" } : ReplyLaws.core(query, reply)
      )
    })
  })
})

describe("AccountLaws", () => {
  const changed = (
    change: (
      served: ReturnType<AccountLaws.Serve>,
      ...asked: Parameters<AccountLaws.Serve>
    ) => ReturnType<AccountLaws.Serve>
  ) => AccountLaws.of((account, asked) => change(Account.serve(account, asked), account, asked))
  const refusal = Account.serve(Account.make({ plan: "free", user: Account.unknown }), {
    mode: { _tag: "Cached", maxAge: undefined },
    historical: false
  })

  it("of finds every mistake of a service", () => {
    assertAllBroken({
      "live is refused": changed((served, { plan }, { mode }) =>
        plan === "free" && mode?._tag === "Live" ? refusal : served
      ),
      "everything is served, as fresh as can be": changed((_, { plan }, { mode }) => ({
        ...Account.serve(Account.make({ plan: "paid", user: Account.nonProfessional("realTime") }), {
          mode: plan === "trial" && mode === undefined ? { _tag: "Delayed" } : { _tag: "Live" },
          historical: false
        })
      })),
      "the default of trials is live": changed((served, account, { historical, mode }) =>
        account.plan === "trial" && mode === undefined
          ? Account.serve(Account.make({ ...account, plan: "paid" }), { historical, mode })
          : served
      )
    })
  })
})

describe("RequestLaws", () => {
  const changed = (change: (sent: RequestLaws.Sent) => RequestLaws.Sent) =>
    RequestLaws.of((query) => RequestLaws.core(query).map(change))

  it("of finds every mistake of a transport", () => {
    assertAllBroken({
      "all at once": RequestLaws.of((query) => {
        const lines = RequestLaws.core(query)
        return [{ line: lines.map(({ line }) => line).join(""), tickers: query.tickers }]
      }),
      "a blank in the path": changed((sent) => ({ ...sent, line: sent.line.replace("/v1/", "/v1 /") })),
      "a parameter comes twice": changed((sent) => ({
        ...sent,
        line: sent.line.replace(/ HTTP/, sent.line.includes("?") ? "&mode=live&mode=live HTTP" : "?a=1&a=1 HTTP")
      })),
      "dots that are resolved": changed((sent) => ({ ...sent, line: sent.line.replace("/v1/", "/v1/../v1/") })),
      "the last is forgotten": changed((sent) => ({ ...sent, tickers: sent.tickers.slice(0, -1) }))
    })
  })
})

describe("CreditLaws", () => {
  const { bounds, charged } = CreditLaws.core

  it("of finds every mistake of prices", () => {
    assertAllBroken({
      "an estimate that hopes": CreditLaws.of({
        charged,
        bounds: (query, known) => ({ ...bounds(query, known), max: 1 })
      }),
      "a 204 is billed": CreditLaws.of({
        bounds,
        charged: (query, outcome) => charged(query, { ...outcome, status: 200 })
      }),
      "a 203 is cached": CreditLaws.of({
        bounds,
        charged: (query, outcome) => outcome.status === 203 ? 1 : charged(query, outcome)
      }),
      "cached data by the symbol": CreditLaws.of({
        bounds,
        charged: (query, outcome) =>
          charged({ ...query, mode: undefined }, { ...outcome, symbols: 3 * (outcome.symbols ?? 0) })
      }),
      "less is more": CreditLaws.of({
        bounds,
        charged: (query, outcome) => outcome.status === 204 ? 0 : 40_000 - (charged(query, outcome) ?? 0)
      })
    })
  })
})

describe("WorkloadLaws", () => {
  it("of finds every mistake of an account", () => {
    const { byMode, byWindow, total } = Workload
    assertAllBroken({
      "asked once": WorkloadLaws.of({
        byMode,
        byWindow,
        total: (workload) => total(workload.map((task) => ({ ...task, schedule: { ...task.schedule, times: 1 } })))
      }),
      "a fee": WorkloadLaws.of({
        byMode,
        byWindow,
        total: (workload) => Workload.add(total(workload), { ...Workload.zero, questions: 1 })
      }),
      "a mode is forgotten": WorkloadLaws.of({
        byWindow,
        total,
        byMode: (workload) => ({ ...byMode(workload), Cached: Workload.zero })
      }),
      "the first window is forgotten": WorkloadLaws.of({
        byMode,
        total,
        byWindow: (workload, window) => byWindow(workload, window).slice(1)
      }),
      "windows overlap": WorkloadLaws.of({
        byMode,
        total,
        byWindow: (workload, window) => byWindow(workload, window).map((cost) => ({ ...cost, start: cost.start - 1 }))
      })
    })
  })
})

describe("EgressLaws", () => {
  it("of finds every mistake of a gate", () => {
    assertAllBroken({
      "always open": EgressLaws.of({ ...Egress, admit: (traffic) => ({ _tag: "Send", traffic }) }),
      "open a second too early": EgressLaws.of({
        ...Egress,
        admit: (traffic, address, now) => Egress.admit(traffic, address, now + 1)
      }),
      "closed": EgressLaws.of({ ...Egress, admit: (_, __, now) => ({ _tag: "WaitUntilPast", time: now }) })
    })
  })
})

import * as Schemas from "@effect-marketdata/core/Schemas"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { nameOf } from "../src/asking/askable.ts"
import { askables } from "../src/commands/askables.ts"
import { Document as Printed } from "../src/output/schema.ts"
import * as Document from "../src/plans/document.ts"
import { marketdata } from "./support/printed.ts"

/** Each command with what it prints for people, and the columns that programs get. */
const commands: ReadonlyArray<
  { readonly line: string; readonly shows: ReadonlyArray<RegExp>; readonly columns: string }
> = [
  {
    line: "lookup AAPL 12/18/2026 250 call",
    shows: [/AAPL261218C00250000/],
    columns: "optionSymbol,root,expiration,side,strike"
  },
  {
    line: "expirations AAPL",
    shows: [/^expiration +from today$/m, /^2026-11-27 Fri +in 7 days$/m, /^2026-12-18 Fri +in 28 days$/m],
    columns: "expiration"
  },
  {
    line: "strikes AAPL --expiration 2026-12-18",
    shows: [/^2026-12-18 Fri, in 28 days: \d+ strikes$/m, /^ +\d+(\.\d+)?( +\d+(\.\d+)?)+$/m],
    columns: "expiration,strike"
  },
  {
    line: "stock quote AAPL MSFT SPY",
    shows: [/^symbol +bid +ask +last +change +age/m, /^MSFT +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d +[+-]?\d+\.\d\d% +\d+ s/m],
    columns: "symbol,ask,askSize,bid,bidSize,mid,last,change,changepct,volume,updated"
  },
  {
    line: "stock quote AAPL --52week --candle",
    shows: [/year low +\d+\.\d\d/, /year high +\d+\.\d\d/, /open +\d+\.\d\d/, /volume +\d+,\d{3}/],
    columns: "symbol,ask,askSize,bid,bidSize,mid,last,change,changepct,volume,updated,52weekHigh,52weekLow,o,h,l,c"
  },
  {
    line: "stock prices AAPL MSFT",
    shows: [/^symbol +mid +change/m, /2026-11-20 11:59:\d\d EST|2026-11-20 12:00:00 EST/],
    columns: "symbol,mid,change,changepct,updated"
  },
  {
    line: "stock candles AAPL --from 2026-11-02 --to 2026-11-06",
    shows: [/^New York +close +open +high +low +volume$/m, /^2026-11-02 Mon( +\d+\.\d\d){4} +\d{1,3}(,\d{3})+$/m],
    columns: "t,o,h,l,c,v"
  },
  {
    line: "stock candles AAPL --resolution 5 --countback 3",
    shows: [/^2026-11-20 11:\d\d( +\d+\.\d\d){4}/m],
    columns: "t,o,h,l,c,v"
  },
  {
    line: "stock bulk-candles AAPL MSFT --date 2026-11-19",
    shows: [/^MSFT +2026-11-19 Thu( +\d+\.\d\d){4}/m],
    columns: "symbol,o,h,l,c,v,t"
  },
  {
    line: "stock news AAPL --from 2026-11-01 --to 2026-11-20",
    shows: [/^ *age +headline/m, /^ *\d+ days +Apple/m],
    columns: "symbol,headline,content,source,publicationDate"
  },
  {
    line: "stock earnings AAPL --countback 4",
    shows: [/^report +reported +expected +surprise/m, /^2026-10-28 Wed +1\.81/m],
    columns:
      "symbol,fiscalYear,fiscalQuarter,date,reportDate,reportTime,currency,reportedEPS,estimatedEPS,surpriseEPS,surpriseEPSpct,updated"
  },
  {
    line: "fund candles VFINX --countback 3",
    shows: [/^New York +close +open +high +low$/m, /^2026-11-\d\d \w{3}( +\d+\.\d\d){4}$/m],
    columns: "t,o,h,l,c"
  },
  {
    line: "market status --from 2026-11-25 --to 2026-11-27",
    shows: [/^2026-11-26 Thu +closed *$/m, /^2026-11-27 Fri +open *$/m],
    columns: "date,status"
  }
]

const decodePrinted = Schema.decodeUnknownSync(Printed)
const decodeEstimated = Schema.decodeUnknownSync(Document.Estimated)

describe.each(commands)("marketdata $line", ({ columns, line, shows }) => {
  it.effect("shows people a table whose times are New York's", () =>
    Effect.gen(function*() {
      const { code, errors, out } = yield* marketdata(line, { columns: Effect.succeed(200) })
      assert.strictEqual(code, 0, errors)
      for (const what of shows) assert.match(out, what)
      assert.notMatch(out, /\b1[67]\d{8}\b/, "epoch seconds")
    }))

  it.effect("gives programs all columns as CSV, a line of JSON for each row, and one document, at the price of its estimate", () =>
    Effect.gen(function*() {
      const csv = (yield* marketdata(`${line} --format csv`)).out.split("\n")
      const jsonl = (yield* marketdata(`${line} --format jsonl`)).out.split("\n").map((row) => JSON.parse(row))
      const { errors, out } = yield* marketdata(`${line} --format json`)
      assert.deepStrictEqual(csv[0]!.split(",").toSorted(), columns.split(",").toSorted())
      assert.strictEqual(jsonl.length, csv.length - 1)
      for (const row of jsonl) assert.sameMembers(Object.keys(row), columns.split(","))
      assert.strictEqual(errors, "")
      const document = JSON.parse(out)
      assert.deepEqual(JSON.parse(JSON.stringify(decodePrinted(document))), document)
      const estimated = yield* marketdata(`estimate ${line} --json`, {
        // Nobody listens there.
        variables: { MARKETDATA_BASE_URL: "http://127.0.0.1:1", MARKETDATA_TOKEN: "never-sent" }
      })
      const { cost, modes: [asked] } = decodeEstimated(JSON.parse(estimated.out))
      const { charged, estimate } = document.answer.credits
      assert.isAtLeast(charged, cost.min)
      assert.isAtMost(charged, cost.max)
      assert.deepStrictEqual(Schema.decodeUnknownSync(Schemas.Estimate)(estimate), asked!.each[0])
    }))
})

describe("the list of commands", () => {
  it("has a case here for each command that asks, but for chain and quote, which have tests of their own", () => {
    const tried = commands.map(({ line }) => line)
    for (const askable of askables) {
      const name = nameOf(askable)
      if (name === "chain" || name === "quote") continue
      assert.isTrue(tried.some((line) => line.startsWith(name)), name)
    }
  })
})

describe("symbols", () => {
  it.effect("in small letters are asked for in capitals, as the service knows them", () =>
    Effect.gen(function*() {
      const { code, out } = yield* marketdata("stock quote aapl Msft --format csv")
      assert.strictEqual(code, 0)
      assert.deepEqual(out.split("\n").map((line) => line.split(",")[0]), ["symbol", "AAPL", "MSFT"])
      assert.match((yield* marketdata("chain aapl --mode cached")).out, /^AAPL: /)
    }))

  it.effect.each(["stock quote AAPL APPL", "stock prices AAPL APPL", "stock quote AAPL APPL --json"])(
    "of a list that have no row end it with exit code 4, after the rows that came: %s",
    (line) =>
      Effect.gen(function*() {
        const { code, errors, out } = yield* marketdata(line)
        assert.strictEqual(code, 4)
        assert.include(out, "AAPL")
        assert.match(errors, /expected a row for APPL, received none/)
        assert.include(errors, "check how it is written")
      })
  )
})

describe("an empty answer", () => {
  it.effect("names the filters that may have left nothing, and the commands that list what there is", () =>
    Effect.gen(function*() {
      const { code, errors } = yield* marketdata("chain AAPL --expiration 2026-12-19 --strike-limit 3 --mode cached")
      assert.strictEqual(code, 4)
      assert.include(errors, "2026-12-19 is no trading day: the one before it is 2026-12-18; these left nothing")
      assert.include(
        errors,
        "--expiration 2026-12-19 --strike-limit 3; see what there is with `marketdata expirations AAPL`"
      )
      for (const line of ["stock quote ZZZZ", "chain ZZZZ --strike 100 --mode cached"]) {
        const unknown = yield* marketdata(line)
        assert.strictEqual(unknown.code, 4)
        assert.notMatch(unknown.errors, /left nothing|expirations ZZZZ/)
      }
    }))
})

describe("what cannot be asked", () => {
  const token = "a-secret-token"
  const nowhere = { MARKETDATA_BASE_URL: "http://127.0.0.1:9", MARKETDATA_TOKEN: token }

  const refused: ReadonlyArray<readonly [line: string, message: RegExp, variables?: Record<string, string>]> = [
    [
      "chain AAPL --strike 150..160",
      /--strike "150\.\.160" must be a number, a list, a range or a bound .*e\.g\. 150-160/
    ],
    ["chain AAPL --weekly --no-monthly", /--monthly false must be true like --weekly/],
    ["chain AAPL --am", /--am true is for options on known indexes only/],
    ["chain AAPL --columns strik", /--columns "strik" is not a column of chain\. Expected e\.g\. strike/],
    ["chain AAPL --sort vlume", /--sort "vlume" must be a column .*\n {7}sort by one of optionSymbol/],
    ["chain AAPL --watch 10ms", /must be a duration of a second or more/],
    ["chain SPX --max-age 5min", /for cached data only.*--mode cached --max-age 5min/],
    ["chain SPX --fallback-up-to 5", /for cached data only.*--mode cached --fallback-up-to 5/],
    ["chain SPX --mode cached --max-age 0min", /must be at least a minute/],
    ["chain F --mode cached", /_CACHE "x" must be on, off, a whole path/, { MARKETDATA_CACHE: "x" }],
    ["chain F --mode cached", /_LEDGER "x" must be on, off, a whole path/, { MARKETDATA_LEDGER: "x" }],
    ["chain F --mode cached", /must be https where MARKETDATA_TOKEN is sent/, {
      ...nowhere,
      MARKETDATA_BASE_URL: "http://service.test"
    }],
    ["chain F --mode cached", /braces/, { ...nowhere, MARKETDATA_TOKEN: `{${token}}` }],
    ["chain F --mode cached", /must not end in \/v1.*"MARKETDATA_BASE_URL"/, {
      MARKETDATA_BASE_URL: "https://a.test/v1"
    }],
    ["estimate chain SPX --budget -1", /must be 0 or a positive integer/],
    ["estimate chain SPX --fresh-within soon", /"soon" must be a duration, e\.g\. 5min/],
    ["estimate chain SPX --hit-rate 1.5", /1\.5 must be from 0 to 1, e\.g\. 0\.9/],
    ["estimate chain SPX --when 25", /must be times/],
    ["estimate stock quote AAPL", /_MAX_SYMBOLS "0" must be a positive integer \(tickers\)/, {
      MARKETDATA_MAX_SYMBOLS: "0"
    }],
    ["plan /nowhere/desk.yaml", /\/nowhere\/desk\.yaml: there is no such file/],
    ["plan /", /: this is not a file/],
    ["account --since today", /is for the history only\. Expected e\.g\. --history --/],
    ["account --until today", /is for the history only/],
    ["account --by day", /is for the history only/],
    ["account --history --since soon", /--since "soon" must be a day as YYYY-MM-DD/],
    ["account --history --until soon", /--until "soon" must be a day as YYYY-MM-DD/],
    ["contract --budget 1 --tickers SPY", /tickers /],
    ["contract --budget 1 --tickers SPY,SPY", /tickers /],
    ["contract --budget 1 --tickers spy,F", /tickers /],
    ["contract --budget 1 --tickers A,B,C", /tickers /],
    ["contract --budget 1 --clause 0-none", /clause "0-none" is not one of Contract\.clauses/, nowhere],
    ["contract --budget 1 --base-url http://proxy.test", /must be https/, nowhere],
    ["contract --budget 1 --base-url https://proxy.test", /MARKETDATA_TOKEN must be the token of a paid account/],
    ["sandbox --allowed-host http://box.test", /must be a name or address without scheme and port/],
    ["sandbox --host 0.0.0.0", /anyHost/],
    ["sandbox --at noon", /e\.g\. 2026-11-20T12:00\./],
    ["sandbox --at 2026-02-30", /must be a day or time in New York/],
    ["sandbox --port 70000", /from 0 to 65535/],
    ["sandbox --speed 0", /must be a positive number/],
    ["sandbox --fault-rate 2", /from 0 to 1/],
    ["sandbox --clock broken", /frozen/],
    ["stock quote AAPL MSFT --52week", /--52week true is for one stock only/],
    ["stock quote AAPL --columns bix", /"bix" is not a column of stock quote\. Expected e\.g\. bid\./],
    ["stock candles AAPL --resolution X", /resolution "X" must be minutes, or a number with H, D, W, M or Y/],
    ["stock candles AAPL --from 2026-11-20 --to 2026-11-01", /--from "2026-11-20" must not be after --to/],
    ["stock candles AAPL --from 2026-11-01 --countback 5", /cannot be combined/],
    ["stock bulk-candles", /symbols \[\] must be a list of at least one ticker/],
    ["stock bulk-candles AAPL --all", /--all true cannot be combined with symbols/],
    ["stock news", /Missing required argument: symbol/],
    ["market status --date 2026-02-30", /"2026-02-30" must be a calendar day/],
    ["expirations AA/PL", /must be a ticker/],
    ["lookup what;ever", /must have letters, digits, blanks/],
    ["fund candles VFINX --resolution 5", /must be D, W, M or Y/],
    ["stock quote AAPL --mode eod", /eod/],
    ["stock candles AAPL --countback 0", /must be a positive integer/]
  ]

  it.effect.each(refused)(
    "%s: two lines at most, on standard error, with exit code 2",
    ([line, message, variables = {}]) =>
      Effect.gen(function*() {
        const { code, errors, out } = yield* marketdata(line, { variables })
        assert.strictEqual(code, 2, errors)
        assert.strictEqual(out, "")
        assert.match(errors, message)
        assert.isAtMost(errors.slice(errors.indexOf("error: ")).split("\n").length, 2)
        assert.notInclude(errors, token)
      })
  )

  it.effect.each(
    [
      ["stock bulk-candles --all", "--symbols 5"],
      ["stock candles AAPL --to 2026-11-06", "--from 2026-11-02"],
      ["fund candles VFINX --to 2026-11-06", "--from 2026-11-02"]
    ] as const
  )(
    "%s is not sent without consent, because it has no upper bound; %s bounds it",
    ([line, flags]) =>
      Effect.gen(function*() {
        const { code, errors, out } = yield* marketdata(line)
        assert.strictEqual(code, 3)
        assert.strictEqual(out, "")
        assert.include(errors, "it has no upper bound")
        assert.include(errors, flags.split(" ")[0]!)
        assert.notInclude((yield* marketdata(`estimate ${line} ${flags}`)).out, "no upper bound")
      })
  )
})

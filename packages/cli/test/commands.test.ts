import * as Schemas from "@effect-marketdata/core/Schemas"
import { Schema } from "effect"
import { assert, describe, it } from "../../core/test/support/it.ts"
import { queryCommands } from "../src/commands/list.ts"
import * as Document from "./support/documents.ts"
import { marketdata } from "./support/printed.ts"

/** Each command and the columns that programs get; what people see is in `told`. */
const commands: ReadonlyArray<readonly [line: string, columns: string]> = [
  ["lookup AAPL 12/18/2026 250 call", "optionSymbol,root,expiration,side,strike"],
  ["expirations AAPL", "expiration"],
  ["strikes AAPL --expiration 2026-12-18", "expiration,strike"],
  ["stock quote AAPL MSFT SPY", "symbol,ask,askSize,bid,bidSize,mid,last,change,changepct,volume,updated"],
  [
    "stock quote AAPL --52week --candle",
    "symbol,ask,askSize,bid,bidSize,mid,last,change,changepct,volume,updated,52weekHigh,52weekLow,o,h,l,c"
  ],
  ["stock prices AAPL MSFT", "symbol,mid,change,changepct,updated"],
  ["stock candles AAPL --from 2026-11-02 --to 2026-11-06", "t,o,h,l,c,v"],
  ["stock candles AAPL --resolution 5 --countback 3", "t,o,h,l,c,v"],
  ["stock bulk-candles AAPL MSFT --date 2026-11-19", "symbol,o,h,l,c,v,t"],
  ["stock news AAPL --from 2026-11-01 --to 2026-11-20", "symbol,headline,content,source,publicationDate"],
  [
    "stock earnings AAPL --countback 4",
    "symbol,fiscalYear,fiscalQuarter,date,reportDate,reportTime,currency,reportedEPS,estimatedEPS,surpriseEPS,surpriseEPSpct,updated"
  ],
  ["fund candles VFINX --countback 3", "t,o,h,l,c"],
  ["market status --from 2026-11-25 --to 2026-11-27", "date,status"]
]

/** Epoch seconds of these years. */
const seconds = /\b1[67]\d{8}\b/

type Row = Readonly<Record<string, unknown>>

const hasSeconds = (row: Row): boolean => Object.values(row).some((cell) => seconds.test(String(cell)))

/** A row whose times with the offset of New York are seconds again. */
const inSeconds = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      typeof cell === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00$/.test(cell)
        ? Date.parse(cell) / 1000
        : cell
    ])
  )

const decodePrinted = Schema.decodeUnknownSync(Document.Document)
const decodeEstimated = Schema.decodeUnknownSync(Document.Estimated)

describe.each(commands)("marketdata %s", (line, columns) => {
  it.effect("gives programs all columns as CSV, a line of JSON for each row, and one document, at the price of its estimate", function*() {
    const csv = (yield* marketdata(`${line} --format csv`)).out.split("\n")
    const jsonl = (yield* marketdata(`${line} --format jsonl`)).out.split("\n").map((row) => JSON.parse(row))
    const epoch = (yield* marketdata(`${line} --format jsonl --times epoch`)).out.split("\n").map((row) =>
      JSON.parse(row)
    )
    assert.deepStrictEqual(jsonl.map(inSeconds), epoch)
    if (epoch.some(hasSeconds)) assert.notDeepEqual(jsonl, epoch)
    assert.notMatch(csv.join("\n"), seconds)
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
  })
})

it("the list of commands has a case here for each command that asks, but for chain and quote, which have tests of their own", () => {
  const tried = commands.map(([line]) => line)
  for (const { name } of queryCommands) {
    if (name === "chain" || name === "quote") continue
    assert.isTrue(tried.some((line) => line.startsWith(name)), name)
  }
})

it.effect("several symbols have rows that say whose they are, whichever columns are asked for, and one has what was asked for", function*() {
  const cases = [
    ["quote", "AAPL261218C00350000", "AAPL261218P00350000", "bid", "optionSymbol"],
    ["stock quote", "AAPL", "MSFT", "bid", "symbol"],
    ["stock prices", "AAPL", "MSFT", "mid", "symbol"],
    ["stock candles", "AAPL", "MSFT", "c", "symbol"],
    ["stock bulk-candles", "AAPL", "MSFT", "c", "symbol"],
    ["fund candles", "VFINX", "VTSMX", "c", "symbol"]
  ] as const
  for (const [command, one, other, column, name] of cases) {
    const headed = (symbols: string) => marketdata(`${command} ${symbols} --columns ${column} --format csv`)
    assert.match((yield* headed(one)).out, new RegExp(`^${column}\\n[\\d.]+$`))
    const out = (yield* headed(`${one} ${other}`)).out
    assert.match(out, new RegExp(`^${name},${column}\\n${one},[\\d.]+\\n${other},[\\d.]+$`))
  }
})

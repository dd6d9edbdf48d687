/** What people use the command line for most, and what they type. */

/** A task: the name of its files, what is wanted, what is worth knowing, and the lines that are typed, one after the other. */
export interface Task {
  readonly name: string
  readonly title: string
  readonly note: string
  readonly lines: ReadonlyArray<string>
}

export const tasks: ReadonlyArray<Task> = [{
  name: "chain",
  title: "See a chain",
  note:
    "Calls and puts beside each other, around the money. A whole chain from the cache costs one credit; without a token the data are synthetic.",
  lines: ["marketdata chain SPX --expiration all --mode cached"]
}, {
  name: "consent",
  title: "Send nothing that may cost too much",
  note:
    "Live data cost a credit a contract. What has no upper bound, or may cost more than 100 credits, is asked about on a terminal and refused in a script.",
  lines: [
    "marketdata chain SPX --mode live",
    "marketdata chain SPX --mode live --strike-limit 20 --expiration 2026-12-18"
  ]
}, {
  name: "estimate",
  title: "Know the price before",
  note:
    "`estimate` stands before any command that asks, and sends nothing: each mode with its price, and the clause of the contract behind it.",
  lines: ["marketdata estimate chain SPX --expiration all"]
}, {
  name: "plan",
  title: "Price a day of queries",
  note: "SPX whole, every minute of a session, in each mode; requests, the peak, and how long an allowance lasts.",
  lines: ["marketdata plan docs/guide/cli/desk.yaml"]
}, {
  name: "csv",
  title: "Take data into a spreadsheet or a pipe",
  note: "Data go to standard output, everything else to standard error. `--format` is csv, json or jsonl.",
  lines: [
    "marketdata chain AAPL --mode cached --expiration 2026-12-18 --columns optionSymbol,strike,bid,ask --strike-limit 3 --format csv"
  ]
}, {
  name: "quote",
  title: "Ask for one option",
  note: "Several symbols may follow; each is a query of its own.",
  lines: ["marketdata quote AAPL261218C00350000 --mode cached"]
}, {
  name: "find",
  title: "Find a contract",
  note: "By its expirations and strikes, or by a description of it.",
  lines: [
    "marketdata expirations AAPL",
    "marketdata lookup AAPL 12/18/2026 350 call"
  ]
}, {
  name: "symbol",
  title: "Find out what is wrong with a symbol",
  note: "Each part with its place, why it is no symbol, and what was probably meant.",
  lines: ["marketdata symbol explain SPXW261120P06500500", "marketdata symbol explain \"AAPL 11/20/26 150 call\""]
}, {
  name: "stocks",
  title: "See stocks",
  note: "Quotes of many at once, candles of any resolution.",
  lines: ["marketdata stock quote AAPL MSFT SPY", "marketdata stock candles AAPL --from 2026-11-16 --to 2026-11-20"]
}, {
  name: "empty",
  title: "Find out why nothing came back",
  note:
    "The service knows no such symbol, or the filters leave nothing: the line says which, and the exit code is 4. `doctor` looks at everything in between.",
  lines: ["marketdata chain AAPL --strike 9999 --mode cached", "marketdata doctor"]
}, {
  name: "settings",
  title: "Set what you always type",
  note:
    "A variable comes before the file of settings. The token has its own command, `marketdata auth login`, and is never typed on the line.",
  lines: ["marketdata config set mode cached", "marketdata config get mode", "marketdata config path"]
}, {
  name: "contract",
  title: "Judge a service by the contract",
  note: "Says the price first; with `--budget` it asks, and says of each clause whether it holds.",
  lines: ["marketdata contract", "marketdata contract --budget 3 --clause 2.1-mid --clause 7.1-404"]
}]

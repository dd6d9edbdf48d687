/** `marketdata plan FILE`: what a file of tasks costs, when it costs it, and how it would cost less. */
import { Effect } from "effect"
import * as Argument from "effect/cli/Argument"
import { command } from "../asking/command.ts"
import { print } from "../output/document.ts"
import { Output } from "../output/output.ts"
import { planned, rowsOf } from "../plans/estimate.ts"
import * as Priced from "../plans/priced.ts"
import * as Shown from "../plans/shown.ts"
import { asking } from "./asking.ts"

const help =
  `Price a plan: queries on a schedule, from a file in YAML or JSON. Nothing is sent. Each task has a query by the name of its command, the command's flags as keys, and when it is asked:

  allowance: 100000 credits per day
  tasks:
    - chain: SPX
      expiration: all
      contracts: 22718
      when: every 1min on trading days of 2026-11-23..2026-11-27
      fresh-within: 5min
    - stock quote: [AAPL, MSFT, SPY]
      mode: cached
      when: every 30s from 9:30 to 10:00

A schedule is "once", "3 times" or "every 5min", then "at 16:00" or "from 9:30 to 16:00", then "on" a day, a range of days, a month, "trading days of" these, or "the next 5 trading days"; all of it in New York. A task may have a name, fresh-within and may-miss; the plan an allowance and a hit-rate`

/** Prints what a plan costs. */
export const plan = command({
  help,
  examples: [
    [
      "echo \"[{ chain: SPX, contracts: 22718, when: every 1min }]\" | marketdata plan -",
      "What a chain costs every minute of a session, in each mode"
    ],
    [
      "echo \"[{ chain: SPX, mode: cached, when: every 1min }]\" | marketdata plan - --json",
      "As a document for programs"
    ],
    [
      "echo \"[{ chain: AAPL, mode: cached, when: every 5min }, { stock quote: [AAPL, SPY], when: every 30s }]\" | marketdata plan -",
      "Two tasks; a plan of more is easier to write in a file, marketdata plan FILE"
    ]
  ],
  flags: {
    file: Argument.String("file").pipe(
      Argument.withDescription("A plan in YAML or JSON: a list of tasks; - reads standard input")
    )
  },
  run: Effect.fnUntraced(function*({ file }) {
    const { size } = yield* Output
    const { plan, priced } = yield* Priced.read(file, asking)
    yield* print({
      json: planned(plan, priced),
      rows: rowsOf(priced),
      lines: Shown.planned(plan, priced, (yield* size).columns)
    })
  })
})

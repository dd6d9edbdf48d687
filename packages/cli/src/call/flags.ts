/** The flags of commands that ask the service or price a query: budget, data mode, days, columns, display. */
import { DurationText, Problem } from "@effect-marketdata/core"
import { Duration, Option } from "effect"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Flags from "../text/flags.ts"

const duration = (name: string, metavar: string, description: string, problem: Problem.Problem, least = 0) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.filterMap(
      (text) =>
        Option.filter(
          DurationText.parse(text),
          (value) => least === 0 || Duration.toMillis(value) >= least && Duration.isFinite(value)
        ),
      (text) => Problem.format(Problem.shown(text), problem)
    ),
    Flags.optional
  )

/** What the embedded sandbox has where nothing else is typed. */
export const usual = { seed: 1, plan: "paid" } as const

/** The options of the embedded sandbox, which answers if no service is named. */
export const sandbox = {
  seed: Flag.Int("seed").pipe(
    Flags.defaultTo("The market of the embedded sandbox; another seed gives other prices", usual.seed)
  ),
  plan: Flag.Literals("plan", ["paid", "trial", "free"]).pipe(
    Flags.defaultTo("The plan of the embedded sandbox's account", usual.plan)
  )
}

/** The flags of every command that asks. */
export const common = {
  budget: Flags.credits("budget", "The most credits that this command may cost, retries included"),
  yes: Flags.yes("Send it, whatever it costs"),
  timeout: duration("timeout", "DURATION", "Stop after this time, such as 30s or 2min", DurationText.rule),
  cache: Flags.isOn(
    "cache",
    "Answer from replies kept on this machine, at no cost, while they are fresh enough; --no-cache asks the service",
    true
  ),
  output: Flags.output(
    "FILE",
    "Save the table in this file instead of printing it; its name says the format: .parquet, .arrow, .arrows, .csv or .jsonl"
  ),
  times: Flags.oneOf(
    "times",
    ["iso", "epoch"],
    "How csv and jsonl write times, printed or saved: as 2026-11-20T16:00:00-05:00, the default, or in seconds since 1970"
  ),
  verbose: Flags.isOn("verbose", "Show each request that was sent, and every finding"),
  ...sandbox
}

/** What these flags give. */
export type Common = Flags.Given<typeof common>

/** The flags of every command that only prices. */
export const pricing = {
  when: Flags.text(
    "when",
    "SCHEDULE",
    "Price it for a schedule: \"every 1min\" is a whole trading session; or \"every 5min from 10:00 to 12:00 on trading days of 2026-11-23..2026-11-27\""
  ),
  budget: Flags.credits("budget", "Say what these credits buy, and which narrower query they cover"),
  freshWithin: duration(
    "fresh-within",
    "DURATION",
    "Name the cheapest mode whose data are no older than this, such as 5min",
    { ...DurationText.rule, example: "5min" }
  ),
  mayMiss: Flags.isOn("may-miss", "Count modes that may bring no data as fresh enough, too"),
  hitRate: Flags.finite(
    "hit-rate",
    "SHARE",
    "The share of cached requests that hit, from 0 to 1: the cheapest mode is then chosen by what is expected",
    Flags.keeping((share) => share >= 0 && share <= 1, { rule: "must be from 0 to 1", example: "0.9" })
  )
}

/** What these flags give. */
export type Pricing = Flags.Given<typeof pricing>

/** The mode of an endpoint that has no cached data. */
export const uncached = {
  mode: Flags.oneOf("mode", ["live", "delayed"], "Which data to ask for; by default the account's plan decides")
}

/** The mode of an endpoint that has cached data. */
export const mode = {
  mode: Flags.oneOf(
    "mode",
    ["live", "cached", "delayed"],
    "Which data to ask for; by default the setting `mode`, else the account's plan decides"
  ),
  maxAge: Flags.text(
    "max-age",
    "AGE",
    "How old the entry in the service's cache may be, such as 5min or 1h; its quotes may be older. Only with --mode cached"
  ),
  fallbackUpTo: Flags.credits(
    "fallback-up-to",
    "After a cached miss ask for live data, and consent to this many credits for it at most; only with --mode cached"
  )
}

/** What these flags give. */
export type Mode = Flags.Given<typeof mode>

/** A stock, a fund or an underlying. The service knows symbols in capitals only, so that is how they are asked for. */
export const symbol = (description: string) =>
  Flags.argument("symbol", description).pipe(Argument.map((symbol) => symbol.toUpperCase()))

/** The flag of column names; the name of a preset stands for several columns. */
const columnsOf = (presets: Readonly<Record<string, ReadonlyArray<string>>>, description: string) => ({
  columns: Flag.String("columns").pipe(
    Flag.withMetavar("A,B"),
    Flag.withDescription(`Only these columns, by their names; ${description}all by default`),
    Flag.map((text): ReadonlyArray<string> => [
      ...new Set(text.split(",").flatMap((name) => presets[name.trim()] ?? [name.trim()]))
    ]),
    Flags.optional
  )
})

/** Which columns are asked for. */
export const columns = columnsOf({}, "")

/** Columns of contracts that are looked at together. */
export const presets = {
  activity: ["optionSymbol", "underlying", "bid", "ask", "volume", "openInterest", "underlyingPrice", "updated"]
}

/** Which columns of contracts are asked for. */
export const contractColumns = columnsOf(
  presets,
  "activity stands for those of prices, volume and open interest, for which 80 columns of a terminal are wide enough; "
)

/** A range of days, or the last rows before a day. */
export const range = {
  from: Flags.text(
    "from",
    "DAY",
    "The first day, as YYYY-MM-DD, or a time in New York such as \"2026-11-20 09:30\", or \"5 days ago\""
  ),
  to: Flags.text("to", "DAY", "The last day, written in the same way"),
  countback: Flags.positive("countback", "10", "How many rows before --to, or before now; instead of --from")
}

/** What these flags give. */
export type Range = Flags.Given<typeof range>

/** One day, a range of days, or the last rows before a day; and which of many rows come back. */
export const dayOrRange = {
  date: Flags.text("date", "DAY", "One day, as YYYY-MM-DD, today or yesterday; instead of a range"),
  ...range,
  limit: Flags.positive("limit", "10", "The most rows that come back"),
  offset: Flags.count("offset", 0, "10", "COUNT", "How many rows to leave out first")
}

/** A past trading day. */
export const pastDay = { date: Flags.text("date", "DAY", "As of a past day, as YYYY-MM-DD; as of now by default") }

/** A saved reply instead of a query. */
export const reply = {
  reply: Flags.text(
    "reply",
    "FILE",
    "Show a reply that was saved from the service, and ask nothing; - reads standard input"
  )
}

/** The order of the rows of a table. */
export const sort = {
  sort: Flags.text(
    "sort",
    "COLUMN",
    "List the contracts in the order of a column: volume, or volume:asc for the least first; json keeps the order of the reply"
  )
}

/** Asking again and again, each second at most. */
export const watch = {
  watch: duration(
    "watch",
    "INTERVAL",
    "Ask again every INTERVAL and show it in place, until the budget for all rounds together is used up or Ctrl-C is pressed",
    { rule: "must be a duration of a second or more", example: "30s" },
    1000
  )
}

/**
 * The flags and arguments that commands are made of: first the kinds of them, then those that several commands have, which ask the service or price a query.
 * One that is left out is undefined, unless its help says what holds then. A flag is made of its name and its kind, then of its description.
 */
import { DurationText, Problem } from "@effect-marketdata/core"
import { Duration, Option } from "effect"
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { flow } from "effect/Function"

/** What flags give. */
export type Given<Flags extends Command.Command.Config> = Command.Command.Config.Infer<Flags>

/** Lets a flag be left out. */
export const optional = Flag.withDefault(undefined)

/** A flag that may be left out, once it is described. */
export const described = <A>(flag: Flag.Flag<A>) => (description: string) =>
  optional(Flag.withDescription(flag, description))

/** An argument. */
export const argument = (name: string) => (description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

/** A text that must be there. */
export const required = (name: string, metavar: string) => (description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description))

/** A text. */
export const text = (name: string, metavar: string) => described(Flag.withMetavar(Flag.String(name), metavar))

/** Where to write to. */
export const output = (metavar: string) =>
  described(Flag.String("output").pipe(Flag.withMetavar(metavar), Flag.withAlias("o")))

/** A text, as often as wanted. */
export const texts = (name: string, metavar: string) => flow(required(name, metavar), Flag.atLeast(0))

/** A whole number, whose range the query checks. */
export const whole = (name: string, metavar: string) => described(Flag.withMetavar(Flag.Int(name), metavar))

/** Any number. */
export const finite = (name: string, metavar: string) => described(Flag.withMetavar(Flag.Finite(name), metavar))

/** Refuses a number that breaks a rule. */
export const keeping = (flag: Flag.Flag<number>, is: (value: number) => boolean, problem: Problem.Problem) =>
  Flag.filter(flag, is, (value) => Problem.format(String(value), problem))

const noFraction = { rule: "must be a fraction from -1 to 1: 4 % is 0.04", example: "0.04" }

/** A rate a year, as a fraction: 0.04 is 4 %. */
export const fraction = (name: string) =>
  described(Flag.withMetavar(keeping(Flag.Finite(name), (value) => Math.abs(value) <= 1, noFraction), "FRACTION"))

/** One of some words. */
export const oneOf = <const Words extends ReadonlyArray<string>>(name: string, words: Words) =>
  described(Flag.Literals(name, words))

/** Yes, no, or left out. */
export const yesOrNo = (name: string) => described(Flag.Boolean(name))

/** A switch. */
export const isOn = (name: string, otherwise = false) => (description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(otherwise))

/** Says yes to what a command would ask. */
export const yes = (description: string) => isOn("yes")(description).pipe(Flag.withAlias("y"))

/** A whole number, from the least one. */
export const atLeast = (name: string, least: 0 | 1, example: string, metavar: string) => {
  const rule = least === 0 ? "must be 0 or a positive integer" : "must be a positive integer"
  return Flag.withMetavar(keeping(Flag.Int(name), (value) => value >= least, { rule, example }), metavar)
}

/** Whole credits. */
export const credits = (name: string) => described(atLeast(name, 0, "500", "CREDITS"))

/** A count of at least one. */
export const positive = (name: string, example: string) => described(atLeast(name, 1, example, "COUNT"))

/** A port to listen on. */
export const port = (example: string) => {
  const problem = { rule: "must be a port from 0 to 65535", example }
  return keeping(Flag.Int("port"), (port) => port >= 0 && port <= 65_535, problem)
}

/** A flag with a default, which its description ends with. */
export const usually =
  <A, const Default extends string | number>(flag: Flag.Flag<A>, value: Default) => (description: string) =>
    flag.pipe(Flag.withDescription(`${description}; ${value} by default`), Flag.withDefault(value))

const duration = (name: string, metavar: string, problem: Problem.Problem, parse = DurationText.parse) => {
  const flag = Flag.filterMap(Flag.String(name), parse, (text) => Problem.format(Problem.shown(text), problem))
  return described(Flag.withMetavar(flag, metavar))
}

/** What the embedded sandbox has where nothing else is typed. */
export const usual = { seed: 1, plan: "paid" } as const

/** The options of the embedded sandbox, which answers if no service is named. */
export const sandbox = {
  seed: usually(Flag.Int("seed"), usual.seed)("The market of the embedded sandbox; another seed gives other prices"),
  plan: usually(Flag.Literals("plan", ["paid", "trial", "free"]), usual.plan)(
    "The plan of the embedded sandbox's account"
  )
}

/** The flags of every command that asks. */
export const common = {
  budget: credits("budget")("The most credits that this command may cost, retries included"),
  yes: yes("Send it, whatever it costs"),
  timeout: duration("timeout", "DURATION", DurationText.rule)("Stop after this time, such as 30s or 2min"),
  cache: isOn("cache", true)(
    "Answer from replies kept on this machine, at no cost, while they are fresh enough; --no-cache asks the service"
  ),
  output: output("FILE")(
    "Save the table in this file instead of printing it; its name says the format: .parquet, .arrow, .arrows, .csv or .jsonl"
  ),
  times: oneOf("times", ["iso", "epoch"])(
    "How csv and jsonl write times, printed or saved: as 2026-11-20T16:00:00-05:00, the default, or in seconds since 1970"
  ),
  verbose: isOn("verbose")("Show each request that was sent, and every finding"),
  ...sandbox
}

/** What these flags give. */
export type Common = Given<typeof common>

const noShare = { rule: "must be from 0 to 1", example: "0.9" }

const hitRate = keeping(Flag.Finite("hit-rate"), (share) => share >= 0 && share <= 1, noShare)

/** The flags of every command that only prices. */
export const pricing = {
  when: text("when", "SCHEDULE")(
    "Price it for a schedule: \"every 1min\" is a whole trading session; or \"every 5min from 10:00 to 12:00 on trading days of 2026-11-23..2026-11-27\""
  ),
  budget: credits("budget")("Say what these credits buy, and which narrower query they cover"),
  freshWithin: duration("fresh-within", "DURATION", { ...DurationText.rule, example: "5min" })(
    "Name the cheapest mode whose data are no older than this, such as 5min"
  ),
  mayMiss: isOn("may-miss")("Count modes that may bring no data as fresh enough, too"),
  hitRate: described(Flag.withMetavar(hitRate, "SHARE"))(
    "The share of cached requests that hit, from 0 to 1: the cheapest mode is then chosen by what is expected"
  )
}

/** What these flags give. */
export type Pricing = Given<typeof pricing>

/** The mode of an endpoint that has no cached data. */
export const uncached = oneOf("mode", ["live", "delayed"])(
  "Which data to ask for; by default the account's plan decides"
)

/** The mode of an endpoint that has cached data. */
export const mode = {
  mode: oneOf("mode", ["live", "cached", "delayed"])(
    "Which data to ask for; by default the setting `mode`, else the account's plan decides"
  ),
  maxAge: text("max-age", "AGE")(
    "How old the entry in the service's cache may be, such as 5min or 1h; its quotes may be older. Only with --mode cached"
  ),
  fallbackUpTo: credits("fallback-up-to")(
    "After a cached miss ask for live data, and consent to this many credits for it at most; only with --mode cached"
  )
}

/** What these flags give. */
export type Mode = Given<typeof mode>

/** A stock, a fund or an underlying. The service knows symbols in capitals only, so that is how they are asked for. */
export const symbol = (description: string) =>
  argument("symbol")(description).pipe(Argument.map((symbol) => symbol.toUpperCase()))

/** The flag of column names; the name of a preset stands for several columns, which `description` says. */
export const columnsOf = (presets: Readonly<Record<string, ReadonlyArray<string>>>, description = "") => {
  const namesOf = (text: string): ReadonlyArray<string> => [
    ...new Set(text.split(",").flatMap((name) => presets[name.trim()] ?? [name.trim()]))
  ]
  const flag = Flag.map(Flag.withMetavar(Flag.String("columns"), "A,B"), namesOf)
  return described(flag)(`Only these columns, by their names; ${description}all by default`)
}

/** Which columns are asked for. */
export const columns = columnsOf({})

/** A range of days, or the last rows before a day. */
export const range = {
  from: text("from", "DAY")(
    "The first day, as YYYY-MM-DD, or a time in New York such as \"2026-11-20 09:30\", or \"5 days ago\""
  ),
  to: text("to", "DAY")("The last day, written in the same way"),
  countback: positive("countback", "10")("How many rows before --to, or before now; instead of --from")
}

/** What these flags give. */
export type Range = Given<typeof range>

/** One day, a range of days, or the last rows before a day; and which of many rows come back. */
export const dayOrRange = {
  date: text("date", "DAY")("One day, as YYYY-MM-DD, today or yesterday; instead of a range"),
  ...range,
  limit: positive("limit", "10")("The most rows that come back"),
  offset: described(atLeast("offset", 0, "10", "COUNT"))("How many rows to leave out first")
}

const everySecond = { rule: "must be a duration of a second or more", example: "30s" }

const interval = (text: string) =>
  Option.filter(DurationText.parse(text), (value) => Duration.toMillis(value) >= 1000 && Duration.isFinite(value))

/** Asking again and again, each second at most. */
export const watch = duration("watch", "INTERVAL", everySecond, interval)(
  "Ask again every INTERVAL and show it in place, until the budget for all rounds together is used up or Ctrl-C is pressed"
)

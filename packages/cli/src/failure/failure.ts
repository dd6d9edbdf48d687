/**
 * A failure as the program reports it: its class, which gives the exit code, and its fields for scripts. Every error that a command can end with becomes
 * a `CommandError` here, and nowhere else.
 */
import type { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { ForeignText } from "@effect-marketdata/core"
import type { InvalidQuery, Reason } from "@effect-marketdata/core/Reason"
import { Config, Data, Runtime, Schema } from "effect"
import type * as Span from "../text/span.ts"
import type { Trouble } from "../text/yaml.ts"
import * as Names from "./names.ts"

/** A class of failure. */
export type Class = keyof typeof classes

/** The meaning and the exit code of each class. Scripts depend on the codes: none is ever reused. */
export const classes = {
  failed: { code: 1, meaning: "a check failed, the output cannot be written, or the program has a defect" },
  usage: { code: 2, meaning: "the command line, the query, a file or a setting is wrong" },
  budget: { code: 3, meaning: "it may cost more than you allowed, so it was not sent" },
  notFound: { code: 4, meaning: "the service knows no such symbol, or has no data for it" },
  noCachedData: { code: 5, meaning: "the service's cache has nothing, or nothing new enough; a miss is free" },
  account: { code: 6, meaning: "the token, the plan, the credits or the address of the account does not allow it" },
  transport: { code: 7, meaning: "the service cannot be reached, or did not answer in time" },
  service: { code: 8, meaning: "the service failed, or its reply cannot be read" },
  noVerdict: { code: 9, meaning: "`contract` could not find out whether the service keeps the contract" },
  interrupted: { code: 130, meaning: "stopped by Ctrl-C" },
  terminated: { code: 143, meaning: "stopped by the system, with SIGTERM or SIGHUP" }
} as const

/** A command to type instead, and its price in words. */
export interface Way {
  readonly command: string
  readonly price: string
}

/** What is known of a failure. */
export interface Known {
  readonly class: Class
  /** The name of what went wrong: the tag of a reason, or of an error of the command line. */
  readonly reason: string
  readonly message: string
  /** The clause of the contract that it goes by. */
  readonly clause?: string | undefined
  /** The variable that the client refused. */
  readonly variable?: PropertyKey | undefined
  /** All mistakes of a file, if there are several; the message is the first. */
  readonly troubles?: ReadonlyArray<Trouble> | undefined
  /** What to type or do next. */
  readonly next?: string | undefined
  /** Whole commands to type instead, with their prices. */
  readonly ways?: ReadonlyArray<Way> | undefined
  /** When an allowance that is used up renews, in epoch seconds. */
  readonly renews?: number | undefined
  /** What the requests were charged, and what at most in addition. */
  readonly credits?: { readonly charged: number; readonly uncertain: number } | undefined
}

/**
 * Any failure of a command that is not one of the client's: a wrong file, a price above what was allowed.
 */
export class CommandError extends Data.TaggedError("CommandError")<Known> {
  override get [Runtime.errorExitCode](): number {
    return classes[this.class].code
  }
}

/** A copy of a failure with some fields changed. Spreading an error alone would lose its message. */
export const changed = (failure: CommandError, said: Partial<Known>): CommandError =>
  new CommandError({ ...failure, message: failure.message, ...said })

const inClass =
  (name: Class) => (reason: string, message: string, next?: string, more: Partial<Known> = {}): CommandError =>
    new CommandError({ ...more, class: name, reason, message, next })

/** What is wrong with the command line, a query, a file or a setting. */
export const wrong = inClass("usage")

/** The failure of a check, or of an output that cannot be written, wherever it was to go. */
export const failed = inClass("failed")

/** A price that is not allowed. */
export const tooDear = inClass("budget")

/** What the account does not allow. */
export const notAllowed = inClass("account")

/** The person chose another command at the prompt: that one runs instead. */
export class Instead extends Data.TaggedError("Instead")<{ readonly words: ReadonlyArray<string> }> {}

const less = "ask for less, of a chain with --contracts COUNT or narrower filters"
const raise = "`marketdata config set allowance CREDITS`"
const explain = "see why with `marketdata symbol explain`"
const oneAddress = "ask from one address, and wait until the block ends"
const raiseOne =
  "or allow it with --budget CREDITS; `marketdata account` shows what the allowance of all commands has left"
const allowLive = "allow it with --fallback-up-to CREDITS, or say how many contracts you expect with --contracts COUNT"
const live = "ask for live data with --mode live, or fall back to it with --fallback-up-to CREDITS"

/** What the command line adds to each reason of the client; the compiler asks for all of them. */
const about: Readonly<Record<Reason["_tag"] | "Incomplete", Pick<Known, "class" | "clause" | "next">>> = {
  InvalidQuery: { class: "usage" },
  RequestLineTooLong: { class: "usage", clause: "8.1-request-line" },
  BadRequest: { class: "usage", clause: "7.1-400" },
  InvalidDate: { class: "usage", clause: "7.3-date-errmsg" },
  InvalidOptionSymbol: { class: "usage", clause: "7.3-symbol-errmsg", next: explain },
  CreditBudgetExceeded: { class: "budget", next: `${less}, ${raiseOne}` },
  LedgerUnavailable: { class: "usage", next: "see where the ledger is with `marketdata doctor`" },
  GuardUnavailable: { class: "usage", next: "see where the database is with `marketdata doctor`" },
  AlreadySent: { class: "budget", next: "see what was charged with `marketdata account`" },
  FallbackDeclined: { class: "budget", clause: "8.3-fallback", next: allowLive },
  NotFound: { class: "notFound", clause: "7.3-400-vs-404" },
  NoLiveData: { class: "notFound", clause: "8.3-fallback" },
  UnexpectedNoContent: { class: "notFound", clause: "7.1-204-elsewhere" },
  NoCachedData: { class: "noCachedData", clause: "8.3-miss", next: `${live}; where --max-age is given, allow more` },
  Unauthorized: { class: "account", clause: "5.7-401", next: "log in with `marketdata auth login`" },
  PlanRequired: { class: "account", clause: "7.1-402", next: "see your plan with `marketdata account`" },
  Forbidden: { class: "account", clause: "7.1-403" },
  AddressBlocked: { class: "account", clause: "5.6-single-ip", next: oneAddress },
  IpBlocked: { class: "account", clause: "5.6-single-ip", next: oneAddress },
  CreditsExhausted: { class: "account", clause: "7.1-429", next: "see when credits return with `marketdata account`" },
  TooManyRequests: { class: "account", clause: "7.1-429", next: "ask less at once" },
  GatewayUnavailable: { class: "transport" },
  TransportFailure: { class: "transport", next: "check the connection with `marketdata doctor`" },
  TimedOut: { class: "transport", next: "allow more time with --timeout DURATION" },
  TooMuchData: { class: "service" },
  ServerFault: { class: "service", clause: "7.1-5xx", next: "see the service's state with `marketdata doctor`" },
  UnexpectedStatus: { class: "service" },
  MalformedReply: { class: "service" },
  ReplyTooLarge: { class: "service" },
  Incomplete: { class: "service" }
}

/** Where `next` replaces the advice in the library's message, which speaks of code. */
const isAdvised: ReadonlySet<string> = new Set(["CreditBudgetExceeded", "FallbackDeclined", "NoCachedData"])

/** Adds up by hand: the function of core would load all reasons at every start. */
const spent = ({ trace }: MarketDataError): { readonly charged: number; readonly uncertain: number } => ({
  charged: trace.reduce((sum, { charge }) => sum + (charge?.credits ?? 0), 0),
  uncertain: trace.reduce((sum, { uncertain }) => sum + uncertain, 0)
})

/** What to do where the allowance of all commands is used up, which no flag of one command raises. */
const nextOf = (reason: MarketDataError["reason"]): Pick<Known, "next" | "renews"> =>
  reason._tag === "CreditBudgetExceeded" && reason.renews !== undefined
    ? { renews: reason.renews, next: `${less}, wait until the allowance renews, or raise it with ${raise}` }
    : {}

/** What every error of a command has. */
export interface Tagged {
  readonly _tag: string
  readonly message: string
}

const isMarketDataError = (error: Tagged): error is MarketDataError => error._tag === "MarketDataError"

/**
 * The reason of the last request that failed, where the next one was refused for its price. The command fails with it, because that request was sent and may
 * have been charged. A cached miss does not count: after it, the price of live data is what was refused.
 */
const cameBack = ({ reason, trace }: MarketDataError): Reason | undefined =>
  about[reason._tag].class === "budget"
    ? trace.findLast(({ reason }) => reason !== undefined && about[reason._tag].class !== "noCachedData")?.reason
    : undefined

/** The most characters of a message: more than any message of these packages, and a bound on what a service sends. */
const longest = 1000

/** A message as one line; that of a schema has several. */
const line = (text: string): string => ForeignText.line(text.replace(/\s*\n\s*/g, " "), longest)

/** Errors of the command line's own parts, where they are not failures of the program. */
const classOf: { readonly [tag: string]: Class } = { SchemaError: "usage", ListenError: "usage" }

/** The message of an error in the words of the command line: where `next` replaces the advice, what happened and what it cost. */
const messageOf = (error: Pick<MarketDataError, "message" | "query" | "reason" | "said">): string => {
  const { message, query, reason, said } = error
  if (reason._tag === "InvalidQuery") return `${Names.label(query)}: ${Names.invalid(reason)}`
  return said === undefined || !isAdvised.has(reason._tag)
    ? Names.label(message)
    : `${Names.label(query)}: ${said.what.replace(/\.$/, "")}. ${said.cost}.`
}

const isInvalid = (error: Tagged): error is InvalidQuery => error._tag === "InvalidQuery"

/** The failure of a value of the settings. The client's message does not say whose; the rule of the setting takes its place where it is reported. */
const ofConfig = ({ cause }: Config.ConfigError): CommandError => {
  if (cause.cause instanceof CommandError) return cause.cause
  if (cause._tag === "SourceError" || cause.issue._tag !== "Pointer") return wrong("ConfigError", cause.message)
  const { issue, path: [variable] } = cause.issue
  const message = `${new Schema.SchemaError(issue).message} (${String(variable)})`
  return wrong("ConfigError", message, undefined, { variable })
}

/** Makes a failure of any error that a command can end with. */
export const of = (error: Tagged): CommandError => {
  if (error instanceof CommandError) return error
  if (error instanceof Config.ConfigError) return ofConfig(error)
  if (isInvalid(error)) return wrong(error._tag, Names.invalid(error))
  if (!isMarketDataError(error)) {
    return new CommandError({ class: classOf[error._tag] ?? "failed", reason: error._tag, message: error.message })
  }
  const first = cameBack(error)
  const { _tag } = first ?? error.reason
  const known = { ...about[_tag], reason: _tag, credits: spent(error) }
  if (first === undefined) return new CommandError({ ...known, ...nextOf(error.reason), message: messageOf(error) })
  const { query } = error
  const what = messageOf({ query, reason: first, said: first.said, message: `${query}: ${first.message}` })
  return new CommandError({ ...known, message: `${what} Not retried: that may cost more than you allowed.` })
}

/** The most mistakes of a file that are told at once. */
const mostTroubles = 10

/** The mistakes of a file after the first, which is the message. */
const others = (troubles: ReadonlyArray<Trouble>): ReadonlyArray<string> => [
  ...troubles.slice(1, mostTroubles).map(({ column, line, message }) => `line ${line}, column ${column}: ${message}`),
  ...(troubles.length > mostTroubles ? [`and ${troubles.length - mostTroubles} more`] : [])
]

/** Prints commands to type, a line each, with what they come to behind them. */
export const formatWays = (ways: ReadonlyArray<Way>): ReadonlyArray<string> => {
  const width = ways.reduce((most, { command }) => Math.max(most, command.length), 0)
  return ways.map(({ command, price }) => line(`${command.padEnd(width)}  ${price}`))
}

/** A failure as texts, a line each: what is wrong, and what to do next. */
export const texts = ({ message, next, troubles = [], ways = [] }: Known): ReadonlyArray<string> => [
  ...[message, ...others(troubles), ...(next === undefined ? [] : [next])].map(line),
  ...formatWays(ways)
]

/** The lines of a failure for people. */
export const lines = (failure: CommandError): ReadonlyArray<Span.Line> =>
  texts(failure).map((text, index) => [index === 0 ? "error: " : "       ", text])

/** Prints a failure for programs, as one line of JSON. */
export const json = (failure: CommandError): string => {
  const { class: name, clause, credits, message, next, reason, renews, troubles, ways } = failure
  const code = failure[Runtime.errorExitCode]
  const told = { code, class: name, reason, clause, message: line(message), troubles, next, ways, renews }
  // JSON has no Infinity.
  const cost = credits?.uncertain === Infinity ? { ...credits, uncertain: "Infinity" } : credits
  return ForeignText.lines(JSON.stringify({ version: 1, error: { ...told, credits: cost } }))
}

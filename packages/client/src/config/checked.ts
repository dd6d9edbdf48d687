/**
 * Checks the options of callers without types. Invalid ones are found when the client is made; each call then fails with their name, before anything is
 * sent. Nothing dies, and no part of a token is shown.
 */
import * as Problem from "@effect-marketdata/core/Problem"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { MarketDataConfig } from "./MarketDataConfig.ts"
import * as Rules from "./rules.ts"

export const isFunction = (value: unknown): boolean => typeof value === "function"

/** A whole number from 1 on. */
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1

const isText = (value: unknown): boolean => typeof value === "string"

export const isOneOf = (...values: ReadonlyArray<unknown>) => (value: unknown): boolean => values.includes(value)

/** Whether a value is an object whose fields pass these checks. An object whose getters throw does not. */
export const has = (fields: Readonly<Record<string, (field: unknown) => boolean>>) => (value: unknown): boolean =>
  typeof value === "object" && value !== null && Result.getOrElse(
    Result.try(() => Object.entries(fields).every(([name, holds]) => holds((value as never)[name]))),
    () => false
  )

/** Returns options unchanged; throws `ValueError` for anything but an object: a number, given for the option that it is meant for, would have no effect. */
export const optionsOf = <A>(options: A, example: string): A =>
  Problem.expect(options === undefined || typeof options === "object", "options", options, "an object", example)

/** The token that an effect returned; for any other value an empty one, which is refused before anything is sent. */
export const token = (given: unknown) => Redacted.isRedacted(given) ? given as Redacted.Redacted : Redacted.make("")

const examples = { CacheFallback: "CacheFallback.layerUpTo(500)", RetryPolicy: "RetryPolicy.layer({ attempts: 3 })" }

/** Runs the decision of a service that the application provides. Without types it may return anything, and Effect or the process would die of that. */
export const decided = <Args extends ReadonlyArray<unknown>, A, E, R>(
  decide: (...args: Args) => Effect.Effect<A, E, R>,
  args: Args,
  is: (decision: A) => boolean,
  service: keyof typeof examples
): Effect.Effect<A, E | InvalidQuery, R> => {
  const refuse = (value: unknown) =>
    Effect.fail(InvalidQuery.of(service, value, { rule: "must decide", example: examples[service] }))
  const given: unknown = isFunction(decide) ? decide(...args) : decide
  const accept = (decision: A) => is(decision) ? Effect.succeed(decision) : refuse(decision)
  return Effect.isEffect(given) ? Effect.flatMap(given as Effect.Effect<A, E, R>, accept) : refuse(given)
}

/** Whether a value is a Redacted that can be read: one that was wiped, or that another copy of Effect made, cannot. */
const isReadable = (value: unknown): boolean =>
  Redacted.isRedacted(value) && Result.isSuccess(Result.try(() => Redacted.value(value)))

const allowance = { rule: "must have the numbers tokens and perSecond", example: "{ tokens: 50, perSecond: 2 }" }

/** What each option must be. */
const options: Readonly<Record<keyof MarketDataConfig, readonly [(value: unknown) => boolean, Problem.Problem]>> = {
  baseUrl: [isText, { rule: "must be a string", example: "\"https://api.marketdata.app\"" }],
  token: [(value) => isReadable(value) || Effect.isEffect(value), Rules.redacted],
  tokenIn: [isOneOf("header", "query"), { rule: `must be "header" or "query"`, example: `"header"` }],
  transformClient: [isFunction, { rule: "must be a function of an HttpClient", example: "HttpClient.tapRequest(log)" }],
  retries: [has({ tokens: Number.isFinite, perSecond: Number.isFinite }), allowance],
  maxSymbols: [isCount, Rules.tickers],
  maxInFlight: [isCount, Rules.requests],
  maxReplyBytes: [isCount, Rules.bytes],
  maxBytesInFlight: [isCount, Rules.bytes],
  maxKeptBytes: [(value) => value === 0 || isCount(value), Rules.keptBytes]
}

/** Says what is wrong with the options of a client, if anything is. */
export const problemOf = (given: unknown): InvalidQuery | undefined => {
  if (!has({})(given)) {
    return InvalidQuery.of("options", given, { rule: "must be an object", example: "{ maxInFlight: 10 }" })
  }
  for (const [name, [holds, problem]] of Object.entries(options)) {
    const read = Result.try(() => (given as never)[name] as unknown)
    if (Result.isFailure(read)) return new InvalidQuery({ parameter: name, value: "an object", ...problem })
    if (read.success === undefined || holds(read.success)) continue
    // A token that was passed as it stands must not be shown.
    const value = name === "token" ? "<redacted>" : Problem.shown(read.success)
    return new InvalidQuery({ parameter: name, value, ...problem })
  }
  return undefined
}

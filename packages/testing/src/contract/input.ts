/** Checks the options of callers, untyped ones included; the errors say what is wrong and what to write instead. */
import { HttpRequest, Problem, Profile, Query } from "@effect-marketdata/core"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Setting } from "./exchange.ts"

/**
 * How much is to be asked.
 *
 * - `budget`: the credits that may be spent, a whole number or `Infinity`. There is no default: the caller says what it may cost
 * - `clauses`: those to ask about; all of them by default
 */
export interface Extent {
  readonly budget: number
  readonly clauses?: ReadonlyArray<string> | undefined
}

/**
 * Where to ask, and what about. One attempt at a request takes as long as `Policies.AttemptTimeout` of the client allows.
 *
 * - `baseUrl`: where the service is, as a client would be told
 * - `token`: that of a paid account; it goes in the header, never over plain http except to this machine
 * - `profile`: by whose reading to judge; the contract's by default
 * - `underlying`: whose chain is asked for, MSFT by default: one that is much traded, with no more than a few thousand contracts
 * - `tickers`: two stocks, MSFT and F by default
 * - `demo`: the ticker that is open without a token. The contract leaves it open; AAPL, the public service's, is tried by default
 */
export interface Options extends Extent {
  readonly baseUrl: string
  readonly token: Redacted.Redacted
  readonly profile?: Profile.Profile | undefined
  readonly underlying?: string | undefined
  readonly tickers?: readonly [string, string] | undefined
  readonly demo?: string | undefined
}

/** Refuses an option before anything is sent. */
const refuse = (name: string, value: unknown, rule: string, example: string): Result.Result<never, string> =>
  Result.fail(`${Problem.format(`${name} ${Problem.shown(value)}`, { rule, example })} Nothing was sent.`)

const isObject = (input: unknown): input is Readonly<Record<string, unknown>> => Predicate.isReadonlyObject(input)

/** Reads how much is to be asked. */
export const extent = (
  input: Extent,
  known: ReadonlyArray<{ readonly clause: string }>
): Result.Result<Extent, string> => {
  if (!isObject(input)) return refuse("options", input, "must be an object", "{ budget: 60 }")
  const { budget, clauses }: { budget?: unknown; clauses?: unknown } = input
  if (typeof budget !== "number" || !(budget === Infinity || Number.isSafeInteger(budget) && budget >= 0)) {
    return refuse("budget", budget, "must be an integer of 0 or more credits, or Infinity for any number", "60")
  }
  if (clauses === undefined) return Result.succeed({ budget })
  if (!Array.isArray(clauses)) return refuse("clauses", clauses, "must be a list of ids", `["2.1-mid"]`)
  const other: unknown = clauses.find((clause) => !known.some((one) => one.clause === clause))
  return other === undefined
    ? Result.succeed({ budget, clauses })
    : refuse("clause", other, "must be the id of a clause of the contract", "2.1-mid")
}

/** Reads all options. */
export const options = (input: Options, known: ReadonlyArray<{ readonly clause: string }>) =>
  Result.gen(function*() {
    const asked = yield* extent(input, known)
    const { demo, profile = Profile.defaultProfile, tickers = ["MSFT", "F"], underlying = "MSFT" } = input
    if (profile !== "contract" && profile !== "public") {
      return yield* refuse("profile", profile, `must be "contract" or "public"`, "contract")
    }
    if (!Array.isArray(tickers) || tickers.length !== 2 || tickers[0] === tickers[1]) {
      return yield* refuse("tickers", tickers, "must be two different stocks", `["MSFT", "F"]`)
    }
    const setting: Setting = {
      profile,
      underlying: yield* ticker("underlying", underlying),
      tickers: [yield* ticker("tickers", tickers[0]), yield* ticker("tickers", tickers[1])],
      demo: yield* ticker("demo", demo ?? "AAPL"),
      isDemoNamed: demo !== undefined
    }
    return { extent: asked, token: yield* token(input.token), baseUrl: yield* baseUrl(input.baseUrl), setting }
  })

const ticker = (name: string, input: unknown): Result.Result<string, string> =>
  typeof input === "string" && /^[A-Z][A-Z0-9.]{0,9}$/.test(input)
    ? Result.succeed(input)
    : refuse(name, input, "must be a ticker in capital letters", "MSFT")

const token = (input: unknown): Result.Result<Redacted.Redacted, string> =>
  Redacted.isRedacted(input) && isToken(Redacted.value(input))
    ? Result.succeed(input as Redacted.Redacted)
    : refuse(
      "token",
      Redacted.make(""),
      "must be at most 4096 characters of printable ASCII without spaces, braces or quotes around it",
      "Redacted.make(text)"
    )

const isToken = (value: unknown): boolean =>
  typeof value === "string" && /^[\x21-\x7e]{1,4096}$/.test(value) && !/^[{<"']|[}>"']$/.test(value)

/** Core knows what a base URL is, and over which lines a token may go. */
const baseUrl = (input: unknown): Result.Result<string, string> => {
  if (typeof input !== "string") {
    return refuse("baseUrl", input, "must be a URL", "https://api.example.com/proxy")
  }
  return HttpRequest.make(Query.serviceStatus, input).pipe(
    Result.mapError(({ message }) => message),
    Result.flatMap((request) =>
      HttpRequest.isPrivate(request)
        ? Result.succeed(request)
        : refuse(
          "baseUrl",
          input,
          "must be https, unless it is this machine: the token is sent",
          "https://api.example.com"
        )
    ),
    Result.map((request) => HttpRequest.url(request).slice(0, -Query.target(Query.serviceStatus).length))
  )
}

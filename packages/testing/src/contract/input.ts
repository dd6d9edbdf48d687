/** Reads what callers say, untyped ones included; the errors are texts that say what is wrong and what to write instead. */
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Profile from "@effect-marketdata/core/Profile"
import * as Query from "@effect-marketdata/core/Query"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Setting } from "./exchange.ts"
import * as Words from "./words.ts"

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

const refuse = (message: string): Result.Result<never, string> => Result.fail(message)

const isObject = (input: unknown): input is Readonly<Record<string, unknown>> => Predicate.isReadonlyObject(input)

/** Reads how much is to be asked. */
export const extent = (
  input: Extent,
  known: ReadonlyArray<{ readonly clause: string }>
): Result.Result<Extent, string> => {
  if (!isObject(input)) return refuse("options must be an object: write { budget: 60 }")
  const { budget, clauses }: { budget?: unknown; clauses?: unknown } = input
  if (typeof budget !== "number" || !(budget === Infinity || Number.isSafeInteger(budget) && budget >= 0)) {
    return refuse(
      `budget ${Words.shown(budget)} must be a number of credits, 0 or more: write 60, or Infinity for any number`
    )
  }
  if (clauses === undefined) return Result.succeed({ budget })
  if (!Array.isArray(clauses)) return refuse(`clauses must be a list of ids: write ["2.1-mid"]`)
  const other: unknown = clauses.find((clause) => !known.some((one) => one.clause === clause))
  return other === undefined
    ? Result.succeed({ budget, clauses })
    : refuse(
      `there is no clause ${typeof other === "string" ? Words.excerpt(other) : Words.shown(other)}: ` +
        "choose among those of Contract.clauses"
    )
}

/** Reads all options. */
export const options = (input: Options, known: ReadonlyArray<{ readonly clause: string }>) =>
  Result.gen(function*() {
    const asked = yield* extent(input, known)
    const { demo, profile = Profile.defaultProfile, tickers = ["MSFT", "F"], underlying = "MSFT" } = input
    if (profile !== "contract" && profile !== "public") {
      return yield* refuse(`profile ${Words.shown(profile)} must be "contract" or "public"`)
    }
    if (!Array.isArray(tickers) || tickers.length !== 2 || tickers[0] === tickers[1]) {
      return yield* refuse(`tickers ${Words.shown(tickers)} must be two different stocks: write ["MSFT", "F"]`)
    }
    const setting: Setting = {
      profile,
      underlying: yield* ticker("underlying", underlying),
      tickers: [yield* ticker("tickers", tickers[0]), yield* ticker("tickers", tickers[1])],
      demo: yield* ticker("demo", demo ?? "AAPL"),
      isDemoNamed: demo !== undefined
    }
    return {
      extent: asked,
      token: yield* token(input.token),
      baseUrl: yield* baseUrl(input.baseUrl),
      setting
    }
  })

const ticker = (name: string, input: unknown): Result.Result<string, string> =>
  typeof input === "string" && /^[A-Z][A-Z0-9.]{0,9}$/.test(input)
    ? Result.succeed(input)
    : refuse(`${name} ${Words.shown(input)} must be a ticker in capital letters: write "MSFT"`)

const token = (input: unknown): Result.Result<Redacted.Redacted, string> =>
  Redacted.isRedacted(input) && isToken(Redacted.value(input))
    ? Result.succeed(input as Redacted.Redacted)
    : refuse("token must be Redacted.make(text), of printable characters without blanks, braces or quotes around them")

const isToken = (value: unknown): boolean =>
  typeof value === "string" && /^[\x21-\x7e]+$/.test(value) && !/^[{<"']|[}>"']$/.test(value)

/** Core knows what a base URL is, and over which lines a token may go. */
const baseUrl = (input: unknown): Result.Result<string, string> => {
  if (typeof input !== "string") {
    return refuse(`baseUrl ${Words.shown(input)} must be a URL: write "https://api.example.com/proxy"`)
  }
  return HttpRequest.make(Query.serviceStatus, input).pipe(
    Result.mapError(({ message }) => message),
    Result.filterOrFail(
      HttpRequest.isPrivate,
      () => "the token would go over plain http: use https, or a service of this machine"
    ),
    Result.map((request) => HttpRequest.url(request).slice(0, -Query.target(Query.serviceStatus).length))
  )
}

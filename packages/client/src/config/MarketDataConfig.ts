/**
 * The options of a client: the address of the service, the token, and limits. All of them can come from environment variables.
 *
 * @example
 * ```ts
 * import type * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
 * import * as Redacted from "effect/Redacted"
 *
 * export const options: MarketDataConfig.MarketDataConfig = {
 *   baseUrl: "http://127.0.0.1:8080",
 *   token: Redacted.make("a token")
 * }
 * ```
 *
 * @see {@link MarketData} whose layers take them
 * @since 0.1.0
 */
import type * as Account from "@effect-marketdata/core/Account"
import * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import * as Problem from "@effect-marketdata/core/Problem"
import * as Retry from "@effect-marketdata/core/Retry"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Rules from "./rules.ts"
import * as Token from "./token.ts"

/**
 * The address of the public service.
 *
 * @category constants
 * @since 0.1.0
 */
export const publicBaseUrl = "https://api.marketdata.app"

/**
 * The options of a client.
 *
 * - `baseUrl`: the address of the service, with or without a trailing slash or a path, and without the `/v1` that each request adds
 *   (clause 1-base-url); the public service by default
 * - `token`: the account's token, or an effect that fetches it for each request, for tokens that change. Without one only the demo ticker
 *   is answered, with historical data (clause 5.5-demo). It is never sent over plain http, except to this machine, and never to another
 *   origin
 * - `tokenIn`: where the token goes: into the `Authorization` header, the default, or into the query string (clause 5.3-query), where
 *   proxies may log it
 * - `transformClient`: changes the HTTP client that sends the requests. It may change requests and where they go, and send other
 *   requests, such as for a token. It must not send the same request again, because no budget would count it; such a repeat is refused.
 *   Use `RetryPolicy` for retries. If it turns a status into an error, the reply is read all the same. See docs/guide/transport.md
 * - `retries`: how many retries all calls together may send; by default 50 at once, and two more each second. A `RetryBudget` that is
 *   provided replaces it
 * - `maxSymbols`: the most tickers in one request; 500 by default (clause 8.1-batches)
 * - `maxInFlight`: the most requests in flight; 50 by default
 * - `maxReplyBytes`: the largest reply that is read, in bytes, uncompressed. Each endpoint has a limit of its own, from 1 MiB for what is
 *   not a table to 128 MiB for a chain; this option lowers it. A larger reply fails with `ReplyTooLarge`
 * - `maxBytesInFlight`: the most bytes of all replies that are being read; 128 MiB by default. Above it all replies but one pause after
 *   their first 1 MiB
 * - `maxKeptBytes`: the most bytes of old replies that are kept; 0 by default. If a reply has the same bytes as the last one to the same
 *   query, it is not decoded, and the answer has the same table, with whatever the program wrote to its columns
 *
 * If a limit is invalid, each query of the client fails with `InvalidQuery` before it is sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface MarketDataConfig {
  readonly baseUrl?: string | undefined
  readonly token?: Redacted.Redacted | Effect.Effect<Redacted.Redacted> | undefined
  readonly tokenIn?: "header" | "query" | undefined
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
  readonly retries?: Retry.Allowance | undefined
  readonly maxSymbols?: number | undefined
  readonly maxInFlight?: number | undefined
  readonly maxReplyBytes?: number | undefined
  readonly maxBytesInFlight?: number | undefined
  readonly maxKeptBytes?: number | undefined
}

/** Prints a problem without its full stop, because `Config` adds where the value is. */
const sentence = (what: string, problem: Problem.Problem): string => Problem.format(what, problem).slice(0, -1)

const optional = <A>(config: Config.Config<A>): Config.Config<A | undefined> => Config.withDefault(config, undefined)

const integer = (name: string, least: number): Config.Config<number> =>
  Config.schema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(least)), name)

const count = (name: string, least = 1): Config.Config<number | undefined> => optional(integer(name, least))

const amount = /* @__PURE__ */ Schema.Finite.check(/* @__PURE__ */ Schema.isGreaterThanOrEqualTo(0))

const rate = (name: string, of: keyof Retry.Allowance): Config.Config<number> =>
  Config.withDefault(Config.schema(amount, name), Retry.defaultAllowance[of])

/** Says what is wrong with a base URL; undefined if it is one. */
const problemOf = (text: string): string | undefined => {
  const parsed = HttpRequest.parseBaseUrl(text)
  return Result.isFailure(parsed) ? sentence("the base URL", parsed.failure) : undefined
}

const baseUrl: Config.Config<string> = /* @__PURE__ */ Config.schema(
  /* @__PURE__ */ Schema.String.check(/* @__PURE__ */ Schema.makeFilter(problemOf)),
  "MARKETDATA_BASE_URL"
)

const token: Config.Config<Redacted.Redacted | undefined> = /* @__PURE__ */ optional(
  /* @__PURE__ */ Config.schema(
    /* @__PURE__ */ Schema.Redacted(Schema.String).check(
      /* @__PURE__ */ Schema.makeFilter((token) => Token.isToken(token) || sentence("the token", Rules.token))
    ),
    "MARKETDATA_TOKEN"
  )
)

/** Fails if the token would be sent over plain http. */
const requirePrivate = (options: MarketDataConfig & { readonly baseUrl: string }) => {
  const base = Result.getOrUndefined(HttpRequest.parseBaseUrl(options.baseUrl))
  if (options.token === undefined || base === undefined || HttpRequest.isPrivate(base)) return Effect.succeed(options)
  const what = `MARKETDATA_BASE_URL ${Problem.shown(base.origin)}`
  const message = Problem.format(what, Rules.privateLine("MARKETDATA_TOKEN"))
  return Effect.fail(new Config.ConfigError(new ConfigProvider.SourceError({ message })))
}

/**
 * Reads the options from environment variables. Each may be missing. An invalid one fails with a `ConfigError` that names it: a base URL that is
 * not one or ends in `/v1`, a token that is invalid or would be sent over plain http, a number out of range.
 *
 * | variable                        | option                          |
 * | ------------------------------- | ------------------------------- |
 * | `MARKETDATA_TOKEN`              | `token`                         |
 * | `MARKETDATA_TOKEN_IN`           | `tokenIn`: `header` or `query`  |
 * | `MARKETDATA_BASE_URL`           | `baseUrl`                       |
 * | `MARKETDATA_MAX_SYMBOLS`        | `maxSymbols`                    |
 * | `MARKETDATA_MAX_IN_FLIGHT`      | `maxInFlight`                   |
 * | `MARKETDATA_MAX_REPLY_BYTES`    | `maxReplyBytes`                 |
 * | `MARKETDATA_MAX_BYTES_IN_FLIGHT` | `maxBytesInFlight`             |
 * | `MARKETDATA_MAX_KEPT_BYTES`     | `maxKeptBytes`                  |
 * | `MARKETDATA_RETRIES`            | `retries.tokens`                |
 * | `MARKETDATA_RETRIES_PER_SECOND` | `retries.perSecond`             |
 *
 * @example
 * ```ts
 * import * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
 * import * as ConfigProvider from "effect/ConfigProvider"
 * import * as Effect from "effect/Effect"
 *
 * const config = await Effect.runPromise(Effect.provide(
 *   MarketDataConfig.fromEnvironment,
 *   ConfigProvider.layer(ConfigProvider.fromUnknown({ MARKETDATA_BASE_URL: "https://proxy.test" }))
 * ))
 * config.baseUrl // => "https://proxy.test"
 * ```
 *
 * @category configuration
 * @since 0.1.0
 */
export const fromEnvironment: Config.Config<MarketDataConfig> = /* @__PURE__ */ Config.mapEffect(
  /* @__PURE__ */ Config.all({
    baseUrl: /* @__PURE__ */ Config.withDefault(baseUrl, publicBaseUrl),
    token,
    tokenIn: /* @__PURE__ */ optional(/* @__PURE__ */ Config.Literals(["header", "query"], "MARKETDATA_TOKEN_IN")),
    maxSymbols: /* @__PURE__ */ count("MARKETDATA_MAX_SYMBOLS"),
    maxInFlight: /* @__PURE__ */ count("MARKETDATA_MAX_IN_FLIGHT"),
    maxReplyBytes: /* @__PURE__ */ count("MARKETDATA_MAX_REPLY_BYTES"),
    maxBytesInFlight: /* @__PURE__ */ count("MARKETDATA_MAX_BYTES_IN_FLIGHT"),
    maxKeptBytes: /* @__PURE__ */ count("MARKETDATA_MAX_KEPT_BYTES", 0),
    tokens: /* @__PURE__ */ rate("MARKETDATA_RETRIES", "tokens"),
    perSecond: /* @__PURE__ */ rate("MARKETDATA_RETRIES_PER_SECOND", "perSecond")
  }),
  ({ perSecond, tokens, ...options }) => requirePrivate({ ...options, retries: { tokens, perSecond } })
)

/**
 * Reads an allowance: `MARKETDATA_ALLOWANCE` in whole credits, from 0 on, and `MARKETDATA_ALLOWANCE_WINDOW`, which says when it is full
 * again: `day`, `minute`, or `none`, the default. Fails with `ConfigError` if the first is missing or either is invalid.
 *
 * @example
 * ```ts
 * import * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
 * import * as ConfigProvider from "effect/ConfigProvider"
 * import * as Effect from "effect/Effect"
 *
 * const provider = ConfigProvider.fromUnknown({ MARKETDATA_ALLOWANCE: "1000" })
 * const { credits } = await Effect.runPromise(Effect.provide(MarketDataConfig.allowance, ConfigProvider.layer(provider)))
 * credits // => 1000
 * ```
 *
 * @category configuration
 * @since 0.1.0
 */
export const allowance: Config.Config<Account.Allowance> = /* @__PURE__ */ Config.all({
  credits: /* @__PURE__ */ integer("MARKETDATA_ALLOWANCE", 0),
  window: /* @__PURE__ */ Config.withDefault(
    /* @__PURE__ */ Config.Literals(["day", "minute", "none"], "MARKETDATA_ALLOWANCE_WINDOW"),
    "none"
  )
})

/**
 * What a client needs to know: where the service is, and the token.
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
 * @since 0.1.0
 */
import type * as Account from "@effect-marketdata/core/Account"
import type * as Retry from "@effect-marketdata/core/Retry"
import * as Config from "effect/Config"
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

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
 * - `baseUrl`: where the service is, with or without a trailing slash or a path (clause 1-base-url); the public service by default
 * - `token`: the account's token, or an effect that fetches it for each request, for rotation; without one only the demo ticker
 *   answers. It goes in the `Authorization` header, never over plain http except to this machine, and nowhere else
 * - `transformClient`: the last word on the HTTP client that requests go through
 * - `retries`: how many retries all calls together may send; ten at once, and one more every two seconds
 * - `maxSymbols`: the most tickers in one request; 500 (clause 8.1-batches)
 *
 * @category models
 * @since 0.1.0
 */
export interface MarketDataConfig {
  readonly baseUrl?: string | undefined
  readonly token?: Redacted.Redacted | Effect.Effect<Redacted.Redacted> | undefined
  readonly transformClient?: ((client: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
  readonly retries?: Retry.Allowance | undefined
  readonly maxSymbols?: number | undefined
}

/**
 * Reads `MARKETDATA_TOKEN` and `MARKETDATA_BASE_URL`; both may be missing.
 *
 * @category configuration
 * @since 0.1.0
 */
export const fromEnvironment: Config.Config<MarketDataConfig> = /* @__PURE__ */ Config.map(
  /* @__PURE__ */ Config.all({
    token: /* @__PURE__ */ Config.option(/* @__PURE__ */ Config.Redacted("MARKETDATA_TOKEN")),
    baseUrl: /* @__PURE__ */ Config.withDefault(/* @__PURE__ */ Config.String("MARKETDATA_BASE_URL"), publicBaseUrl)
  }),
  ({ baseUrl, token }) => ({ baseUrl, token: Option.getOrUndefined(token) })
)

/**
 * Reads the budget of credits from `MARKETDATA_ALLOWANCE`, in whole credits from 0 on, and `MARKETDATA_ALLOWANCE_WINDOW`, after which it is whole
 * again: `day`, `minute`, or `none`, which is the default. The first must be there.
 *
 * @category configuration
 * @since 0.1.0
 */
export const allowance: Config.Config<Account.Allowance> = /* @__PURE__ */ Config.all({
  credits: /* @__PURE__ */ Config.schema(
    /* @__PURE__ */ Schema.Int.check(/* @__PURE__ */ Schema.isGreaterThanOrEqualTo(0)),
    "MARKETDATA_ALLOWANCE"
  ),
  window: /* @__PURE__ */ Config.withDefault(
    /* @__PURE__ */ Config.Literals(["day", "minute", "none"], "MARKETDATA_ALLOWANCE_WINDOW"),
    "none"
  )
})

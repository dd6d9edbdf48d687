/**
 * What the service knows of the account that asks.
 *
 * @example
 * ```ts
 * import * as AccountStatus from "@effect-marketdata/core/AccountStatus"
 * import * as Result from "effect/Result"
 *
 * const body = `{"x-ratelimit-requests-remaining":99,"x-ratelimit-requests-limit":100,"x-options-data-permissions":""}`
 * Result.getOrThrow(AccountStatus.decode(body)).creditsRemaining // => 99
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Document from "../columns/document.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The allowance of the current window, what is left of it, both in credits, and what the account may see of options, in the service's own
 * words (empty if it says nothing).
 *
 * @category models
 * @since 0.1.0
 */
export interface AccountStatus {
  readonly creditsLimit: number
  readonly creditsRemaining: number
  readonly optionsData: string
}

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.value({
  name: "account",
  path: "/user/",
  kind: "free",
  demo: "none",
  maxRows: 1
})

/**
 * Asks what the service knows of the account: its credits, and what it may see. It takes no options and no mode, and it is free.
 *
 * @category constructors
 * @since 0.1.0
 */
export const query = /* @__PURE__ */ Define.page<AccountStatus>(row)

/**
 * Decodes the body of a reply, given as bytes or text. Fails with `DecodeError` for a body that is not such a reply.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Document.Decode<AccountStatus> = (body) => Document.decode(decoder(), body)

/**
 * Creates a decoder for a reply that arrives in pieces. It gives the same results and errors as `decode`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder: Document.Decoder<AccountStatus> = (options) =>
  Document.decoder(
    {
      named: {
        "x-ratelimit-requests-limit": Document.number,
        "x-ratelimit-requests-remaining": Document.number,
        "x-options-data-permissions": Document.text
      }
    },
    options,
    ({ named }) =>
      Result.succeed({
        creditsLimit: named["x-ratelimit-requests-limit"],
        creditsRemaining: named["x-ratelimit-requests-remaining"],
        optionsData: named["x-options-data-permissions"]
      })
  )

/** @internal */
export const reading = /* @__PURE__ */ Reading.value(decoder)

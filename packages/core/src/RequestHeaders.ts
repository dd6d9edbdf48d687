/**
 * The headers of a request as they reached the service, some of them shortened by it.
 *
 * @example
 * ```ts
 * import * as RequestHeaders from "@effect-marketdata/core/RequestHeaders"
 * import * as Result from "effect/Result"
 *
 * Result.map(RequestHeaders.decode(`{"accept":"application/json"}`), (headers) => headers.get("accept"))
 * // => Result.succeed("application/json")
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { DecodeError } from "./DecodeError.ts"
import * as Fields from "./internal/fields.ts"

/**
 * Headers by name.
 *
 * @category models
 * @since 0.1.0
 */
export type RequestHeaders = ReadonlyMap<string, string>

/**
 * Decodes the body of a reply, bytes or text; fails with `DecodeError`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode = (body: Uint8Array | string): Result.Result<RequestHeaders, DecodeError> =>
  Result.gen(function*() {
    const fields = yield* Fields.read(body)
    const headers = new Map<string, string>()
    for (const name of Object.keys(fields)) headers.set(name, yield* Fields.text(fields, name))
    return headers
  })

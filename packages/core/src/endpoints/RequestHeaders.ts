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
import * as Document from "../columns/document.ts"
import * as Define from "./define.ts"
import * as Reading from "./reading.ts"

/**
 * The values of the headers by their names.
 *
 * @category models
 * @since 0.1.0
 */
export type RequestHeaders = ReadonlyMap<string, string>

/**
 * The endpoint as data: its path, its parameters, its columns and the rule of its price.
 *
 * @category constants
 * @since 0.1.0
 */
export const row = /* @__PURE__ */ Define.value({
  name: "requestHeaders",
  path: "/headers/",
  kind: "free",
  demo: "none",
  maxRows: 1
})

/**
 * Asks which headers of a request reach the service. It takes no options and no mode, and it is free.
 *
 * @category constructors
 * @since 0.1.0
 */
export const query = /* @__PURE__ */ Define.page<RequestHeaders>(row)

/**
 * Decodes the body of a reply, given as bytes or text. Fails with `DecodeError` for a body that is not such a reply.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decode: Document.Decode<RequestHeaders> = (body) => Document.decode(decoder(), body)

/**
 * Creates a decoder for a reply that arrives in pieces. It gives the same results and errors as `decode`.
 *
 * @category decoding
 * @since 0.1.0
 */
export const decoder: Document.Decoder<RequestHeaders> = (options) =>
  Document.decoder(
    { named: {}, others: { field: Document.text, expectedName: "the name of a header", isName: () => true } },
    options,
    ({ others }) => Result.succeed(others)
  )

/** @internal */
export const reading = /* @__PURE__ */ Reading.value(decoder, {
  cleaned: (headers, clean) => new Map(Array.from(headers, ([name, value]) => [name, clean(value)]))
})

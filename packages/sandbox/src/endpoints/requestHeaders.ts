import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Found from "../view/found.ts"

/** Headers whose values are secrets, which are not even told to those who sent them. */
const secret = /^(authorization|proxy-authorization|cookie|x-api-key)$/i

/** The headers of the request as they arrived, without its secrets. */
export const read: Found.Reader = () =>
  Result.succeed({
    query: Query.requestHeaders,
    answer: ({ request }) =>
      Result.succeed(
        Found.page(
          Object.fromEntries(
            Object.entries(request.headers).flatMap(([name, value]) =>
              value === undefined ? [] : [[name, secret.test(name) ? "*******" : value] as const]
            )
          )
        )
      )
  })

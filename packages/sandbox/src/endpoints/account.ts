import * as Query from "@effect-marketdata/core/Query"
import * as Result from "effect/Result"
import * as Permissions from "../account/permissions.ts"
import * as Found from "../view/found.ts"

/** What the service knows of the account that asks, and of no other. */
export const read: Found.Reader = ({ profile }) =>
  Result.succeed({
    query: Query.account,
    answer: ({ account, standing }) => {
      const { limit, remaining } = standing()
      return Result.succeed(Found.page({
        "x-ratelimit-requests-remaining": remaining,
        "x-ratelimit-requests-limit": limit,
        "x-options-data-permissions": Permissions.inWords(account, profile)
      }))
    }
  })

import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Query from "@effect-marketdata/core/Query"
import * as ServiceStatus from "@effect-marketdata/core/ServiceStatus"
import * as Result from "effect/Result"
import * as Found from "../view/found.ts"
import * as Admission from "../request/admission.ts"

/** What the service knows of the account that asks, and of no other. */
export const account: Found.Reader = ({ profile }) =>
  Result.succeed({
    query: Query.account,
    answer: ({ account, standing }) => {
      const { limit, remaining } = standing()
      return Result.succeed(Found.page({
        "x-ratelimit-requests-remaining": remaining,
        "x-ratelimit-requests-limit": limit,
        "x-options-data-permissions": Admission.inWords(account, profile)
      }))
    }
  })

/** The service looks at its parts every five minutes. */
const period = 300

const services = [
  ...new Set(Object.values(Query.endpoints).map(({ listPath, path }) => listPath ?? path.replace(/\{.*$/, "")))
]

/** How the parts of the service are: all of them are well, always. */
export const serviceStatus: Found.Reader = () =>
  Result.succeed({
    query: Query.serviceStatus,
    answer: ({ now }) => {
      const length = services.length
      const ones = new Float64Array(length).fill(1)
      const table = ColumnTable.make<ServiceStatus.Spec, ServiceStatus.Column>(ServiceStatus.spec, {
        length,
        vectors: {
          service: { codes: Uint8Array.from(services.keys()), values: services },
          status: { codes: new Uint8Array(length), values: ["online"] },
          online: new Uint8Array(length).fill(1),
          uptimePct30d: ones,
          uptimePct90d: ones,
          updated: new Float64Array(length).fill(now - now % period)
        },
        nulls: {},
        findings: []
      })
      return Result.succeed(Found.table(table))
    }
  })

/** Headers whose values are secrets, which are not even told to those who sent them. */
const secret = /^(authorization|proxy-authorization|cookie|x-api-key)$/i

/** The headers of the request as they arrived, without its secrets. */
export const requestHeaders: Found.Reader = () =>
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

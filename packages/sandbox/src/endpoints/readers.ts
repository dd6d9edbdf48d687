import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Query from "@effect-marketdata/core/Query"
import * as ServiceStatus from "@effect-marketdata/core/ServiceStatus"
import * as Result from "effect/Result"
import * as Admission from "../request/admission.ts"
import * as View from "../view/view.ts"
import * as Listings from "./listings.ts"
import { read as optionChain } from "./optionChain.ts"
import * as Periods from "./periods.ts"
import * as Quotes from "./quotes.ts"

/** The page of the account that asks. */
const account: View.Reader = ({ profile }) =>
  Result.succeed({
    query: Query.account,
    answer: ({ account, standing }) => {
      const { limit, remaining } = standing()
      return Result.succeed(View.page({
        "x-ratelimit-requests-remaining": remaining,
        "x-ratelimit-requests-limit": limit,
        "x-options-data-permissions": Admission.inWords(account, profile)
      }))
    }
  })

/** How often the service checks its parts, in seconds. */
const period = 300

const services = [
  ...new Set(Object.values(Query.endpoints).map(({ listPath, path }) => listPath ?? path.replace(/\{.*$/, "")))
]

/** The status of the parts of the service, which are always online. */
const serviceStatus: View.Reader = () =>
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
      return Result.succeed(View.table(table))
    }
  })

/** Headers with secrets, whose values are not echoed even to their sender. */
const secret = /^(authorization|proxy-authorization|cookie|x-api-key)$/i

/** The headers of the request as they arrived, without its secrets. */
const requestHeaders: View.Reader = () =>
  Result.succeed({
    query: Query.requestHeaders,
    answer: ({ request }) =>
      Result.succeed(
        View.page(
          Object.fromEntries(
            Object.entries(request.headers).flatMap(([name, value]) =>
              value === undefined ? [] : [[name, secret.test(name) ? "*******" : value] as const]
            )
          )
        )
      )
  })

/** How the requests of each endpoint are read and answered. Paths and prices are in core's rows. */
export const readers: { readonly [Name in Query.EndpointName]: View.Reader } = {
  optionChain,
  optionQuote: Quotes.ofOption,
  optionLookup: Listings.lookup,
  optionExpirations: Listings.expirations,
  optionStrikes: Listings.strikes,
  stockQuotes: Quotes.ofStocks,
  stockPrices: Quotes.prices,
  stockCandles: Periods.stockCandles,
  stockBulkCandles: Periods.bulkCandles,
  stockEarnings: Periods.stockEarnings,
  stockNews: Periods.stockNews,
  marketStatus: Periods.marketStatus,
  fundCandles: Periods.fundCandles,
  account,
  serviceStatus,
  requestHeaders
}

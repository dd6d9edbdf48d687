import * as Redacted from "effect/Redacted"
import * as RequestLaws from "@effect-marketdata/testing/RequestLaws"
import { describe, it } from "@effect/vitest"
import { assertAllBroken } from "../support/planted.ts"

describe("RequestLaws", () => {
  const changed = (change: (sent: RequestLaws.Sent) => RequestLaws.Sent) =>
    RequestLaws.of((query) => RequestLaws.core(query).map(change))

  it("of finds every mistake of a transport", () => {
    assertAllBroken({
      "all at once": RequestLaws.of((query) => {
        const lines = RequestLaws.core(query)
        return [{ line: lines.map(({ line }) => line).join(""), tickers: query.tickers }]
      }),
      "a blank in the path": changed((sent) => ({ ...sent, line: sent.line.replace("/v1/", "/v1 /") })),
      "a parameter comes twice": changed((sent) => ({
        ...sent,
        line: sent.line.replace(/ HTTP/, sent.line.includes("?") ? "&mode=live&mode=live HTTP" : "?a=1&a=1 HTTP")
      })),
      "dots that are resolved": changed((sent) => ({ ...sent, line: sent.line.replace("/v1/", "/v1/../v1/") })),
      "the last is forgotten": changed((sent) => ({ ...sent, tickers: sent.tickers.slice(0, -1) }))
    })
  })

  it("addressing finds a token that is not encoded, and one that is shown", () => {
    assertAllBroken({
      "as it is": RequestLaws.addressing((query, baseUrl, token) => {
        const { wire } = RequestLaws.coreWithToken(query, baseUrl, Redacted.make("-"))
        const urls = wire.map((url) => url.replace(/-$/, Redacted.value(token)))
        return { wire: urls, shown: urls.join() }
      })
    })
  })
})

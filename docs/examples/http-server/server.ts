/** Re-serves chains: one client with one budget and one cache answers all callers, so that the second one to ask for a chain costs nothing. */
import { CreditLedger, MarketData, type MarketDataError, Policies, ReplyCache } from "@effect-marketdata/client"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api, BadQuery, Chain, Later, NoChain, Upstream } from "./api.ts"

type Failure = BadQuery | NoChain | Later | Upstream

/** What a reason means to our callers: only what they can change is their fault. */
const failureOf = ({ message, reason }: MarketDataError.MarketDataError): Effect.Effect<never, Failure> => {
  switch (reason._tag) {
    case "InvalidQuery":
      return new BadQuery({ message: reason.message })
    case "NotFound":
    case "NoCachedData":
      return new NoChain({ message: reason.message })
    case "CreditBudgetExceeded":
    case "CreditsExhausted":
      return new Later({ message: "the server has no credits left for this now" })
    default:
      // What the service said is for the server's log.
      return Effect.logError(message).pipe(
        Effect.andThen(Effect.fail(new Upstream({ message: "the service did not answer" })))
      )
  }
}

const chains = HttpApiBuilder.group(
  Api,
  "chains",
  Effect.fn(function*(handlers) {
    const service = yield* MarketData.MarketData
    return handlers.handleAll({
      chain: ({ params, query }) =>
        MarketData.optionChain(params.underlying, {
          mode: "cached",
          dte: query.dte,
          strikeLimit: query.strikes ?? 10,
          columns: ["side", "strike", "bid", "ask"]
        }).pipe(
          Effect.map(({ credits, data, provenance }) =>
            new Chain({
              source: provenance.source,
              credits: credits.charged,
              rows: Array.from(data, ({ ask, bid, side, strike }) => ({ ask, bid, side, strike }))
            })
          ),
          Effect.catchTag("MarketDataError", failureOf),
          // What one caller has paid for answers all others for a minute.
          Effect.provideService(Policies.AcceptAge, "1 minute"),
          Effect.provideService(MarketData.MarketData, service),
          // Nor is it lost if that caller leaves: an interrupted call counts against the budget as if it was charged.
          Effect.uninterruptible
        )
    })
  })
)

/** The client: a budget for a day, and replies that answer again. */
export const client = (allowance: number) =>
  MarketData.layerConfig.pipe(
    Layer.provide([
      CreditLedger.layerMemory({ allowance, window: "day" }),
      ReplyCache.layerMemory({ maxBytes: 64_000_000, account: "server" })
    ])
  )

/** The routes, over a client. `GET /openapi.json` describes them. */
export const routes = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(Layer.provide(chains))

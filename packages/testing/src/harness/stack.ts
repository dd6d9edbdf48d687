import type * as MarketData from "@effect-marketdata/client/MarketData"
import type * as MarketDataConfig from "@effect-marketdata/client/MarketDataConfig"
import type * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import type * as Layer from "effect/Layer"

/** Makes a client over the HTTP client, the ledger and the guard that it is given. */
export type ClientLayer = (
  config: MarketDataConfig.MarketDataConfig
) => Layer.Layer<MarketData.MarketData, never, MarketData.Dependencies>

/** Makes a service: the sandbox, or something around it. */
export type ServiceLayer = (options: Sandbox.Options) => Layer.Layer<Sandbox.Sandbox>

/** What the server answers, and which status each failure has. Its callers import this file alone: the token stays with the server. */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

/** What the caller asked for cannot be asked: the message says what to change. */
export class BadQuery extends Schema.TaggedError<BadQuery>()(
  "BadQuery",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}

/** There is no such chain, or nothing of it is cached now. */
export class NoChain extends Schema.TaggedError<NoChain>()(
  "NoChain",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** The server's budget is used up: the same query may be answered later. */
export class Later extends Schema.TaggedError<Later>()("Later", { message: Schema.String }, { httpApiStatus: 503 }) {}

/** The service did not answer the server as it should. */
export class Upstream extends Schema.TaggedError<Upstream>()(
  "Upstream",
  { message: Schema.String },
  { httpApiStatus: 502 }
) {}

const price = Schema.NullOr(Schema.Finite)

export class Chain extends Schema.Class<Chain>("Chain")({
  /** From where the data came: the service, live or cached, or a reply that the server kept. */
  source: Schema.String,
  /** What this request cost the server. */
  credits: Schema.Finite,
  rows: Schema.Array(Schema.Struct({ side: Schema.String, strike: Schema.Finite, bid: price, ask: price }))
}) {}

const chain = HttpApiEndpoint.get("chain", "/chains/:underlying", {
  params: { underlying: Schema.String },
  query: { dte: Schema.FiniteFromString, strikes: Schema.optional(Schema.FiniteFromString) },
  success: Chain,
  error: [BadQuery, NoChain, Later, Upstream]
})

export class Api extends HttpApi.make("chains").add(HttpApiGroup.make("chains", { topLevel: true }).add(chain)) {}

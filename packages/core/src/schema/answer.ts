import * as Schema from "effect/Schema"
import * as Answers from "../reply/Answer.ts"
import type * as Provenances from "../reply/Provenance.ts"
import { Reason } from "../reason/Reason.ts"
import * as Encoded from "./encoded.ts"
import { assumptions, Estimate } from "./estimate.ts"
import { Finding } from "./finding.ts"
import { optional, orUndefined } from "../text/field.ts"

/**
 * The schema of `Provenance`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Provenance: Schema.Codec<Provenances.Provenance, Schema.Json> = /* @__PURE__ */ Schema.Struct({
  status: /* @__PURE__ */ Schema.Literals([200, 203]),
  source: /* @__PURE__ */ Schema.Literals(["provider", "cache", "local"]),
  age: /* @__PURE__ */ optional(Schema.Finite),
  requestedMode: /* @__PURE__ */ orUndefined(
    /* @__PURE__ */ Schema.Literals(["Live", "Delayed", "Cached", "CachedOrLive", "Eod", "Historical"])
  ),
  sentMode: /* @__PURE__ */ orUndefined(
    /* @__PURE__ */ Schema.Literals(["live", "delayed", "cached", "eod", "historical"])
  ),
  updated: /* @__PURE__ */ orUndefined(
    /* @__PURE__ */ Schema.Struct({ oldest: Schema.Finite, newest: Schema.Finite })
  ),
  receivedAt: Schema.Finite,
  requestId: /* @__PURE__ */ orUndefined(Schema.String)
})

const Charge = /* @__PURE__ */ Schema.Struct({
  credits: Encoded.Credits,
  uncertain: Encoded.Amount,
  reported: /* @__PURE__ */ orUndefined(Schema.Finite),
  computed: /* @__PURE__ */ orUndefined(Schema.Finite),
  finding: /* @__PURE__ */ orUndefined(Finding),
  clause: Schema.String,
  assumptions
})

/**
 * The schema of `Answer.Attempt`: one request that was sent for a query.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Attempt: Schema.Codec<Answers.Attempt, Schema.Json> = /* @__PURE__ */ Encoded.printing(
  /* @__PURE__ */ Schema.Struct({
    target: Schema.String,
    status: /* @__PURE__ */ orUndefined(Schema.Int),
    charge: /* @__PURE__ */ orUndefined(Charge),
    uncertain: Encoded.Amount,
    repeats: /* @__PURE__ */ Schema.Int.check(/* @__PURE__ */ Schema.isGreaterThanOrEqualTo(0)),
    elsewhere: Encoded.Credits,
    reason: /* @__PURE__ */ orUndefined(Reason)
  }),
  Answers.attempt
)

/**
 * Returns the schema of answers, from the schema of their data.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Answer = <A>(data: Schema.Codec<A, Schema.Json>): Schema.Codec<Answers.Answer<A>, Schema.Json> =>
  Encoded.printing(
    Schema.Struct({
      data,
      findings: Schema.Array(Finding),
      provenance: Provenance,
      credits: Schema.Struct({ estimate: Estimate, charged: Encoded.Credits, uncertain: Encoded.Amount }),
      trace: Schema.Array(Attempt)
    }),
    Answers.make
  )

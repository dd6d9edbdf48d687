import * as Schema from "effect/Schema"
import type * as Credits from "../credits/Credits.ts"
import { range } from "../credits/range.ts"
import { InvalidQuery } from "../reason/Reason.ts"
import * as Encoded from "./encoded.ts"

/** Something that a price takes for granted. */
export const assumptions = /* @__PURE__ */ Schema.Array(
  /* @__PURE__ */ Schema.Struct({ name: Schema.String, value: Schema.String })
)

const terms = { clause: Schema.String, assumptions }

/**
 * The schema of estimates. An infinite bound is `"Infinity"` in JSON.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Estimate: Schema.Codec<Credits.Estimate, Schema.Json> = /* @__PURE__ */ Schema.Union([
  /* @__PURE__ */ Schema.TaggedStruct("Exact", { credits: Encoded.Credits, ...terms }),
  /* @__PURE__ */ Encoded.printing(
    /* @__PURE__ */ Schema.TaggedStruct("Range", {
      min: Encoded.Credits,
      max: Encoded.Amount,
      movedBy: Schema.String,
      ...terms
    }).check(
      /* @__PURE__ */ Schema.makeFilter(({ max, min }) =>
        min <= max || { path: ["max"], issue: "Expected min or more" }
      )
    ),
    range
  ),
  /* @__PURE__ */ Schema.TaggedStruct("NotStated", { what: Schema.String, ...terms }),
  /* @__PURE__ */ Schema.TaggedStruct("Unavailable", { why: Schema.String, ...terms }),
  /* @__PURE__ */ Schema.TaggedStruct("Refused", { reason: InvalidQuery, ...terms })
])

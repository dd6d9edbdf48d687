import * as Schema from "effect/Schema"
import type * as Findings from "../columns/Finding.ts"
import { orUndefined } from "../text/field.ts"

/** The compiler asks for every kind of deviation. */
const codes: { readonly [Code in Findings.Code]: true } = {
  MissingStatus: true,
  UnknownField: true,
  MissingColumn: true,
  LengthMismatch: true,
  NullNotAllowed: true,
  StrikeMismatch: true,
  SideMismatch: true,
  ExpirationMismatch: true,
  ExpirationTime: true,
  MidMismatch: true,
  DteMismatch: true,
  MoneynessMismatch: true,
  UnexpectedRow: true,
  MissingRow: true,
  CachedAnsweredFresh: true,
  SpentElsewhere: true,
  DamagedReply: true,
  UnexplainedCharge: true
}

const count = /* @__PURE__ */ Schema.Int.check(/* @__PURE__ */ Schema.isGreaterThanOrEqualTo(0))

/**
 * The schema of findings.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Finding: Schema.Codec<Findings.Finding, Schema.Json> = /* @__PURE__ */ Schema.Struct({
  code: /* @__PURE__ */ Schema.Literals(Object.keys(codes) as ReadonlyArray<Findings.Code>),
  column: /* @__PURE__ */ orUndefined(Schema.String),
  count,
  examples: /* @__PURE__ */ Schema.Array(
    /* @__PURE__ */ Schema.Struct({
      index: /* @__PURE__ */ orUndefined(count),
      expected: Schema.String,
      received: Schema.String
    })
  )
})

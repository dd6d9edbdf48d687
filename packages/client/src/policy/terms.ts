/** The terms on which a query is asked: what the policies say where it is. */
import type { BufferPool } from "@effect-marketdata/core/BufferPool"
import * as Context from "effect/Context"
import * as Claim from "./Claim.ts"
import * as Policies from "./Policies.ts"
import { RetryPolicy } from "./RetryPolicy.ts"

/** Reads the policies, all of them that decide how a query is asked. */
export const of = (context: Context.Context<never>) => ({
  findings: Context.get(context, Policies.Findings),
  figures: Context.get(context, Policies.RecordedFigures),
  /** Undefined where the client's own holds. */
  retry: Context.getOrUndefined(context, RetryPolicy),
  attemptTimeout: Context.get(context, Policies.AttemptTimeout),
  /** Where tables take their memory from; undefined where it is fresh. */
  buffers: Context.get(context, Buffers),
  ipPolicy: Context.get(context, Policies.IpRule),
  /** How old a kept reply may be; undefined where its freshness alone decides. */
  acceptAge: Context.get(context, Policies.AcceptAge),
  claim: Context.get(context, Claim.Current)
})

/** What the policies say where a query is asked. */
export type Terms = Readonly<ReturnType<typeof of>>

/** The pool that a call takes the memory of its table from. */
export const Buffers = /* @__PURE__ */ Context.Reference<BufferPool | undefined>("@effect-marketdata/client/Buffers", {
  defaultValue: () => undefined
})

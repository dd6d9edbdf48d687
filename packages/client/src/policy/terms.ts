/** The terms on which a query is asked: what the policies say where it is. */
import type { BufferPool } from "@effect-marketdata/core/BufferPool"
import type * as Credits from "@effect-marketdata/core/Credits"
import type * as MaxAge from "@effect-marketdata/core/MaxAge"
import * as Context from "effect/Context"
import * as Claim from "./Claim.ts"
import * as Policies from "./Policies.ts"
import { RetryPolicy } from "./RetryPolicy.ts"

/** What the policies say where a query is asked. */
export interface Terms {
  readonly findings: "keep" | "strict"
  readonly figures: Credits.Figures
  /** Undefined where the client's own holds. */
  readonly retry: RetryPolicy["Service"] | undefined
  readonly attemptTimeout: number
  /** Where tables take their memory from; undefined where it is fresh. */
  readonly buffers: BufferPool | undefined
  readonly ipPolicy: Policies.IpPolicy
  /** How old a kept reply may be; undefined where its freshness alone decides. */
  readonly acceptAge: MaxAge.Input | undefined
  readonly claim: Claim.Claim | undefined
}

/** Reads the policies, all of them that decide how a query is asked. */
export const of = (context: Context.Context<never>): Terms => ({
  findings: Context.get(context, Policies.Findings),
  figures: Context.get(context, Policies.Figures),
  retry: Context.getOrUndefined(context, RetryPolicy),
  attemptTimeout: Context.get(context, Policies.AttemptTimeout),
  buffers: Context.get(context, Buffers),
  ipPolicy: Context.get(context, Policies.IpRule),
  acceptAge: Context.get(context, Policies.AcceptAge),
  claim: Context.get(context, Claim.Current)
})

/** The pool that a call takes the memory of its table from. */
export const Buffers: Context.Reference<BufferPool | undefined> = /* @__PURE__ */ Context.Reference<
  BufferPool | undefined
>("@effect-marketdata/client/Buffers", { defaultValue: () => undefined })

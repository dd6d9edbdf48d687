/** The terms on which a query is asked: what the policies say where it is. */
import type * as Credits from "@effect-marketdata/core/Credits"
import * as Context from "effect/Context"
import * as Policies from "./Policies.ts"
import { RetryPolicy } from "./RetryPolicy.ts"

/** What the policies say where a query is asked. */
export interface Terms {
  readonly findings: "keep" | "strict"
  readonly figures: Credits.Figures
  /** Undefined where the client's own holds. */
  readonly retry: RetryPolicy["Service"] | undefined
  readonly attemptTimeout: number
  readonly ipPolicy: Policies.IpPolicy
}

/** Reads the policies, all of them that decide how a query is asked. */
export const of = (context: Context.Context<never>): Terms => ({
  findings: Context.get(context, Policies.Findings),
  figures: Context.get(context, Policies.Figures),
  retry: Context.getOrUndefined(context, RetryPolicy),
  attemptTimeout: Context.get(context, Policies.AttemptTimeout),
  ipPolicy: Context.get(context, Policies.IpRule)
})

import type { CacheFallback } from "@effect-marketdata/client/CacheFallback"
import * as Claim from "@effect-marketdata/client/Claim"
import { MarketData } from "@effect-marketdata/client/MarketData"
import { MarketDataError } from "@effect-marketdata/client/MarketDataError"
import { RetryPolicy } from "@effect-marketdata/client/RetryPolicy"
import type { Answer } from "@effect-marketdata/core/Answer"
import * as Query from "@effect-marketdata/core/Query"
import { GatewayUnavailable, InvalidQuery, type Reason } from "@effect-marketdata/core/Reason"
import * as Schemas from "@effect-marketdata/core/Schemas"
import * as Cause from "effect/Cause"
import type {
  AlreadyProcessingMessage,
  EntityNotAssignedToRunner,
  MailboxFull,
  PersistenceError
} from "effect/cluster/ClusterError"
import type { Sharding } from "effect/cluster/Sharding"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as Answers from "../wire/answers.ts"
import * as Protocol from "../wire/Protocol.ts"
import * as Terms from "../wire/terms.ts"
import * as Options from "./options.ts"

/** Whose gateway is asked, who asks, and how long a call waits for an answer. */
export interface CallingOptions {
  readonly account: string
  readonly caller?: string | undefined
  readonly patience?: Duration.Input | undefined
}

const settings = (
  { account, caller = `${hostname()} ${process.pid}`.slice(0, 100), patience = "5 minutes" }: Partial<CallingOptions>
) =>
  Result.gen(function*() {
    return {
      account: yield* Options.named("account", account),
      caller: yield* Options.named("caller", caller),
      patience: yield* Options.time("patience", patience)
    }
  })

/** How long a call waits before it looks for the runner that its account moved to. */
const moving = "100 millis"

/** Asks the gateway of an account in place of the service. */
export const layer = (options: CallingOptions): Layer.Layer<MarketData, never, Sharding> =>
  Layer.effect(
    MarketData,
    Effect.gen(function*() {
      const gateway = yield* Protocol.Gateway.client
      const usual = Option.getOrUndefined(yield* Effect.serviceOption(RetryPolicy))
      const checked = settings(options ?? {})

      const ask = (query: Query.Query): Effect.Effect<Answer<unknown>, MarketDataError, CacheFallback> =>
        Effect.gen(function*() {
          const fail = (reason: Reason) =>
            Effect.fail(new MarketDataError({ query: Query.format(query), reason, trace: [] }))
          if (Result.isFailure(checked)) return yield* fail(checked.failure)
          const { account, caller, patience } = checked.success
          const claim = yield* Effect.catch(Effect.fromResult(Claim.check(yield* Claim.Current)), fail)
          const terms = yield* Effect.catch(Terms.of(query, usual), fail)
          const payload = {
            version: Protocol.version,
            call: randomUUID(),
            caller,
            ...claim === undefined ? {} : { claim: { key: claim.key, run: claim.run } },
            query: yield* Effect.catch(Schema.encodeEffect(Schemas.Query)(query), ({ message }) =>
              fail(
                InvalidQuery.of("query", query, {
                  rule: `cannot be sent: ${message}`,
                  example: "what a constructor of Query made"
                })
              )),
            terms: yield* Effect.catch(Schema.encodeEffect(Terms.Terms)(terms), ({ message }) =>
              fail(InvalidQuery.of("policies", terms, { rule: `cannot be sent: ${message}`, example: "the defaults" })))
          }
          const understood = <A>(reply: Effect.Effect<A, Schema.SchemaError>) =>
            Effect.catch(reply, ({ message }) =>
              fail(unavailable("OtherVersion", message, true)))
          const once: Effect.Effect<Answer<unknown>, MarketDataError> = Effect.matchCauseEffect(
            gateway(account).Ask(payload),
            {
              onSuccess: (reply) =>
                understood(Answers.decode(query, reply)),
              onFailure: (cause) => {
                const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
                if (failure === undefined) {
                  // Who asked is still there: it was the runner that gave the call up.
                  return Cause.hasInterruptsOnly(cause)
                    ? fail(unavailable("Unreachable", "the runner stopped before it had an answer", true))
                    : Effect.failCause(cause as Cause.Cause<never>)
                }
                switch (failure._tag) {
                  case "Failed":
                    return Effect.flatMap(understood(Answers.decodeError(query, failure)), Effect.fail)
                  case "Moved":
                    return Effect.delay(once, moving)
                  default:
                    return fail(why(failure))
                }
              }
            }
          )
          return yield* Effect.timeoutOrElse(once, {
            duration: patience,
            orElse: () => fail(unavailable("Unreachable", `no answer came within ${patience} ms`, true))
          })
        })

      return MarketData.of({
        run: ((query: Query.Query) =>
          Result.match(Query.check(query), {
            onFailure: (reason) => Effect.fail(new MarketDataError({ query: "run", reason, trace: [] })),
            onSuccess: ask
          })) as MarketData["Service"]["run"]
      })
    })
  )

const unavailable = (cause: GatewayUnavailable["cause"], detail: string, wasSent: boolean) =>
  new GatewayUnavailable({ cause, detail, wasSent })

type NotTaken =
  | Exclude<typeof Protocol.Failed.Type, { readonly _tag: "Failed" | "Moved" }>
  | MailboxFull
  | AlreadyProcessingMessage
  | PersistenceError
  | EntityNotAssignedToRunner

/** Says why a call was not taken, in the caller's words. */
const why = (failure: NotTaken): GatewayUnavailable => {
  switch (failure._tag) {
    case "Busy":
      return unavailable("Busy", `${failure.waiting} calls wait`, false)
    case "MailboxFull":
      return unavailable("Busy", "its mailbox is full", false)
    case "OtherVersion":
      return unavailable("OtherVersion", `it speaks ${failure.version}, and this program ${Protocol.version}`, false)
    case "Unreadable":
      return unavailable("OtherVersion", failure.detail, false)
    case "AlreadyProcessingMessage":
    case "EntityNotAssignedToRunner":
    case "PersistenceError":
      return unavailable("Unreachable", failure._tag, true)
  }
}

import type * as Answer from "@effect-marketdata/core/Answer"
import type * as HttpRequest from "@effect-marketdata/core/HttpRequest"
import type * as Query from "@effect-marketdata/core/Query"
import type * as Reason from "@effect-marketdata/core/Reason"
import type * as Reply from "@effect-marketdata/core/Reply"
import type * as Retry from "@effect-marketdata/core/Retry"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import type * as Result from "effect/Result"
import type * as Semaphore from "effect/Semaphore"
import type { CreditLedger } from "../CreditLedger.ts"
import type { EgressGuard } from "../EgressGuard.ts"
import type { BytesInFlight } from "./bytesInFlight.ts"
import type { Flights } from "./coalesce.ts"
import type { Rereading } from "./lastReplies.ts"
import type { Turns } from "./turns.ts"

/** What the client is made of: all its questions share it. */
export interface Parts {
  readonly client: HttpClient.HttpClient
  readonly ledger: CreditLedger["Service"]
  readonly egress: EgressGuard["Service"]
  readonly permits: Semaphore.Semaphore
  readonly retries: Ref.Ref<Retry.Budget>
  readonly flights: Flights
  readonly baseUrl: string
  readonly maxSymbols: number | undefined
  readonly maxReplyBytes: number | undefined
  readonly bytesInFlight: BytesInFlight
  readonly turns: Turns
  readonly reread: Rereading
  readonly tokenIn: "header" | "query"
  readonly token: Effect.Effect<Redacted.Redacted | undefined>
}

/** One question on its way: since when, and each request that was sent for it. */
export interface Asking {
  readonly parts: Parts
  readonly startedAt: number
  readonly trace: Ref.Ref<ReadonlyArray<Answer.Attempt>>
}

/** Begins to ask a question. */
export const start = (parts: Parts): Effect.Effect<Asking> =>
  Effect.map(
    Clock.currentTimeMillis,
    (startedAt) => ({ parts, startedAt, trace: Ref.makeUnsafe<ReadonlyArray<Answer.Attempt>>([]) })
  )

/** One of the requests that a question is cut into. */
export type Batch<Data> = HttpRequest.Batch<Data>

/** What came of one of them. */
export interface Part<out Data> {
  readonly query: Query.Query<Data>
  readonly result: Result.Result<Reply.Delivered<Data>, Reason.Reason>
}

/** What came of a question: that of each of its requests, in the order of the question. Never empty. */
export type Parted<Data> = ReadonlyArray<Part<Data>>

/** Adds a request to the trace, with what came of it. */
export const record = (asking: Asking, attempt: Answer.Attempt): Effect.Effect<void> =>
  Ref.update(asking.trace, (attempts) => [...attempts, attempt])

/** How often the same request was sent for this question. */
export const sentBefore = ({ trace }: Asking, { target }: HttpRequest.HttpRequest): number =>
  Ref.getUnsafe(trace).filter((attempt) => attempt.target === target).length

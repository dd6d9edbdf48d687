/**
 * What callers and runners say to each other: for programs that ask a gateway without this package's client, and for tests.
 *
 * @example
 * ```ts
 * import * as Protocol from "@effect-marketdata/cluster/Protocol"
 * import * as Effect from "effect/Effect"
 *
 * export const call: typeof Protocol.Call.Type = {
 *   version: Protocol.version,
 *   call: "8e4c0d7e-8a2b-4b4e-9f8d-6d1f0c1f2a3b",
 *   caller: "a program",
 *   query: `{"endpoint":"marketStatus"}`,
 *   terms: "{}"
 * }
 *
 * export const asked = Effect.flatMap(Protocol.Gateway.client, (gateway) => gateway("main").Ask(call))
 * ```
 *
 * @see {@link Gateway} for the client and for the entity that speaks it
 * @since 0.1.0
 */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import * as Answers from "./answers.ts"

/**
 * The version of what callers and runners say to each other. It grows when either would misunderstand the other; a runner of another version
 * refuses a call before anything is sent.
 *
 * @category constants
 * @since 0.1.0
 */
export const version = 1

/**
 * Into how many shards a cluster divides what it has. A runner takes a lock for each of them, one after another, within a second: with a database that is
 * milliseconds away that must not be many. An account has one of them; others are for jobs. Callers and runners look for an account in the same one, so a
 * change of it is a change of the `version`.
 *
 * @category constants
 * @since 0.1.0
 */
export const shards = 8

/**
 * The largest call, and anything else that a program may say to a runner at once, in bytes. Of an answer nothing is said here.
 *
 * @category constants
 * @since 0.1.0
 */
export const largestCall = 64 * 1024

/**
 * A call. What is asked is a text of JSON until the versions were compared: what one does not know, it does not read.
 *
 * - `call`: a UUID that tells it from all others, also where it arrives twice
 * - `caller`: who asks; callers take turns. `proof` is that of its credential, where runners have a secret
 * - `claim`: the claim under which its caller makes it, if any
 * - `query`, `terms`: what is asked, as `Schemas.Query` writes it, and on which terms: what the caller does not say is left out
 *
 * @category schemas
 * @since 0.1.0
 */
export const Call = Schema.Struct({
  version: Schema.Int,
  call: Schema.String,
  caller: Schema.String,
  proof: Schema.optionalKey(Schema.String),
  claim: Schema.optionalKey(Schema.Struct({ key: Schema.String, run: Schema.String })),
  query: Schema.String,
  terms: Schema.String
})

/**
 * What answers a call: all of the answer but its data as a text of JSON, and the data as `Bytes.DataAsBytes` writes them.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Reply = Answers.Reply

const tenure = Schema.optionalKey(Schema.Finite)

/**
 * Why a call has no answer. `Failed` is what the client of the runner failed with. With the others this runner has sent nothing:
 * - `Busy`: too many calls wait
 * - `OtherVersion`, `Unreadable`: the runner does not understand the call
 * - `Moved`: the account is no longer with this runner; the call is to be sent again
 *
 * The cluster brings a call to another runner when it loses the one that had it, and that one may have sent it. `tenure` says for how many milliseconds
 * this runner has had the account, unless the call has come to it before: who has waited for longer cannot be sure that nothing was sent.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Failed = Schema.Union([
  Schema.TaggedStruct("Failed", { ...Answers.Failure.fields, tenure }),
  Schema.TaggedStruct("Busy", { waiting: Schema.Int, tenure }),
  Schema.TaggedStruct("OtherVersion", { version: Schema.Int, tenure }),
  Schema.TaggedStruct("Unreadable", { detail: Schema.String, tenure }),
  Schema.TaggedStruct("Moved", {})
])

/**
 * What the gateway of an account is doing.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Status = Schema.Struct({
  account: Schema.String,
  runner: Schema.String,
  since: Schema.Finite,
  running: Schema.Int,
  waiting: Schema.Int,
  callers: Schema.Array(Schema.Struct({ caller: Schema.String, running: Schema.Int, waiting: Schema.Int }))
})

/**
 * How a call is asked.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Ask = Rpc.make("Ask", { payload: Call.fields, success: Reply, error: Failed })

/**
 * The gateway of an account, which is named by the entity's id. Calls are not stored: a call without a waiting caller is not worth sending.
 *
 * @category services
 * @since 0.1.0
 */
export const Gateway = Entity.make("effect-marketdata/Gateway", [Ask, Rpc.make("Status", { success: Status })])

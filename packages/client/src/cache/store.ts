import type * as Provenance from "@effect-marketdata/core/Provenance"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import type { Kept } from "@effect-marketdata/core/Reuse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Rules from "../config/rules.ts"
import { reference } from "../policy/Policies.ts"

const Head = /* @__PURE__ */ Schema.Struct({
  endpoint: Schema.String,
  tickers: /* @__PURE__ */ Schema.UndefinedOr(/* @__PURE__ */ Schema.Array(Schema.String)),
  sentMode: /* @__PURE__ */ Schema.UndefinedOr(
    /* @__PURE__ */ Schema.Literals(["live", "delayed", "cached", "eod", "historical"])
  ),
  maxAge: /* @__PURE__ */ Schema.UndefinedOr(
    /* @__PURE__ */ Schema.Union([
      /* @__PURE__ */ Schema.TaggedStruct("Relative", { minutes: Schema.Finite }),
      /* @__PURE__ */ Schema.TaggedStruct("Absolute", { epochSeconds: Schema.Finite })
    ])
  ),
  receivedAt: Schema.Finite,
  updated: /* @__PURE__ */ Schema.UndefinedOr(
    /* @__PURE__ */ Schema.Struct({ oldest: Schema.Finite, newest: Schema.Finite })
  ),
  status: /* @__PURE__ */ Schema.Literals([200, 203]),
  mediaType: /* @__PURE__ */ Schema.UndefinedOr(Schema.String),
  reported: /* @__PURE__ */ Schema.UndefinedOr(Schema.Finite),
  requestId: /* @__PURE__ */ Schema.UndefinedOr(Schema.String),
  length: /* @__PURE__ */ Schema.Int.check(/* @__PURE__ */ Schema.isGreaterThanOrEqualTo(0))
})

/**
 * The schema of what is known of replies besides their bytes, `length` of each: as stores write it before the bytes, in the order of the replies.
 *
 * @category schemas
 * @since 0.1.0
 */
export const HeadsFromJson = /* @__PURE__ */ Schema.toCodecJson(/* @__PURE__ */ Schema.Array(Head))

/**
 * A reply as it came: how it began, what is known of it, and its bytes without their coding. `endpoint` is the name of the endpoint, such as
 * `optionChain`, and `tickers` are those of its request, where the query has a list of them. Nothing in it holds a token.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeptReply extends Kept {
  readonly endpoint: string
  readonly tickers: ReadonlyArray<string> | undefined
  readonly status: Provenance.Provenance["status"]
  readonly mediaType: string | undefined
  readonly reported: number | undefined
  readonly requestId: string | undefined
  readonly bytes: Uint8Array
}

/**
 * What a store has under a key: the replies to all requests of a query, in their order; nothing; or something that can no longer be read.
 *
 * @category models
 * @since 0.1.0
 */
export type Found =
  | { readonly _tag: "Kept"; readonly replies: ReadonlyArray<KeptReply> }
  | { readonly _tag: "None" }
  | { readonly _tag: "Damaged" }

/**
 * Where replies are kept. A key is a text of any length and holds no token. None of these functions fails: a store that cannot be read
 * has nothing, and one that cannot be written keeps nothing. An answer waits for `find`, and not for `keep`.
 *
 * - `maxBytes`: the most bytes that the replies to one query may have
 * - `find`: what is kept under a key. More than `maxBytes` bytes cannot be the replies to what is asked, and need not be read
 *
 * @category models
 * @since 0.1.0
 */
export interface Store {
  readonly maxBytes: number
  readonly find: (key: string, maxBytes: number) => Effect.Effect<Found>
  readonly keep: (key: string, replies: ReadonlyArray<KeptReply>) => Effect.Effect<void>
  readonly remove: (key: string) => Effect.Effect<void>
}

/**
 * Whose replies are kept, and whether they answer.
 *
 * - `account`: any name that you give the account, but not its token. Clients with the same name share replies, so give one name to one account with
 *   one plan: what one account may see, another may not. Without a name each client has replies of its own
 * - `anew`: whether kept replies are only replaced and never answer, so that the service is always asked; false if left out
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly account?: string | undefined
  readonly anew?: boolean | undefined
}

/**
 * Where a store on disk is, and the most bytes of all its files.
 *
 * @category models
 * @since 0.1.0
 */
export interface Disk {
  readonly directory: string
  readonly maxBytes: number
}

/** Checks the path of a directory. */
export const refusedDirectory = (directory: unknown): InvalidQuery | undefined =>
  typeof directory === "string" && directory !== "" && !directory.includes("\0")
    ? undefined
    : InvalidQuery.of("directory", directory, Rules.directory)

/** How long a query waits for the disk: 40 turns of a millisecond each, less than 50 ms on an idle machine. After that it is a miss. */
export const patience = 40

/** How many turns queries wait for a cache on disk. Tests on busy machines raise it. */
export const Patience = /* @__PURE__ */ reference<number>("ReplyCache/Patience", () => patience)

/**
 * Runs an effect that may never end, such as a read of a disk, and waits for it for some turns of the event loop of at least a millisecond each; undefined
 * if it has not ended by then. Turns are counted because they take longer on a busy machine, where the disk is not to blame. They go by the clock of the
 * machine, not by that of the program.
 */
export const within = Effect.fnUntraced(function*<A>(turns: number, self: Effect.Effect<A>) {
  const fiber = yield* Effect.forkDetach(self)
  return yield* Effect.raceFirst(Fiber.join(fiber), Effect.as(passed(turns), undefined)).pipe(
    // Its interruption may never end either, so it is not awaited.
    Effect.ensuring(Effect.sync(() => fiber.interruptUnsafe()))
  )
})

const passed = (turns: number): Effect.Effect<unknown> =>
  Effect.provideService(Effect.repeat(Effect.sleep(1), { times: turns - 1 }), Clock.Clock, Clock.Clock.defaultValue())

import { DecodeError } from "@effect-marketdata/core/DecodeError"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpClientError from "effect/http/HttpClientError"
// By name: beside an Effect without it, as 4.0 is, the import fails, and not a reply that was paid for.
import type * as Clock from "effect/Clock"
import { type HttpClientResponse, toWeb } from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Counted, Turns } from "../call/pauses.ts"

/** How the reading of a body ended, if the connection did not fail. */
export type End = "read" | "tooLarge" | "undecoded" | "miscoded"

/**
 * Hands the bytes of a body to its reader as they arrive, until the reader has enough, the body ends, exceeds its limit, or turns out to be in a content
 * coding that the HTTP client did not decode. The rest of the body is then not fetched.
 *
 * It pauses so that the program can do other work, and while too many bytes of other replies are in memory; nothing is fetched meanwhile.
 */
export const read = (response: HttpClientResponse, intake: Intake<unknown>) =>
  // A body that is too large by its own announcement is not read at all.
  Effect.suspend(() => intake.end === "tooLarge" ? Effect.succeed<End>("tooLarge") : hand(response, intake))

/** How many bytes are handed over at once: as many as a socket delivers at most, which takes a few milliseconds at worst. */
const sliceBytes = 65_536

/** As how many bytes an empty piece counts. */
const costOfEmpty = 1024

const nothing = new Uint8Array(0)

/** What a body is read with: its headers, the most bytes of it, and what it shares with other replies. */
interface Source<out Data> {
  readonly reader: Reply.Reader<Data>
  /** Takes a copy of what is read. */
  readonly copy: ((bytes: Uint8Array) => void) | undefined
  readonly headers: Headers.Headers
  readonly maxBytes: number
  readonly counted: Counted
  readonly turns: Turns
  readonly clock: Clock.Clock
}

/** Takes the bytes of a body, slice by slice, says when it is time for a pause, and counts what was decoded. */
export class Intake<out Data> {
  end: End = "read"
  size = 0
  /** How many bytes of the body were decoded, and how long that took, in nanoseconds. Time in which the reader waits for bytes does not count. */
  readonly decoded = { bytes: 0, nanos: 0n }
  private readonly source: Source<Data>
  private readonly isCoded: boolean
  /** Whether anything that comes can still change what was read. */
  wantsMore = true
  private hasRoom = true
  /** What is left of the piece that came last. */
  private left: Uint8Array = nothing

  constructor(source: Source<Data>) {
    const { headers, maxBytes } = source
    this.source = source
    this.isCoded = codingOf(headers) !== undefined
    if (Number(headers["content-length"]) > maxBytes) this.end = "tooLarge"
  }

  /** Takes a whole piece, with the pauses that are due. */
  whole(bytes: Uint8Array): Effect.Effect<void> {
    return this.take(bytes) ? Effect.void : this.pause
  }

  /** Takes a piece, and returns whether it wants the next one now. If so, the piece has been read as a whole. */
  take(piece: Uint8Array): boolean {
    this.left = piece
    // A stream of empty pieces alone would otherwise never let anything else run, not even a deadline.
    if (piece.length === 0) this.source.turns.count(0n, costOfEmpty)
    return this.goOn()
  }

  /** Pauses, as often as needed, until the rest of the piece is read. */
  readonly pause: Effect.Effect<void> = Effect.suspend(() => {
    if (!this.wantsMore || !this.needsPause) return Effect.void
    const { counted, turns } = this.source
    return Effect.andThen(
      this.hasRoom ? turns.next : Effect.andThen(counted.room, turns.next),
      Effect.suspend(() => {
        this.hasRoom = true
        return this.goOn() ? Effect.void : this.pause
      })
    )
  })

  private goOn(): boolean {
    while (this.wantsMore && this.left.length > 0 && !this.source.turns.isOver()) {
      const slice = this.left.subarray(0, sliceBytes)
      this.left = this.left.subarray(slice.length)
      this.wantsMore = this.takeSlice(slice)
    }
    return this.wantsMore && !this.needsPause
  }

  private get needsPause(): boolean {
    return !this.hasRoom || this.source.turns.isOver()
  }

  private takeSlice(slice: Uint8Array): boolean {
    if (this.isCoded && this.size < inspected && !isText(slice)) this.end = "undecoded"
    this.size += slice.length
    const { copy, counted, maxBytes, reader, turns } = this.source
    if (this.size > maxBytes) this.end = "tooLarge"
    this.hasRoom = counted.take(slice.length)
    if (this.end !== "read") return false
    const before = this.decoded.nanos
    this.decoded.bytes += slice.length
    copy?.(slice)
    const wantsMore = this.timed(() => reader.push(slice))
    turns.count(this.decoded.nanos - before, slice.length)
    return wantsMore
  }

  /** Does a step of what the reader has left to do after the last byte. Returns whether there is more. */
  advance(): boolean {
    const { advance } = this.source.reader
    return advance !== undefined && this.timed(advance)
  }

  /** Does the steps that are left, each in a turn of its own. */
  finish(): Effect.Effect<void> {
    return Effect.flatMap(this.source.turns.next, () => this.advance() ? this.finish() : Effect.void)
  }

  /** Returns what was read. */
  body(): Reply.Body<Data> {
    return this.timed(this.source.reader.end)
  }

  private timed<A>(read: () => A): A {
    const { clock } = this.source
    const start = clock.monotonicTimeNanosUnsafe()
    const result = read()
    this.decoded.nanos += clock.monotonicTimeNanosUnsafe() - start
    return result
  }
}

/** Takes the bytes of a kept reply. No other replies wait for one that is in memory as a whole. */
export const ofKept = <Data>(reader: Reply.Reader<Data>, turns: Turns, clock: Clock.Clock): Intake<Data> => {
  const counted: Counted = { take: () => true, room: Effect.void, end: () => undefined }
  return new Intake({ reader, copy: undefined, headers: Headers.empty, maxBytes: Infinity, counted, turns, clock })
}

/**
 * Hands over the bytes of a body as long as they are wanted. The body of a web response is read directly, because a `Stream` would take longer than
 * decoding a small reply.
 */
const hand = (response: HttpClientResponse, intake: Intake<unknown>) => {
  // If the application has read the body before, for example to log it, Effect has kept it as a whole. If not, nothing is left of it.
  const kept = Effect.suspend(() => response.arrayBuffer)
  const whole = Effect.flatMap(kept, (bytes) => Effect.map(intake.whole(new Uint8Array(bytes)), () => intake.end))
  const again = Effect.orElseSucceed(whole, () => intake.end)
  const web = Option.getOrUndefined(toWeb(response))
  if (web === undefined) {
    const goOn = (bytes: Uint8Array) => Effect.map(Effect.suspend(() => intake.whole(bytes)), () => intake.wantsMore)
    const read = Stream.runForEachWhile(response.stream, goOn)
    return Effect.flatMap(read, () => intake.size === 0 ? again : Effect.succeed(intake.end))
  }
  if (web.body === null) return Effect.succeed<End>("read")
  if (web.bodyUsed) return again
  // React Native has no streams.
  if (web.body === undefined) return whole
  return pump(web.body, intake, (cause) =>
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.DecodeError({ request: response.request, response, cause })
    }))
}

/** Reads a web stream until it ends or no more is wanted; then, and on interruption, the rest is cancelled. */
const pump = <E>(body: ReadableStream<Uint8Array>, intake: Intake<unknown>, broken: (cause: unknown) => E) => {
  const reader = body.getReader()
  // Nobody waits for the cancellation, which may take long.
  const giveUp = Effect.sync(() => void reader.cancel().catch(() => undefined))
  /** Reads until a pause is due, the stream ends, or no more is wanted. Returns whether the stream has ended. */
  const some = Effect.callback<boolean, E>((resume) => {
    const next = (): Promise<void> =>
      reader.read().then(
        ({ done, value }) => {
          if (done || !intake.take(value)) resume(Effect.succeed(done))
          else void next()
        },
        (cause: unknown) => resume(Effect.fail(broken(cause)))
      ).catch((defect: unknown) => resume(Effect.andThen(giveUp, Effect.die(defect))))
    void next()
    return giveUp
  })
  const pause = Effect.onInterrupt(intake.pause, () => giveUp)
  const goOn = Effect.suspend(() => intake.wantsMore ? all : Effect.andThen(giveUp, Effect.succeed(intake.end)))
  const all: Effect.Effect<End, E> = Effect.flatMap(
    some,
    (isRead) => isRead ? Effect.succeed(intake.end) : Effect.andThen(pause, goOn)
  )
  return all
}

/** The content coding of the body by its header. HTTP clients that decode it, as fetch does, leave the header as it was. */
const codingOf = (headers: Headers.Headers): string | undefined => {
  const coding = headers["content-encoding"]?.trim().toLowerCase()
  return coding === "" || coding === "identity" ? undefined : coding
}

/** How many bytes are inspected: a coded body without a control character among this many does not occur by chance. */
const inspected = 256

/** Texts of the service hold no control characters but tabs and line ends; compressed bytes soon do. */
const isText = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, inspected).every((byte) => byte >= 0x20 ? byte !== 0x7f : byte === 9 || byte === 10 || byte === 13)

/**
 * Says that a compressed body was cut short, if its data end too early: HTTP clients that decompress a body may take the end of the connection for the end
 * of the body.
 */
export const cutShort = (headers: Headers.Headers, held: Reply.Body<unknown>): string | undefined => {
  const coding = codingOf(headers)
  return coding !== undefined && "data" in held && Result.isFailure(held.data) &&
      held.data.failure.code === "UnexpectedEnd"
    ? `the reply ended within its ${shown(coding)}`
    : undefined
}

const shown = (coding: string): string => coding.slice(0, 50)

/** Whether the decoders of Node or Deno say that a body is not in its coding, or has a wrong checksum. It is not retried: the next one would be the same, and charged again. */
export const isMiscoded = (detail: string): boolean =>
  /^(?:Z_DATA_ERROR|Z_NEED_DICT|ERR__ERROR_|ZSTD_error_|Invalid gzip header|CRC computed|brotli error)/.test(detail)

/** The error for data whose body was not read to its end. */
export const unreadable = (headers: Headers.Headers, end: Exclude<End, "read">): DecodeError => {
  const coded = `bytes in the coding ${shown(codingOf(headers) ?? "")}`
  const found = {
    tooLarge: { code: "UnexpectedEnd", expected: "a body of bounded size", received: "a larger one" },
    undecoded: { code: "InvalidUtf8", expected: notAsked, received: coded },
    miscoded: { code: "InvalidUtf8", expected: coded, received: "others" }
  } as const
  return new DecodeError({ column: undefined, index: undefined, offset: undefined, ...found[end] })
}

const notAsked = "text, as no coding was asked for that the HTTP client does not undo"

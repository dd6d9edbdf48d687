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
 * Hands the bytes of a body to its reader as they arrive, until the reader has enough, the body ends, exceeds `maxBytes`, or turns out to be in a content
 * coding that the HTTP client did not decode. The rest of the body is then not fetched.
 *
 * It pauses so that the program can do other work, and while too many bytes of other replies are in memory; nothing is fetched meanwhile.
 */
export const read = (
  response: HttpClientResponse,
  headers: Headers.Headers,
  reader: Metered<unknown>,
  maxBytes: number,
  counted: Counted,
  turns: Turns
): Effect.Effect<End, HttpClientError.HttpClientError> =>
  Effect.suspend(() => {
    // A body that is too large by its own announcement is not read at all.
    if (Number(headers["content-length"]) > maxBytes) return Effect.succeed<End>("tooLarge")
    return hand(response, new Intake(headers, reader, maxBytes, counted, turns))
  })

/** Hands the bytes of a whole body to its reader, with the same pauses. */
export const replay = (bytes: Uint8Array, reader: Metered<unknown>, turns: Turns): Effect.Effect<void> =>
  Effect.suspend(() => {
    const intake = new Intake(Headers.empty, reader, Infinity, uncounted, turns)
    return intake.take(bytes) ? Effect.void : intake.pause
  })

const uncounted: Counted = { take: () => true, room: Effect.void, end: () => undefined }

/** How many bytes are handed over at once: as many as a socket delivers at most, which takes a few milliseconds at worst. */
const sliceBytes = 65_536

/** As how many bytes an empty piece counts. */
const costOfEmpty = 1024

const nothing = new Uint8Array(0)

/** Takes the bytes of a body, slice by slice, and says when it is time for a pause. */
class Intake {
  end: End = "read"
  size = 0
  private readonly reader: Metered<unknown>
  private readonly maxBytes: number
  private readonly counted: Counted
  private readonly turns: Turns
  private readonly isCoded: boolean
  private wantsMore = true
  private hasRoom = true
  /** What is left of the piece that came last. */
  private left: Uint8Array = nothing

  constructor(headers: Headers.Headers, reader: Metered<unknown>, maxBytes: number, counted: Counted, turns: Turns) {
    this.reader = reader
    this.maxBytes = maxBytes
    this.counted = counted
    this.turns = turns
    this.isCoded = codingOf(headers) !== undefined
  }

  /** Takes a piece, and returns whether it wants the next one now. If so, the piece has been read as a whole. */
  take(piece: Uint8Array): boolean {
    this.left = piece
    // A stream of empty pieces alone would otherwise never let anything else run, not even a deadline.
    if (piece.length === 0) this.turns.count(0n, costOfEmpty)
    return this.goOn()
  }

  /** Whether nothing more can change what was read. */
  get isOver(): boolean {
    return !this.wantsMore
  }

  /** Pauses, as often as needed, until the rest of the piece is read. */
  readonly pause: Effect.Effect<void> = Effect.suspend(() => {
    if (this.isOver || !this.needsPause) return Effect.void
    return Effect.andThen(
      this.hasRoom ? this.turns.next : Effect.andThen(this.counted.room, this.turns.next),
      Effect.suspend(() => {
        this.hasRoom = true
        return this.goOn() ? Effect.void : this.pause
      })
    )
  })

  private goOn(): boolean {
    while (this.wantsMore && this.left.length > 0 && !this.turns.isOver()) {
      const slice = this.left.subarray(0, sliceBytes)
      this.left = this.left.subarray(slice.length)
      this.wantsMore = this.takeSlice(slice)
    }
    return this.wantsMore && !this.needsPause
  }

  private get needsPause(): boolean {
    return !this.hasRoom || this.turns.isOver()
  }

  private takeSlice(slice: Uint8Array): boolean {
    if (this.isCoded && this.size < inspected && !isText(slice)) this.end = "undecoded"
    this.size += slice.length
    if (this.size > this.maxBytes) this.end = "tooLarge"
    this.hasRoom = this.counted.take(slice.length)
    if (this.end !== "read") return false
    const before = this.reader.decoded().nanos
    const wantsMore = this.reader.push(slice)
    this.turns.count(this.reader.decoded().nanos - before, slice.length)
    return wantsMore
  }
}

/**
 * Hands over the bytes of a body as long as they are wanted. The body of a web response is read directly, because a `Stream` would take longer than
 * decoding a small reply.
 */
const hand = (response: HttpClientResponse, intake: Intake): Effect.Effect<End, HttpClientError.HttpClientError> => {
  // If the application has read the body before, for example to log it, Effect has kept it as a whole. If not, nothing is left of it.
  const whole = Effect.flatMap(
    Effect.suspend(() => response.arrayBuffer),
    (kept) => Effect.map(intake.take(new Uint8Array(kept)) ? Effect.void : intake.pause, () => intake.end)
  )
  const again = Effect.orElseSucceed(whole, () => intake.end)
  const web = Option.getOrUndefined(toWeb(response))
  if (web === undefined) {
    const read = Stream.runForEachWhile(
      response.stream,
      (bytes) =>
        Effect.suspend(() => intake.take(bytes) ? Effect.succeed(true) : Effect.map(intake.pause, () => !intake.isOver))
    )
    return Effect.flatMap(read, () => intake.size === 0 ? again : Effect.succeed(intake.end))
  }
  if (web.body === null) return Effect.succeed("read")
  if (web.bodyUsed) return again
  // React Native has no streams.
  if (web.body === undefined) return whole
  return pump(web.body.getReader(), intake, (cause) =>
    new HttpClientError.HttpClientError({
      reason: new HttpClientError.DecodeError({ request: response.request, response, cause })
    }))
}

/** Reads a web stream until it ends or no more is wanted; then, and on interruption, the rest is cancelled. */
const pump = <E>(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  intake: Intake,
  broken: (cause: unknown) => E
): Effect.Effect<End, E> => {
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
  const goOn = Effect.suspend(() => intake.isOver ? Effect.andThen(giveUp, Effect.succeed(intake.end)) : all)
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

/** A reader that counts, with its counts so far. */
export type Metered<Data> = ReturnType<typeof metered<Data>>

/** Counts the bytes that a reader takes, and its time. Time in which it waits for bytes does not count. */
export const metered = <Data>(reader: Reply.Reader<Data>, clock: Clock.Clock) => {
  let bytes = 0
  let nanos = 0n
  const timed = <A>(read: () => A): A => {
    const start = clock.monotonicTimeNanosUnsafe()
    const result = read()
    nanos += clock.monotonicTimeNanosUnsafe() - start
    return result
  }
  return {
    push: (piece: Uint8Array): boolean => {
      bytes += piece.length
      return timed(() => reader.push(piece))
    },
    advance: (): boolean => reader.advance !== undefined && timed(reader.advance),
    end: (): Reply.Body<Data> => timed(reader.end),
    /** How many bytes of a body were decoded, and how long that took, in nanoseconds. */
    decoded: () => ({ bytes, nanos })
  }
}

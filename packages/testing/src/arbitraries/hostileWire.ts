/**
 * How fast a body comes: a number of bytes at once, and a pause in milliseconds after each.
 */
export interface Pace {
  readonly bytes: number
  readonly pause: number
}

/**
 * What a reply says of its coding, and what it does to the bytes. A coded body may be cut before its end.
 */
export interface Coding {
  readonly label: string | undefined
  readonly actual: ReadonlyArray<"gzip" | "deflate">
  readonly cut: boolean
}

/**
 * How the end of a body is told: as HTTP says, or in a way that contradicts itself.
 */
export type Framing = "close" | Lengths | Chunks

type Lengths = "length" | "lengthTooSmall" | "lengthTooLarge" | "twoLengths"
type Chunks = "chunked" | "lengthAndChunked" | "hugeChunk" | "brokenChunk" | "unendedChunks"

/**
 * A hostile reply.
 *
 * - `kind`, `delivery`: the names of what its body does, and of what coding, framing, pace and end do to it
 * - `headers`: those besides framing and coding; a name may come twice
 * - `end`: whether the connection is closed after the reply, broken within it, kept open without another byte, or kept for another request
 */
export interface HostileReply {
  readonly kind: string
  readonly delivery: string
  readonly status: number
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: ReadonlyArray<Part>
  readonly coding: Coding
  readonly framing: Framing
  readonly pace: Pace
  readonly end: "closes" | "breaks" | "hangs" | "keeps"
}

/**
 * A part of a body: a text that comes a number of times, without end where that is Infinity. `#` in it is a number that is another one each time. The
 * text is sent as UTF-8, or each character as one byte where it is `raw`.
 */
export interface Part {
  readonly text: string
  readonly times: number
  readonly raw?: boolean
}

const encoder = new TextEncoder()

/** About how many bytes are made at once. */
const blockBytes = 65_536

/** What an endless body announces as its length. */
const endless = 2 ** 40

/** The bytes of an endless body that are compressed, fewer if twice: compression yields nothing for long, and the client could not leave meanwhile. */
const mostCoded = 2 ** 28
const mostCodedTwice = 2 ** 24

/** The bytes of an endless body that are sent before it breaks or hangs. */
const halfOfEndless = 200_000

const encode = (text: string, raw = false): Uint8Array =>
  raw ? Uint8Array.from(text, (character) => character.charCodeAt(0)) : encoder.encode(text)

/** A text a number of times, `#` in it as a number that goes on from one to the next. */
const repeat = (text: string, count: number, from: number): string => {
  if (!text.includes("#")) return text.repeat(count)
  let repeated = ""
  for (let at = 0; at < count; at++) repeated += text.replaceAll("#", (from + at).toString(36).toUpperCase())
  return repeated
}

/** The bytes of a body before they are coded. */
const bodyOf = function*(parts: ReadonlyArray<Part>): Generator<Uint8Array> {
  for (const { raw, text, times } of parts) {
    const atOnce = Math.max(1, Math.floor(blockBytes / Math.max(1, text.length)))
    const isNumbered = text.includes("#")
    const block = times > atOnce && !isNumbered ? encode(text.repeat(atOnce), raw) : undefined
    for (let done = 0; done < times; done += atOnce) {
      const count = Math.min(atOnce, times - done)
      const bytes = count === atOnce && block !== undefined ? block : encode(repeat(text, count, done), raw)
      if (bytes.length > 0) yield bytes
    }
  }
}

const isEndless = ({ body }: HostileReply): boolean => body.some(({ text, times }) => times === Infinity && text !== "")

/** Bytes, as they come. */
type Pieces = AsyncGenerator<Uint8Array, void>

/** Bytes through a coding of the platform. */
const compressed = async function*(pieces: Pieces, format: CompressionFormat): Pieces {
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const next = await pieces.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value.slice())
    },
    cancel: async () => void await pieces.return()
  })
  yield* source.pipeThrough(new CompressionStream(format))
}

/** Leaves out half of the last piece. */
const cutShort = async function*(pieces: Pieces): Pieces {
  let held: Uint8Array | undefined
  for await (const piece of pieces) {
    if (held !== undefined) yield held
    held = piece
  }
  if (held !== undefined) yield held.subarray(0, held.length >> 1)
}

const coded = async function*(parts: ReadonlyArray<Part>, { actual, cut }: Coding): Pieces {
  if (actual.length === 0) return yield* bodyOf(parts)
  let pieces = firstOf(bodyOf(parts), actual.length === 1 ? mostCoded : mostCodedTwice)
  for (const format of actual) pieces = compressed(pieces, format)
  yield* cut ? cutShort(pieces) : pieces
}

const lengthOf = async (reply: HostileReply): Promise<number> => {
  if (isEndless(reply)) return endless
  let length = 0
  for await (const piece of coded(reply.body, reply.coding)) length += piece.length
  return length
}

/** The names of those that come in chunks say so. */
const isChunked = (framing: Framing): boolean => /chunk/i.test(framing)

const framingHeaders = (framing: Framing, length: number): ReadonlyArray<readonly [string, string]> => {
  const chunked = isChunked(framing) ? [["transfer-encoding", "chunked"] as const] : []
  switch (framing) {
    case "length":
    case "lengthAndChunked":
      return [["content-length", String(length)], ...chunked]
    case "lengthTooSmall":
      return [["content-length", String(length >> 1)]]
    case "lengthTooLarge":
      return [["content-length", String(length + 1000)]]
    case "twoLengths":
      return [["content-length", String(length)], ["content-length", String(length + 1)]]
    default:
      return chunked
  }
}

const headOf = (reply: HostileReply, length: number): Uint8Array => {
  const { coding, end, framing, headers, status } = reply
  const all = [
    ...headers,
    ...framingHeaders(framing, length),
    ...(coding.label === undefined ? [] : [["content-encoding", coding.label] as const]),
    ...(end === "keeps" ? [] : [["connection", "close"] as const])
  ]
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`)
  return encode(`HTTP/1.1 ${status} Status\r\n${lines.join("")}\r\n`, true)
}

const chunk = (bytes: Uint8Array, size: string = bytes.length.toString(16)): Uint8Array => {
  const [before, after] = [encode(`${size}\r\n`), encode("\r\n")]
  const framed = new Uint8Array(before.length + bytes.length + after.length)
  framed.set(before)
  framed.set(bytes, before.length)
  framed.set(after, before.length + bytes.length)
  return framed
}

/** What stands where the size of the first chunk belongs. */
const wrongSizes: { readonly [Name in Framing]?: string } = { hugeChunk: "7fffffffffffff", brokenChunk: "no size" }

const framed = async function*(pieces: Pieces, framing: Framing): Pieces {
  if (!isChunked(framing)) return yield* pieces
  let isFirst = true
  for await (const piece of pieces) {
    if (piece.length === 0) continue
    yield chunk(piece, isFirst ? wrongSizes[framing] : undefined)
    isFirst = false
  }
  if (framing !== "unendedChunks") yield encode("0\r\n\r\n")
}

/** The first bytes of pieces, and no more. */
const firstOf = async function*(pieces: Pieces | Generator<Uint8Array>, most: number): Pieces {
  let left = most
  if (left <= 0) return
  for await (const piece of pieces) {
    yield piece.subarray(0, left)
    left -= piece.length
    if (left <= 0) return
  }
}

/** All bytes of a reply. */
export const bytesOf = async function*(reply: HostileReply): Pieces {
  const { body, coding, end, framing } = reply
  const length = await lengthOf(reply)
  yield headOf(reply, length)
  const pieces = framed(coded(body, coding), framing)
  if (end !== "breaks" && end !== "hangs") return yield* pieces
  yield* firstOf(pieces, isEndless(reply) ? halfOfEndless : length >> 1)
}

/** Hostile replies: what is drawn, what goes over the wire, and that core makes an answer or a typed refusal of each. */
import { Query, Reply } from "@effect-marketdata/core"
import { HostileReplies, Queries } from "@effect-marketdata/testing"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { constants, gunzipSync, inflateSync } from "node:zlib"
import { runs } from "../../../core/test/support/depth.ts"
import { plain } from "../support/plainReply.ts"

const options = { fields: ["symbol", "bid"], maxBytes: 20_000 }

const decoder = new TextDecoder("latin1")

/** The first bytes of a reply. */
const bytesOf = async (reply: HostileReplies.HostileReply, most: number): Promise<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  for await (const piece of HostileReplies.wire(reply)) {
    pieces.push(piece)
    size += piece.length
    if (size >= most) break
  }
  return Buffer.concat(pieces)
}

const text = "{\"a\":[1,0,1,2]}"

/** Head and body of a reply. */
const parts = async (reply: Partial<HostileReplies.HostileReply>, most = 400_000) => {
  const bytes = await bytesOf({ ...plain, ...reply }, most)
  const end = decoder.decode(bytes).indexOf("\r\n\r\n") + 4
  return [decoder.decode(bytes.subarray(0, end)), bytes.subarray(end)] as const
}

it("are the same for the same seed, and of every kind", () => {
  const sample = () => fc.sample(HostileReplies.reply(options), { seed: 1, numRuns: 100 })
  assert.deepStrictEqual(sample(), sample())
  const kinds = [...new Set(sample().map(({ kind }) => kind))].toSorted()
  assert.deepStrictEqual(kinds, Object.keys(HostileReplies.bodies).toSorted())
  for (const reply of sample()) assert.match(HostileReplies.describe(reply), /^\w+ over [\w ,]+/)
})

it("go over the wire as they say", async () => {
  const [head, body] = await parts({ headers: [["x-a", "1"], ["x-a", "2"]] })
  assert.strictEqual(
    head,
    `HTTP/1.1 200 Status\r\nx-a: 1\r\nx-a: 2\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n`
  )
  assert.strictEqual(decoder.decode(body), text)
  assert.notInclude((await parts({ end: "keeps" }))[0], "connection")
})

it("tell the end of a body by the rules, or break them", async () => {
  const bodyOf = async (framing: HostileReplies.Framing) => decoder.decode((await parts({ framing }))[1])
  const headOf = async (framing: HostileReplies.Framing) => (await parts({ framing }))[0]
  const chunks = `7\r\n{"a":[1\r\n6\r\n,0,1,2\r\n2\r\n]}\r\n`
  assert.strictEqual(await bodyOf("chunked"), `${chunks}0\r\n\r\n`)
  assert.strictEqual(await bodyOf("unendedChunks"), chunks)
  assert.strictEqual(await bodyOf("close"), text)
  assert.include(await headOf("lengthTooSmall"), "content-length: 7\r\n")
  assert.include(await headOf("lengthTooLarge"), `content-length: ${text.length + 1000}\r\n`)
  assert.include(await headOf("twoLengths"), `content-length: ${text.length}\r\ncontent-length: ${text.length + 1}\r\n`)
  assert.include(await headOf("lengthAndChunked"), "transfer-encoding: chunked")
  assert.match(await bodyOf("hugeChunk"), /^7f+\r\n/)
  assert.match(await bodyOf("brokenChunk"), /^no size\r\n/)
})

it("are coded as they say, or as they do not", async () => {
  const gzip = { label: "gzip", actual: ["gzip"], cut: false } as const
  const [head, body] = await parts({ coding: gzip })
  assert.include(head, `content-length: ${body.length}\r\ncontent-encoding: gzip\r\n`)
  assert.strictEqual(gunzipSync(body).toString(), text)
  const [, cut] = await parts({ coding: { ...gzip, cut: true } })
  assert.isBelow(cut.length, body.length)
  assert.throws(() => gunzipSync(cut))
  const [, twice] = await parts({ coding: { ...gzip, actual: ["deflate", "gzip"] } })
  assert.strictEqual(inflateSync(gunzipSync(twice)).toString(), text)
  const [lie, words] = await parts({ coding: { ...gzip, actual: [] } })
  assert.include(lie, "content-encoding: gzip")
  assert.strictEqual(decoder.decode(words), text)
})

it("go on without end, and break off or hang within their body", async () => {
  const endless = [{ text: "ab", times: Infinity }]
  const [head, body] = await parts({ body: endless })
  assert.include(head, "content-length: 1099511627776")
  assert.isAtLeast(body.length, 390_000)
  for (const end of ["breaks", "hangs"] as const) {
    assert.strictEqual(decoder.decode((await parts({ end }))[1]), text.slice(0, text.length >> 1))
    assert.strictEqual((await parts({ end, body: endless }))[1].length, 200_000)
  }
  // A bomb: many megabytes within the first few ten kilobytes.
  const [, bomb] = await parts({ body: endless, coding: { label: "gzip", actual: ["gzip"], cut: false } }, 50_000)
  assert.isBelow(bomb.length, 100_000)
  assert.isAbove(gunzipSync(bomb, { finishFlush: constants.Z_SYNC_FLUSH }).length, 10_000_000)
})

it("spoil what a client accepts: as it is, with longer lists, and with one byte in it that is another", async () => {
  const answer = JSON.stringify({ s: "ok", symbol: ["a#"], none: [], bid: [1, 2] })
  const bodyOf = async (kind: string, maxBytes: number) => {
    const { body } = fc.sample(HostileReplies.ofKind(kind, { fields: [], maxBytes, answers: [answer] }), {
      seed: 1,
      numRuns: 1
    })[0]!
    return decoder.decode((await parts({ body }))[1])
  }
  assert.deepStrictEqual(JSON.parse(await bodyOf("answer", 1)), JSON.parse(answer))
  assert.deepStrictEqual(JSON.parse(await bodyOf("enlarged", 1)), JSON.parse(answer))
  const enlarged = JSON.parse(await bodyOf("enlarged", 3 * answer.length))
  assert.deepStrictEqual(enlarged, { s: "ok", symbol: ["a#", "a#", "a#"], none: [], bid: [1, 2, 1, 2, 1, 2] })
  assert.notStrictEqual(await bodyOf("damaged", 1), answer)
  const other = fc.sample(HostileReplies.ofKind("answer", { fields: ["bid"], maxBytes: 1 }), {
    seed: 1,
    numRuns: 1
  })[0]!
  assert.strictEqual(decoder.decode((await parts({ body: other.body }))[1]), `{"s":"ok","bid":[1,2]}`)
})

it("have raw bytes where they must not be text", async () => {
  const raw = [...(await parts({ body: [{ text: "\u00ffa", times: 2, raw: true }] }))[1]]
  assert.deepStrictEqual(raw, [255, 97, 255, 97])
  assert.deepStrictEqual([...(await parts({ body: [{ text: "\u00ff", times: 1 }] }))[1]], [0xc3, 0xbf])
})

it("are an answer or a typed refusal for every endpoint, in pieces of any size", async () => {
  const queries = Object.values(Queries.byEndpoint).map((query) => fc.sample(query, { seed: 14, numRuns: 1 })[0]!)
  assert.strictEqual(queries.length, Object.values(Query.endpoints).length)
  const drawn = fc.record({
    reply: HostileReplies.reply({ fields: ["symbol", "bid", "t", "optionSymbol", "updated"], maxBytes: 100_000 }),
    query: fc.constantFrom(...queries),
    size: fc.constantFrom(1, 17, 4096, 65_536),
    strict: fc.boolean()
  })
  for (const { query, reply, size, strict } of fc.sample(drawn, { seed: 14, numRuns: runs(300, 60) })) {
    const body = reply.body.map((part) => ({ ...part, times: Math.min(part.times, 20_000) }))
    const [, bytes] = await parts({ body })
    const head = Reply.head({ status: reply.status, headers: Object.fromEntries(reply.headers) })
    const reader = Reply.reader(query, head, { strict })
    for (let at = 0; at < bytes.length && reader.push(bytes.subarray(at, at + size)); at += size);
    const outcome = Reply.outcome(query, head, reader.end(), { receivedAt: 1_795_208_500, tokenSent: true })
    assert.include(["Delivered", "Empty", "Refused"], outcome._tag, HostileReplies.describe(reply))
    if (outcome._tag === "Refused") assert.isBelow(outcome.reason.message.length, 2000)
  }
})

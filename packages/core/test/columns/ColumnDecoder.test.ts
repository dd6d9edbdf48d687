import { ColumnDecoder, ColumnKind, Kernel, OptionChain, TableMemory } from "@effect-marketdata/core"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { columns as chainColumns } from "../support/chains.ts"
import { difference, elementsOf, errorLine, everyWay, inPieces, kernels, type Options } from "../support/decodings.ts"
import { isFull, seed } from "../support/depth.ts"
import * as Oracle from "../support/oracle.ts"
import * as Random from "../support/random.ts"

const spec = {
  name: { kind: ColumnKind.dictionary, null: "identity" },
  close: { kind: ColumnKind.number, null: "finding" },
  last: { kind: ColumnKind.number, null: "nullable" }
} as const

const columnsOf = (body: string | Uint8Array, options?: Options) =>
  everyWay(spec, body, options).map((outcome) => {
    const decoded = Result.getOrThrow(outcome)
    return Object.fromEntries(Object.keys(decoded.vectors).map((name) => [name, elementsOf(spec, decoded, name)]))
  })

const findingsOf = (body: string, options?: Options) => {
  const [first, ...others] = everyWay(spec, body, options).map((outcome) => Result.getOrThrow(outcome).findings)
  for (const other of others) assert.deepStrictEqual(other, first)
  return first
}

describe("whitespace", () => {
  it("may stand between any two tokens", () => {
    const reply = { s: "ok", name: ["a", "b"], x: { y: [1, {}] }, close: [1.5, -2], last: [null, 3] }
    const { s: _, x: __, ...expected } = reply
    const compact = JSON.stringify(reply)
    const tokens = compact.match(/"[^"]*"|[^"[\]{}:,]+|./g) ?? []
    const bodies = [compact, JSON.stringify(reply, null, 2), JSON.stringify(reply, null, "\t")]
    for (const blank of [" ", "\n", "\r\n", "\t", " \n\r\t ".repeat(40)]) {
      bodies.push(blank + tokens.join(blank) + blank)
    }
    for (const body of bodies) for (const columns of columnsOf(body)) assert.deepStrictEqual(columns, expected)
  })

  it("is one of JSON's four characters, and no other", () => {
    for (const blank of ["\u00a0", "\u000b", "\f", "\u2028", "\u3000", "\0", "\u0085", "\ufeff"]) {
      const bodies = [
        `{"close":[1,${blank}2]}`,
        `{${blank}"close":[1]}`,
        `{"close":[1]}${blank}`,
        `${blank} {"close":[1]}`
      ]
      for (const body of bodies) {
        const outcomes = everyWay(spec, body, { columns: ["close"] })
        // A byte order mark is none of the text at its very beginning, and part of it anywhere else.
        const isMark = blank === "\ufeff" && body.startsWith(blank)
        for (const outcome of outcomes) assert.strictEqual(Result.isSuccess(outcome), isMark, JSON.stringify(body))
      }
    }
  })
})

describe("a byte order mark", () => {
  it("is left out at the beginning, in pieces too, and counts in offsets", () => {
    const body = "\ufeff{\"s\":\"ok\",\"close\":[1]}"
    for (const columns of columnsOf(body, { columns: ["close"] })) assert.deepStrictEqual(columns, { close: [1] })
    for (const outcome of everyWay(spec, "\ufeff{x")) assert.include(errorLine(outcome), "\"offset\":4")
  })

  it("that is cut short is not an object", () => {
    for (const bytes of [[0xef], [0xef, 0xbb], [0xef, 0xbb, 0x7b, 0x7d], [0xef, 0x7b, 0x7d]]) {
      const outcomes = everyWay(spec, Uint8Array.from(bytes))
      for (const outcome of outcomes) assert.include(errorLine(outcome), "NotAnObject")
      for (const outcome of outcomes) assert.strictEqual(errorLine(outcome), errorLine(outcomes[0]!))
    }
  })
})

describe("findings", () => {
  it("are unknown fields, nulls, missing columns and a missing status", () => {
    assert.deepStrictEqual(findingsOf(`{"name":["a","b"],"x":1,"close":[null,2]}`), [
      { code: "UnknownField", column: "x", count: 1, examples: [] },
      {
        code: "NullNotAllowed",
        column: "close",
        count: 1,
        examples: [{ index: 0, expected: "a value", received: "null" }]
      },
      { code: "MissingStatus", column: undefined, count: 1, examples: [] },
      { code: "MissingColumn", column: "last", count: 1, examples: [] }
    ])
  })

  it("are none of what was said beforehand", () => {
    const options = { columns: ["close"], scalars: ["x"], statusOptional: true }
    assert.deepStrictEqual(findingsOf(`{"x":1,"close":[1],"name":false}`, options), [])
  })
})

describe("columns", () => {
  it("grow as far as their elements go, nulls and all, where nobody knows how many will come", () => {
    for (const rows of [0, 1, 63, 64, 65, 1023, 1024, 1025, 5000, 70_000]) {
      const last = Array.from({ length: rows }, (_, at) => at % 5 === 3 ? null : at / 4)
      const name = last.map((value) => `N${Number(value) % 7}`)
      for (const fields of [{ last, name }, { name, last }]) {
        for (
          const outcome of everyWay(spec, JSON.stringify({ s: "ok", ...fields }), { columns: "present" }, [() => 4097])
        ) {
          const decoded = Result.getOrThrow(outcome)
          assert.strictEqual(decoded.length, rows)
          assert.deepStrictEqual(elementsOf(spec, decoded, "last"), last)
          assert.deepStrictEqual(elementsOf(spec, decoded, "name"), name)
        }
      }
    }
  })

  it("grow with the numbers beside their codes", () => {
    const symbols = Array.from({ length: 9000 }, (_, at) => `${at % 300}R261120C${String(at * 31).padStart(8, "0")}`)
    const body = JSON.stringify({ s: "ok", optionSymbol: symbols })
    for (const outcome of everyWay(OptionChain.spec, body, { columns: ["optionSymbol"] }, [() => 999])) {
      assert.deepStrictEqual(elementsOf(OptionChain.spec, Result.getOrThrow(outcome), "optionSymbol"), symbols)
    }
  })

  it("lie in one buffer, which is no larger than they need by more than an eighth", () => {
    const body = JSON.stringify({ s: "ok", ...chainColumns(2000) })
    for (const outcome of everyWay(OptionChain.spec, body)) {
      const { slabs: [slab, ...others], vectors } = Result.getOrThrow(outcome)
      assert.deepStrictEqual(others, [])
      assert.isDefined(slab)
      let used = 0
      for (const name of Object.keys(vectors)) {
        for (const lane of OptionChain.spec[name as OptionChain.Column].kind.pack(vectors[name] as never).lanes) {
          assert.strictEqual(lane.buffer, slab)
          used += lane.byteLength
        }
      }
      assert.isAtMost(slab.byteLength, used * 1.25)
    }
  })

  it("lie in several buffers where one would be larger than what an allocator keeps", () => {
    const rows = 1_100_000
    const columns = { a: 1, b: 20, c: 3, d: 40, e: 5 }
    const nullable = { kind: ColumnKind.number, null: "nullable" } as const
    const wide = { a: nullable, b: nullable, c: nullable, d: nullable, e: nullable }
    const column = (value: number) => `[${`${value},`.repeat(rows - 1)}null]`
    const fields = Object.entries(columns).map(([name, value]) => `"${name}":${column(value)}`)
    const bytes = new TextEncoder().encode(`{"s":"ok",${fields.join()}}`)
    for (const kernel of kernels) {
      const large = new ArrayBuffer(32 * 2 ** 20)
      for (const recycled of isFull ? [undefined, new ArrayBuffer(10), large] : [large]) {
        const { nulls, slabs, vectors } = Result.getOrThrow(ColumnDecoder.decode(wide, bytes, { kernel, recycled }))
        assert.isAtLeast(slabs.length, 2)
        assert.strictEqual(new Set(slabs).size, slabs.length)
        if (recycled !== undefined) assert.strictEqual(slabs.includes(recycled), recycled.byteLength > 10)
        for (const [name, value] of Object.entries(columns)) {
          const vector = vectors[name] as Float64Array
          assert.include(slabs, vector.buffer)
          assert.strictEqual(vector.length, rows)
          assert.isTrue(vector.subarray(0, -1).every((element) => element === value))
          assert.isNaN(vector[rows - 1])
          assert.strictEqual(nulls[name]!.at(-1), 1 << ((rows - 1) & 7))
        }
      }
    }
  })
})

it("tells thousands of texts apart that begin alike", () => {
  const names = { name: { kind: ColumnKind.dictionary, null: "nullable" } } as const
  const texts = Array.from({ length: 3000 }, (_, index) => `AAPL${(index % 1500).toString(36)}`)
  for (const kernel of kernels) {
    const { vectors } = Result.getOrThrow(
      ColumnDecoder.decode(names, JSON.stringify({ s: "ok", name: texts }), { kernel })
    )
    assert.deepStrictEqual(texts.map((_, index) => names.name.kind.at(vectors["name"] as never, index)), texts)
  }
})

describe("memory that holds something before", () => {
  const body = JSON.stringify({ s: "ok", ...chainColumns(9001) })
  const decoded = (kernel: Kernel.Kernel) => Result.getOrThrow(ColumnDecoder.decode(OptionChain.spec, body, { kernel }))
  const filled = (size: number) => new Uint8Array(size).fill(0xab).buffer

  it("shows nothing of it", () => {
    for (const kernel of kernels) {
      const plain = decoded(kernel)
      TableMemory.use(filled)
      const { slabs, vectors } = decoded(kernel)
      TableMemory.use(undefined)
      assert.deepStrictEqual(vectors, plain.vectors)
      assert.deepStrictEqual(slabs.map((slab) => new Uint8Array(slab)), plain.slabs.map((slab) => new Uint8Array(slab)))
    }
  })

  it("is not taken from whom suggests it, once somebody has chosen", () => {
    TableMemory.use(undefined)
    TableMemory.useByDefault(() => assert.fail("asked for memory"))
    assert.strictEqual(decoded(Kernel.fastest).length, 9001)
  })

  it("is not used where it is not what was asked for", () => {
    const strange: ReadonlyArray<(size: number) => never> = [
      (size) => filled(size - 1) as never,
      (size) => filled(size + 1) as never,
      (size) => new SharedArrayBuffer(size) as never,
      () => undefined as never
    ]
    for (const allocate of strange) {
      TableMemory.use(allocate)
      const { vectors } = decoded(Kernel.fastest)
      TableMemory.use(undefined)
      assert.deepStrictEqual(vectors, decoded(Kernel.fastest).vectors)
    }
  })
})

it("gaps between columns hold nothing of the reply before", () => {
  const secret = JSON.stringify({ s: "ok", ...chainColumns(400) })
  for (const kernel of kernels) {
    const fresh = Result.getOrThrow(ColumnDecoder.decode(spec, `{"name":["a"],"close":[1],"last":[null]}`, { kernel }))
    Result.getOrThrow(ColumnDecoder.decode(OptionChain.spec, secret, { kernel }))
    const later = Result.getOrThrow(ColumnDecoder.decode(spec, `{"name":["a"],"close":[1],"last":[null]}`, { kernel }))
    for (const { slabs: [slab] } of [fresh, later]) {
      // One code, one float, one null: seven bytes of gap behind the first and the last.
      const bytes = [...new Uint8Array(slab!)]
      assert.deepStrictEqual(bytes.slice(1, 8), Array(7).fill(0))
    }
  }
})

describe("a buffer that is used again", () => {
  it("holds a table without rows too", () => {
    const recycled = new ArrayBuffer(64)
    const body = `{"s":"ok","name":[],"close":[],"last":[]}`
    for (const kernel of kernels) {
      const { length, slabs } = Result.getOrThrow(ColumnDecoder.decode(spec, body, { kernel, recycled }))
      assert.strictEqual(length, 0)
      assert.deepStrictEqual(slabs, [recycled])
    }
  })

  it("gives the same table, whatever it held and however large it is", () => {
    const body = JSON.stringify({ s: "ok", name: ["a", "b", "a"], close: [1, null, 3], last: [null, -0.5, 2e10] })
    for (const size of [0, 1, 7, 8, 40, 100, 101, 10_000]) {
      for (const kernel of kernels) {
        const fresh = Result.getOrThrow(ColumnDecoder.decode(spec, body, { kernel }))
        const recycled = new Uint8Array(size).fill(0xff).buffer
        const decoded = Result.getOrThrow(ColumnDecoder.decode(spec, body, { kernel, recycled }))
        assert.deepInclude(decoded, { vectors: fresh.vectors, nulls: fresh.nulls })
        if (size >= 10_000) assert.deepStrictEqual(decoded.slabs, [recycled])
      }
    }
  })
})

it("decoders at work at the same time do not disturb each other", () => {
  const bodies = Array.from({ length: 12 }, (_, at) => {
    const rows = 50 + at * 40
    const name = Array.from({ length: rows }, (_, row) => `N${(row * at) % 17}`)
    const last = name.map((_, row) => row % (at + 2) === 0 ? null : row * at)
    return { name, close: last.map(Number), last }
  })
  const decoders = bodies.map((fields, at) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ s: "ok", ...fields }))
    return { bytes, decoder: ColumnDecoder.make(spec, { kernel: kernels[at % 2] }), fields }
  })
  for (let at = 0; decoders.some(({ bytes }) => at < bytes.length); at += 100) {
    for (const { bytes, decoder } of decoders) decoder.push(bytes.subarray(at, at + 100))
  }
  for (const { decoder, fields } of decoders) {
    const decoded = Result.getOrThrow(decoder.end())
    for (const name of ["name", "close", "last"] as const) {
      assert.deepStrictEqual(elementsOf(spec, decoded, name), fields[name])
    }
  }
})

it("chains in any order are read alike, with thousands of series that push each other out of the cache", () => {
  const random = Random.make(seed)
  const rows = isFull ? 22_718 : 7500
  const sorted = chainColumns(rows)
  const order = random.shuffled(Array.from({ length: rows }, (_, row) => row))
  const { optionSymbol, ...others } = sorted
  const letters = (row: number) => String.fromCharCode(65 + row % 26, 65 + (row >> 3) % 26, 65 + (row >> 6) % 11)
  const reply = {
    s: "ok",
    optionSymbol: order.map((row) =>
      row % 3 === 0 ? letters(row) + String(optionSymbol[row]).slice(-15) : optionSymbol[row]
    ),
    ...Object.fromEntries(Object.entries(others).map(([name, elements]) => [name, order.map((row) => elements[row])]))
  }
  const bytes = new TextEncoder().encode(JSON.stringify(reply))
  const verdict = Oracle.judge({ columns: Oracle.chain })(bytes)
  assert.isTrue(Result.isSuccess(verdict))
  for (const kernel of kernels) {
    for (const size of [bytes.length, 5000]) {
      const outcome = inPieces(OptionChain.spec, bytes, () => size, { kernel })
      assert.isUndefined(difference(OptionChain.spec, verdict, outcome))
      const { series } = Result.getOrThrow(outcome).vectors["optionSymbol"] as OptionChain.SymbolColumn
      assert.isAbove(series.length, isFull ? 2000 : 1000)
    }
  }
})

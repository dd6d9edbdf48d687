import * as Kernel from "@effect-marketdata/core/Kernel"
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { Kernel as Loops } from "../../src/columns/internal/abi.ts"
import * as Abi from "../../src/columns/internal/abi.ts"
import { powers, residues } from "../../src/columns/internal/json.ts"
import { hex } from "../../src/columns/internal/kernelModule.ts"
import * as KernelPool from "../../src/columns/internal/kernelPool.ts"
import { TypescriptKernel } from "../../src/columns/internal/typescriptKernel.ts"
import type { Answer, Task } from "../support/decodeWithoutWasm.ts"
import { runs, seed } from "../support/depth.ts"
import { anyNumber } from "../support/numberTexts.ts"
import * as Random from "../support/random.ts"

const assembly = (file: string): string =>
  readFileSync(join(import.meta.dirname, "../../assembly/columns", file), "utf8")

/** The constants that a source of the kernel exports, by name. */
const constantsOf = (file: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...assembly(file).matchAll(/^@inline export const (\w+): \w+ = (-?\d+)$/gm)].map((
      [, name, value]
    ) => [name, Number(value)])
  )

const wasm = (): Loops => {
  const kernel = KernelPool.makeWasm()
  assert.isDefined(kernel)
  return kernel
}

/** Reads an unsigned LEB128 number of a WebAssembly module. */
const leb128 = (bytes: Uint8Array, start: number): readonly [value: number, end: number] => {
  let value = 0
  let at = start
  for (let shift = 0;; shift += 7) {
    const byte = bytes[at++]!
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return [value, at]
  }
}

/** Where each data segment of a WebAssembly module begins and ends in memory: each begins at a constant. */
const dataSegments = (module: Uint8Array): ReadonlyArray<readonly [start: number, end: number]> => {
  const segments: Array<readonly [number, number]> = []
  for (let at = 8; at < module.length;) {
    const [size, body] = leb128(module, at + 1)
    if (module[at] === 11) {
      let [count, segment] = leb128(module, body)
      for (; count > 0; count--) {
        assert.strictEqual(module[segment], 0, "an active segment of the only memory")
        assert.strictEqual(module[segment + 1], 0x41, "at an i32.const")
        const [start, end] = leb128(module, segment + 2)
        assert.strictEqual(module[end], 0x0b)
        const [length, data] = leb128(module, end + 1)
        segments.push([start, start + length])
        segment = data + length
      }
    }
    at = body + size
  }
  return segments
}

const trialCount = runs(8000, 1000)

describe("the layout of memory", () => {
  it("is the same in the source of the WebAssembly kernel and in the driver", () => {
    const numbers = { DIVISORS: Abi.divisorsAt, POWERS: Abi.powersAt, RESIDUES: Abi.residuesAt, SHARES: Abi.sharesAt }
    const brackets = { CLOSE_LEFT: Abi.closeLeftAt, CLOSE_RIGHT: Abi.closeRightAt }
    const registers = { NULLS: Abi.nullsRegister * 4, SLOT: Abi.slotRegister * 4, LENGTH: Abi.lengthRegister * 4 }
    const slots = { SLOT_BYTES: Abi.slotBytes, KEY_BYTES: Abi.keyBytes, TRIES: Abi.legendTries, FREE: Abi.freeSlot }
    const cache = { ...slots, CACHE: Abi.legendAt, CACHE_BYTES: Abi.legendBytes }
    const firstChoice = Abi.choicesAt + Abi.choicesFirst
    const choices = { CHOICES: Abi.choicesAt, FIRST_CHOICE: firstChoice, CHOICE_BYTES: Abi.choiceBytes }
    const flags = { NULLS_ALLOWED: Abi.nullsAllowed, REPEATS: Abi.repeats }
    const expected = { ...numbers, ...brackets, ...registers, ...cache, ...choices, ...flags }
    assert.deepStrictEqual(constantsOf("layout.ts"), expected)
  })

  it("has the same reasons to stop, and the same registers, in both", () => {
    const stops = constantsOf("stop.ts")
    const named = Object.fromEntries(
      Object.entries(Abi).flatMap(([name, stop]) =>
        name.startsWith("stop") ? [[name.slice(4).toUpperCase(), stop]] : []
      )
    )
    assert.deepStrictEqual(stops, named)
    assert.match(assembly("stop.ts"), new RegExp(`store<i32>\\(${Abi.positionRegister * 4}, i32\\(position\\)\\)`))
    assert.match(assembly("stop.ts"), new RegExp(`store<i32>\\(${Abi.rowRegister * 4}, row\\)`))
  })

  it("has no two parts that overlap", () => {
    const { batchBytes, columnAt, lookAhead, maxTokenBytes, inputAt } = Abi
    const parts = [
      [0, 4 * (Abi.lengthRegister + 1)],
      [Abi.divisorsAt, Abi.divisorsAt + 32 * 8],
      [Abi.powersAt, Abi.powersAt + powers.byteLength],
      [Abi.residuesAt, Abi.residuesAt + residues.byteLength],
      [Abi.closeLeftAt, Abi.closeLeftAt + 65 * 8],
      [Abi.closeRightAt, Abi.closeRightAt + 65 * 8],
      [Abi.sharesAt, Abi.sharesAt + 65 * 8],
      ...dataSegments(Buffer.from(hex, "hex")),
      [Abi.legendAt, Abi.legendAt + Abi.legendBytes],
      [Abi.choicesAt, Abi.choicesAt + Abi.choicesFirst + Abi.mostChoices * Abi.choiceBytes],
      [inputAt, inputAt + maxTokenBytes + batchBytes + lookAhead],
      [columnAt, Infinity]
    ].toSorted(([a = 0], [b = 0]) => a - b)
    for (const [at, [start]] of parts.entries()) {
      if (at > 0) assert.isAtLeast(start ?? -1, parts[at - 1]?.[1] ?? Infinity)
    }
  })

  it("aligns 64-bit floats and 32-bit words", () =>
    assert.deepStrictEqual([Abi.columnAt % 8, Abi.legendAt % 4, Abi.choicesAt % 4], [0, 0, 0]))
})

describe("the loops", () => {
  const column = Abi.columnAt
  const numbersAt = column + 8 * 1024
  const nullsAt = numbersAt + 4 * 1024

  /** Everything that a loop leaves behind. */
  const left = ({ memory: { bytes, words } }: Loops, code: number, width: number) => ({
    code,
    position: words[Abi.positionRegister],
    row: words[Abi.rowRegister],
    nulls: words[Abi.nullsRegister],
    unknown: code === Abi.stopUnknown ? [words[Abi.slotRegister], words[Abi.lengthRegister]] : [],
    elements: [...bytes.subarray(column, column + width * words[Abi.rowRegister]!)],
    bitmap: [...bytes.subarray(nullsAt, nullsAt + 16)]
  })

  const prepared = (window: Uint8Array): (kernel: Loops) => void => (kernel) => {
    kernel.reserve(nullsAt + 1024)
    kernel.memory.bytes.fill(0, 0, 64)
    kernel.memory.bytes.fill(0, Abi.inputAt, Abi.inputAt + window.length + Abi.lookAhead)
    kernel.memory.bytes.set(window, Abi.inputAt)
    kernel.memory.bytes.fill(0, column, nullsAt + 64)
  }

  /** Writes windows of elements that are right mostly, with something odd here and there. */
  const windowOf = (random: Random.Random, element: () => string): Uint8Array => {
    const { below, chance, pick } = random
    let text = ""
    for (let count = 1 + below(20); count > 0; count--) {
      const one = element()
      for (let times = chance(0.2) ? 1 + below(6) : 1; times > 0; times--) {
        const odd = chance(0.05) ? pick([" ", "\n", "x", "]", "-", ".", "\"", "\\", "e", "0", "\u00e9", "[", "{"]) : ""
        text += one + odd + (chance(0.95) ? "," : pick([" ,", ", ", "] ", "\n]", "", "}"]))
      }
    }
    return new TextEncoder().encode(text)
  }

  it("over numbers stop at the same places with the same numbers, unless one leaves an element to the driver", () => {
    const random = Random.make(seed)
    const { chance, below, pick } = random
    const [a, b] = [wasm(), new TypescriptKernel()]
    let stops = 0
    for (let trial = 0; trial < trialCount; trial++) {
      const window = windowOf(random, () => chance(0.05) ? "null" : anyNumber(random))
      prepared(window)(a)
      prepared(window)(b)
      const safe = Abi.inputAt + (chance(0.5) ? window.length : below(window.length))
      const capacity = chance(0.8) ? 1000 : 1 + below(20)
      const flags = pick([0, 1, 2, 3])
      // Where one kernel leaves an element to the driver and the other reads it, the one goes on behind it with the other's.
      let [at, row]: [number, number] = [Abi.inputAt, 0]
      for (let steps = 0; at < safe && steps < 100; steps++) {
        const codeA = a.numbers(at, safe, column, row, capacity, nullsAt, flags)
        const codeB = b.numbers(at, safe, column, row, capacity, nullsAt, flags)
        const [leftA, leftB] = [left(a, codeA, 8), left(b, codeB, 8)]
        stops++
        const common = Math.min(leftA.row!, leftB.row!)
        assert.deepStrictEqual(leftA.elements.slice(0, common * 8), leftB.elements.slice(0, common * 8))
        if (leftA.row === leftB.row && leftA.position === leftB.position) {
          assert.deepStrictEqual(leftA, leftB)
          break
        }
        const slow = leftA.row! < leftB.row! || leftA.position! < leftB.position! ? leftA : leftB
        assert.strictEqual(slow.code, Abi.stopSlow, String(Buffer.from(window)))
        // One element at a time: the slow one is taught what the fast one read.
        const [slowKernel, fastKernel] = slow === leftA ? [a, b] : [b, a]
        prepared(window)(fastKernel)
        const code = fastKernel.numbers(slow.position!, slow.position! + 1, column, slow.row!, capacity, nullsAt, flags)
        assert.isTrue(code !== Abi.stopSlow && code !== Abi.stopFull, String(Buffer.from(window)))
        at = fastKernel.memory.words[Abi.positionRegister]!
        row = fastKernel.memory.words[Abi.rowRegister]!
        if (code !== Abi.stopMore) break
        slowKernel.memory.bytes.set(fastKernel.memory.bytes.subarray(column, nullsAt + 1024), column)
        slowKernel.memory.words.set(fastKernel.memory.words.subarray(0, 5))
      }
    }
    assert.isAbove(stops, trialCount * 0.9)
  })

  it("over choices stop at the same places with the same choices", () => {
    const random = Random.make(seed)
    const { below, chance, pick } = random
    const kernels = [wasm(), new TypescriptKernel()]
    const lists = [["call", "put"], [false, true], ["", "a", "ab", "abc", "abcdef"], [..."abcdefghijklmnop"]]
    for (let trial = 0; trial < trialCount; trial++) {
      const values = pick(lists)
      const window = windowOf(random, () => chance(0.05) ? "null" : JSON.stringify(pick<string | boolean>(values)))
      const safe = Abi.inputAt + (chance(0.5) ? window.length : below(window.length))
      const capacity = chance(0.8) ? 1000 : 1 + below(20)
      const [first, second] = kernels.map((kernel) => {
        prepared(window)(kernel)
        assert.isTrue(Abi.writeChoices(kernel.memory, values))
        return left(kernel, kernel.choices(Abi.inputAt, safe, column, 0, capacity), 1)
      })
      assert.deepStrictEqual(first, second, String(Buffer.from(window)))
    }
  })

  it("over texts stop at the same places with the same codes and digits", () => {
    const random = Random.make(seed)
    const { below, chance, pick } = random
    const kernels = [wasm(), new TypescriptKernel()]
    const texts = ["", "a", "AAPL", "0123456789abcdef", "0123456789abcdefg", "SPXW261120C", "A\u00e9", "x".repeat(30)]
    for (let trial = 0; trial < trialCount; trial++) {
      const digits = pick([0, 8])
      const number = () => digits === 8 ? String(below(1e8)).padStart(chance(0.97) ? 8 : 5, "0") : ""
      const window = windowOf(random, () => `"${pick(texts)}${number()}"`)
      const safe = Abi.inputAt + (chance(0.5) ? window.length : below(window.length))
      const capacity = chance(0.8) ? 1000 : 1 + below(20)
      for (const kernel of kernels) {
        prepared(window)(kernel)
        Abi.clearLegend(kernel.memory)
      }
      let [at, row]: [number, number] = [Abi.inputAt, 0]
      for (let code = 0;; code++) {
        const stops = kernels.map((kernel) => {
          const stopped = kernel.texts(at, safe, column, row, capacity, numbersAt, digits)
          const { bytes, words } = kernel.memory
          // Where the cache keeps a key is each kernel's own affair.
          const { unknown: [, ...length], ...others } = left(kernel, stopped, 4)
          return { ...others, length, numbers: [...bytes.subarray(numbersAt, numbersAt + 4 * words[Abi.rowRegister]!)] }
        })
        assert.deepStrictEqual(stops[0], stops[1], String(Buffer.from(window)))
        if (stops[0]!.code !== Abi.stopUnknown) break
        at = stops[0]!.position!
        row = stops[0]!.row!
        const length = stops[0]!.length[0]! - digits
        for (const { memory } of kernels) Abi.writeLegend(memory, at + 1, at + 1 + length, code)
      }
    }
  })
})

describe("without WebAssembly", () => {
  const body = JSON.stringify({
    s: "ok",
    strike: Array.from({ length: 3000 }, (_, at) => at / 2),
    last: Array.from({ length: 3000 }, (_, at) => at % 3 === 0 ? null : -at)
  })

  const decodeIn = async (how: Task["how"]): Promise<Answer> => {
    const task: Task = { how, body }
    const worker = new Worker(new URL("../support/decodeWithoutWasm.ts", import.meta.url), {
      execArgv: ["--conditions=@effect-marketdata/source"],
      workerData: task
    })
    const [answer] = await once(worker, "message")
    await worker.terminate()
    return answer
  }

  for (const how of (["exhausted", "missing", "forbidden", "works"] as const).slice(0, runs(4, 1))) {
    it(`the loops in TypeScript read the same, and nobody notices: ${how}`, async () => {
      const { isWasmAvailable, lent, printed } = await decodeIn(how)
      const fastest = how === "works" ? "wasm" : "typescript"
      assert.strictEqual(isWasmAvailable, how === "works" || how === "exhausted")
      assert.deepStrictEqual(lent, [fastest, fastest, fastest, "typescript"])
      assert.deepStrictEqual(printed, [body, body, body, body])
    })
  }
})

describe("waiting", () => {
  /** Lends kernels that grow to a size, and takes them back. */
  const lend = (count: number, size: number): ReadonlyArray<Loops> => {
    const lent = Array.from({ length: count }, () => KernelPool.borrow(Kernel.wasm))
    for (const kernel of lent) kernel.reserve(size)
    lent.forEach(KernelPool.giveBack)
    return lent
  }

  /** How many of them are lent again. */
  const kept = (count: number, size: number): number => {
    const first = new Set(lend(count, size))
    return lend(count, size).filter((kernel) => first.has(kernel)).length
  }

  it("as many are kept as a client reads small replies at once", () =>
    assert.strictEqual(kept(50, Abi.columnAt + 16_384), 50))

  it("together they hold a bounded memory", () => {
    assert.isAtMost(kept(20, 8 * 1024 * 1024), 8)
    assert.strictEqual(kept(4, 8 * 1024 * 1024 + 1), 0)
  })
})

it("isWasmAvailable holds here, so that both kernels are tested", () => assert.isTrue(Kernel.isWasmAvailable()))

/** A worker that decodes a table twice, as a program with a client does: tells how many blocks were asked for by which freed memory is kept. */
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as TableMemory from "@effect-marketdata/core/TableMemory"
import * as Result from "effect/Result"
import { parentPort, workerData } from "node:worker_threads"

let blocks = 0

globalThis.ArrayBuffer = class extends ArrayBuffer {
  constructor(size = 0) {
    super(size)
    if (size === 31 * 1024 * 1024) blocks++
  }
}

const { rows }: { readonly rows: number } = workerData
const list = Array.from({ length: rows }, (_, row) => row)
const body = JSON.stringify({ s: "ok", strike: list, bid: list })

TableMemory.useByDefault((size) => Buffer.allocUnsafeSlow(size).buffer)
for (let time = 0; time < 2; time++) Result.getOrThrow(OptionChain.decode(body, { columns: ["strike", "bid"] }))
parentPort?.postMessage(blocks)

/** What a page and a worker run in a browser: a chain, decoded whole and in pieces, and by which kernel. */
import * as ColumnTable from "@effect-marketdata/core/ColumnTable"
import * as Kernel from "@effect-marketdata/core/Kernel"
import * as OptionChain from "@effect-marketdata/core/OptionChain"
import * as Result from "effect/Result"

const strikes = Array.from({ length: 5000 }, (_, row) => 1000 + row * 2.5)
const body = JSON.stringify({
  s: "ok",
  optionSymbol: strikes.map((strike) => `SPX271217C${String(strike * 1000).padStart(8, "0")}`),
  strike: strikes,
  last: strikes.map((_, row) => row % 7 === 0 ? null : row / 100)
})

export const outcome = (): string => {
  const options = { columns: ["optionSymbol", "strike", "last"] } as const
  const whole = Result.getOrThrow(OptionChain.decode(body, options))
  const bytes = new TextEncoder().encode(body)
  const decoder = OptionChain.decoder(options)
  for (let at = 0; at < bytes.length; at += 1000) decoder.push(bytes.subarray(at, at + 1000))
  const pieces = Result.getOrThrow(decoder.end())
  const reads = ColumnTable.encode(whole) === body && ColumnTable.encode(pieces) === body
  return `${reads ? "reads" : "misreads"} with ${Kernel.isWasmAvailable() ? "wasm" : "typescript"}`
}

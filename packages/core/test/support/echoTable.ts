/** A worker that unpacks the table it is sent, answers with the rows it sees, and sends the table back. */
import { ColumnTable, OptionChain } from "@effect-marketdata/core"
import { parentPort } from "node:worker_threads"

parentPort?.on("message", (packed: ColumnTable.Packed) => {
  const printed = ColumnTable.encode(ColumnTable.unpack(OptionChain.spec, packed))
  parentPort?.postMessage({ packed, printed }, ColumnTable.buffers(packed))
})

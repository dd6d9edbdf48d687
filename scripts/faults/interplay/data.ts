import { client, clientTests, core, coreTests, type InterplayFault } from "./fault.ts"

/** Data that were paid for and are lost, or stand in the wrong place. */
export const faults: ReadonlyArray<InterplayFault> = [
  {
    name: "part of an answer is taken for all of it",
    file: client("internal/pipeline"),
    find: `return joined._tag === "Whole"`,
    replace: `return joined._tag !== undefined`,
    tests: clientTests("batches")
  },
  {
    name: "one failed request takes the answers of the others along",
    file: client("internal/batches"),
    find: "  const [first, ...rest] = delivered\n",
    replace:
      `  if (failed !== undefined) return { _tag: "None", reason: failed.reason }\n  const [first, ...rest] = delivered\n`,
    tests: clientTests("batches")
  },
  {
    name: "the answer is that of the first request",
    file: client("internal/batches"),
    find: "Reply.join(query, [first, ...rest])",
    replace: "Reply.join(query, [first])",
    tests: clientTests("batches")
  },
  {
    name: "only the first failure is told",
    file: client("internal/batches"),
    find: "errors.flatMap(({ tickers }) => tickers)",
    replace: "failed.tickers",
    tests: clientTests("interplay", "batches")
  },
  {
    name: "one request holds a ticker too many",
    file: core("query/HttpRequest"),
    find: "end - at < maxSymbols",
    replace: "end - at <= maxSymbols",
    tests: [...coreTests("HttpRequest"), ...clientTests("batches")]
  },
  {
    name: "between two requests a ticker is left out",
    file: core("query/HttpRequest"),
    find: "      at = end\n",
    replace: "      at = end + (end < query.tickers.length - 1 ? 1 : 0)\n",
    tests: [...coreTests("HttpRequest"), ...clientTests("batches")]
  },
  {
    name: "live data take the place of other tickers",
    file: client("internal/fallback"),
    find: "second.success[at]!",
    replace: "second.success[second.success.length - 1 - at]!",
    tests: clientTests("interplay", "batches", "CacheFallback")
  },
  {
    name: "findings are lost where answers are joined",
    file: core("reply/Reply"),
    find: "...Readers.findingsOf(query, data)]",
    replace: "]",
    tests: [...coreTests("Reply"), ...clientTests("interplay", "batches")]
  },
  {
    name: "joined answers have the provenance of the first",
    file: core("reply/Reply"),
    find: "Provenance.merge(first.provenance, ...others.map(({ provenance }) => provenance))",
    replace: "first.provenance",
    tests: [...coreTests("Reply"), ...clientTests("interplay", "batches")]
  },
  {
    name: "a body of just the greatest size is refused",
    file: client("internal/body"),
    find: "if (this.size > this.maxBytes)",
    replace: "if (this.size >= this.maxBytes)",
    tests: clientTests("interplay", "transport", "MarketData")
  },
  {
    name: "a body is counted by its last piece",
    file: client("internal/body"),
    find: "this.size += slice.length",
    replace: "this.size = slice.length",
    tests: clientTests("interplay", "transport", "MarketData")
  },
  {
    name: "a text that is cut within a letter is garbled",
    file: core("reply/Reply"),
    find: "decoder.decode(bytes.subarray(0, left), { stream: true })",
    replace: "decoder.decode(bytes.subarray(0, left))",
    tests: [...coreTests("Reply"), ...clientTests("transport")]
  }
]

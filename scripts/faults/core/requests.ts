import type { Fault } from "../fault.ts"

const request = "packages/core/src/query/HttpRequest.ts"
const encoding = "packages/core/src/query/encoding.ts"

/** What requests and batches could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "1-base-url", file: request, find: "(?!(?:\\.|%2e){1,2}(?:\\/|$))", replace: "" },
  {
    clause: "4.5-general-params",
    file: request,
    find: "export const url = (self: HttpRequest): string => self.origin + self.target",
    replace: "export const url = (self: HttpRequest): string => self.origin + wireTarget(self)"
  },
  {
    clause: "4.5-prices",
    file: encoding,
    find: "encodeText(value).replaceAll(\"%2C\", \",\")",
    replace: "encodeText(value)"
  },
  { clause: "8.1-request-line", file: encoding, find: "replace(/[!'()*]/g", replace: "replace(/[']/g" },
  {
    clause: "8.1-request-line",
    file: request,
    find: "lineBytes(wireTarget(request))",
    replace: "lineBytes(request.target)"
  },
  {
    clause: "8.1-batches",
    file: request,
    find: "recommendedSymbols = 500",
    replace: "recommendedSymbols = 501"
  },
  {
    clause: "8.1-batches",
    file: request,
    find: "bytes += 1 + Encoding",
    replace: "bytes += 3 + Encoding"
  },
  {
    clause: "8.1-batches",
    file: request,
    find: "end - at < maxSymbols",
    replace: "end - at <= maxSymbols"
  },
  {
    clause: "8.1-batches",
    file: request,
    find: "query.tickers.slice(at, end)",
    replace: "query.tickers.slice(at, end).toSorted()"
  },
  {
    clause: "8.1-batches",
    file: "packages/core/src/columns/findings.ts",
    find: "index: example.index + offset",
    replace: "index: example.index"
  },
  {
    clause: "8.1-batches",
    file: "packages/core/src/columns/tableParts.ts",
    find: "Bitmap.add(bitmap, at + row)",
    replace: "Bitmap.add(bitmap, row)"
  },
  {
    clause: "8.2-cached-unavailable",
    file: request,
    find: "yield* checkCache(mode, query)",
    replace: "yield* Result.succeed(query)"
  }
]

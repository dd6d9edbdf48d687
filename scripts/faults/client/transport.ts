import type { Fault } from "../fault.ts"

const core = (module: string) => `packages/core/src/${module}.ts`
const client = (module: string) => `packages/client/src/${module}.ts`

/** What the client could get wrong on the wire: the token's place and secrecy, and how much it sends at once. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "4.5-general-params",
    file: core("query/encoding"),
    find: "`${name}=${encodeText(value).replaceAll(\"%2C\", \",\")}`",
    replace: "`${name}=${value}`"
  },
  {
    clause: "4.5-general-params",
    file: client("internal/token"),
    find: `if (place === "header") return Result.succeed(request)`,
    replace: ""
  },
  {
    clause: "4.5-general-params",
    file: core("query/Query"),
    find: `if (self.format !== undefined) parameters.push(["format", self.format])`,
    replace: ""
  },
  {
    clause: "4.5-general-params",
    file: core("query/Query"),
    find: `if (self.format !== undefined) parameters.push(["format", self.format])`,
    replace: `parameters.push(["format", self.format ?? "json"])`
  },
  {
    clause: "4.5-general-params",
    file: core("reply/readers"),
    find: `Csv.write(Csv.merge(parts.map(Csv.read).filter(Csv.isCsv)))`,
    replace: `parts.join("")`
  },
  {
    clause: "5.3-query",
    file: client("internal/token"),
    find: "const signed = { ...request, queryToken: token }",
    replace: "const signed = request"
  },
  {
    clause: "5.3-query",
    file: client("internal/transport"),
    find: " || request.queryToken !== undefined",
    replace: ""
  },
  {
    clause: "5.4-header-default",
    file: client("internal/token"),
    find: `hiding(Headers.CurrentRedactedNames, "authorization"),`,
    replace: ""
  },
  {
    clause: "5.4-header-default",
    file: client("internal/token"),
    find: `hiding(UrlParams.CurrentRedactedNames, "token")`,
    replace: ""
  },
  {
    clause: "5.4-header-default",
    file: client("internal/wire"),
    find: "if (options.name === spanName) return begin(options)",
    replace: "if (options.name === spanName && begin(options) !== undefined) return outer.span(options)"
  },
  {
    clause: "5.4-header-default",
    file: client("internal/token"),
    find: "ForeignText.without(Redacted.value(token))",
    replace: "(text) => text"
  },
  {
    clause: "5.4-header-default",
    file: core("text/secret"),
    find: "const mostLayers = 4",
    replace: "const mostLayers = -1"
  },
  {
    clause: "5.4-header-default",
    file: client("internal/transport"),
    find: "Reply.cleaned(query, outcome, clean)",
    replace: "outcome"
  },
  {
    clause: "5.4-header-default",
    file: client("internal/transport"),
    find: "detail: clean(detail)",
    replace: "detail"
  },
  {
    clause: "5.4-header-default",
    file: client("internal/lost"),
    find: "detail: clean(",
    replace: "detail: ("
  },
  {
    clause: "5.5-demo",
    file: client("internal/token"),
    find: "if (token === undefined) return Result.succeed(request)",
    replace: `if (token === undefined) return refuse("token", "", "every request needs one")`
  },
  {
    clause: "5.5-demo",
    file: client("internal/transport"),
    find: "tokenSent: token !== undefined",
    replace: "tokenSent: true"
  },
  {
    clause: "5.8-premium-mode",
    file: core("reply/Reply"),
    find: "modeSent: query.mode && DataMode.parameter(query.mode)",
    replace: "modeSent: undefined"
  },
  {
    clause: "5.8-premium-mode",
    file: core("reply/Reply"),
    find: "cached: reply.cached ?? false",
    replace: "cached: false"
  },
  {
    clause: "8.1-request-line",
    file: client("internal/batches"),
    find: `tokenIn === "query" ? yield* token : undefined`,
    replace: "undefined"
  },
  {
    clause: "8.3-age",
    file: core("query/Query"),
    find: `parameters.push(["maxage", MaxAge.format(self.maxAge)])`,
    replace: `parameters.push(["maxage", "1h"])`
  },
  {
    clause: "8.5-not-shown",
    file: client("MarketData"),
    find: "permits: yield* Semaphore.make(maxInFlight)",
    replace: "permits: yield* Semaphore.make(50)"
  }
]

import { of, type Seam } from "../seam.ts"

const HttpRequest = of(() => import("@effect-marketdata/core/HttpRequest"))
const SandboxReply = of(() => import("@effect-marketdata/sandbox/SandboxReply"))
const Service = of(() => import("../../../packages/sandbox/src/service/service.ts"))
const WebServer = of(() => import("../../../packages/sandbox/src/server/webServer.ts"))

/** What the server of the sandbox could get wrong. */
export const faults: ReadonlyArray<Seam> = [
  // A line that the parser gave up on has no limit.
  WebServer("7.3-html-400", "refusal", (refusal) => (error, _limit, read) => refusal(error, 1e9, read)),
  // The page states the limit and not what was read.
  SandboxReply("7.3-html-400", "requestLineTooLarge", (page) => (_bytes, limit) => page(limit + 1, limit)),
  // A line of just the limit is too long.
  HttpRequest("7.3-html-400", "lineBytes", (lineBytes) => (target) => lineBytes(target) + 1),
  Service("4-get", "make", (make) => (options) => {
    const { admit, ...service } = make(options)
    return {
      ...service,
      admit: (request: Parameters<typeof admit>[0], now: number) =>
        admit({ ...request, method: request.method === "POST" ? "GET" : request.method }, now)
    }
  })
]

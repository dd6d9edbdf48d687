import type { Fault } from "../fault.ts"

const sandbox = (module: string) => `packages/sandbox/src/${module}.ts`

/** What the server of the sandbox could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "7.3-html-400",
    file: sandbox("internal/webServer"),
    find: "if (text.length > lineLimit)",
    replace: "if (text.length > 1e9)"
  },
  {
    clause: "7.3-html-400",
    file: sandbox("SandboxServer"),
    find: "if (request.lineBytes > requestLineLimit) {",
    replace: "if (request.lineBytes > requestLineLimit + 1e9) {"
  },
  {
    clause: "7.3-html-400",
    file: sandbox("SandboxServer"),
    find: "if (request.lineBytes > requestLineLimit) {",
    replace: "if (request.lineBytes >= requestLineLimit) {"
  },
  {
    clause: "7.3-html-400",
    file: sandbox("SandboxServer"),
    find: "const maxHeaderSize = 1_048_576",
    replace: "const maxHeaderSize = 32_768"
  },
  {
    clause: "7.3-html-400",
    file: sandbox("internal/webServer"),
    find: "requestLineTooLarge(Math.max(read, text.length), lineLimit)",
    replace: "requestLineTooLarge(lineLimit + 1, lineLimit)"
  },
  {
    clause: "7.3-html-400",
    file: sandbox("SandboxReply"),
    find: "too large (${bytes} &gt; ${limit})",
    replace: "too large (${limit + 1} &gt; ${limit})"
  },
  {
    clause: "7.3-html-400",
    file: sandbox("SandboxServer"),
    find: `method.length + url.length + "  HTTP/1.1".length`,
    replace: `url.length + "GET  HTTP/1.1".length`
  },
  {
    clause: "4-get",
    file: sandbox("internal/webServer"),
    find: `connection: "close", allow: "GET" }`,
    replace: `connection: "close" }`
  }
]

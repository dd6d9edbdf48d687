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
    clause: "4-get",
    file: sandbox("internal/webServer"),
    find: `connection: "close", allow: "GET" }`,
    replace: `connection: "close" }`
  }
]

/** Node's HTTP as Effect's clients and servers import it. `node:https` is loaded when it is first used, which saves 8 ms where only this machine is asked. */
import { createRequire } from "node:module"

// `import` would read every export of `node:http`, and its `WebSocket` loads fetch.
const require = createRequire(import.meta.url)

export const http = require("node:http") as typeof import("node:http")

export const https = {
  get globalAgent() {
    return (require("node:https") as typeof import("node:https")).globalAgent
  },
  get request() {
    return (require("node:https") as typeof import("node:https")).request
  }
}

/** Stands for the package `ws`, which Effect's server loads for WebSockets: this program serves none. */
export const WebSocketServer = undefined

/** Node's HTTP as Effect's clients and servers import it, of which `node:https` is loaded when it is first used: a start that asks this machine takes 8 ms less. */
import { createRequire } from "node:module"

// As an import, `node:http` would load fetch, whose kind of sockets it hands on.
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

/** In place of the package `ws`, which Effect's server loads for WebSockets: this program speaks none. */
export const WebSocketServer = undefined

/** In place of the package `ws`, which Effect's server loads for WebSockets: this program speaks none. */
export const WebSocketServer = undefined

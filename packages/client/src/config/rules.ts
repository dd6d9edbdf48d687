/** The rules of the options of clients and streams, in words, each with a valid example. */
import type { Problem } from "@effect-marketdata/core/Problem"

const must = (rule: string, example: string): Problem => ({ rule: `must ${rule}`, example })

export const requests = /* @__PURE__ */ must("be a positive integer (requests)", "50")

export const bytes = /* @__PURE__ */ must("be a positive integer (bytes)", "1048576")

export const keptBytes = /* @__PURE__ */ must("be an integer of 0 or more (bytes)", "16777216")

export const account = /* @__PURE__ */ must("be a name of 1 to 100 printable characters, and not the token", "desk")

export const anew = /* @__PURE__ */ must("be true or false", "true")

const aStore = "what ReplyCache.makeDiskStore(…) makes"
export const store = /* @__PURE__ */ must("be a store with find, keep and remove", aStore)

const aDirectory = "/var/cache/desk"
export const directory = /* @__PURE__ */ must("be the path of a directory", aDirectory)

export const realDirectory = /* @__PURE__ */ must("be a directory, not a symbolic link", aDirectory)

export const ownDirectory = /* @__PURE__ */ must("belong to the user who runs this program", aDirectory)

export const closedDirectory = /* @__PURE__ */ must("be writable by its owner alone (chmod go-w)", aDirectory)

export const tickers = /* @__PURE__ */ must("be a positive integer (tickers)", "500")

export const token = /* @__PURE__ */ must(
  "be at most 4096 characters of printable ASCII without spaces, and without braces or quotes around it",
  "a1B2c3D4"
)

/** A token as the options take it. */
export const redacted = /* @__PURE__ */ must(
  "be a Redacted string, made by the same copy of effect, or an Effect that returns one",
  "Redacted.make(process.env.MARKETDATA_TOKEN)"
)

export const privateLine = (token: string): Problem =>
  must(`be https where ${token} is sent, unless it is this machine`, "https://api.marketdata.app")

/** The rules of the options of clients and streams, in words, each with a valid example. */
import type { Problem } from "@effect-marketdata/core/Problem"

export const requests: Problem = { rule: "must be a positive integer (requests)", example: "50" }

export const bytes: Problem = { rule: "must be a positive integer (bytes)", example: "1048576" }

export const keptBytes: Problem = { rule: "must be an integer of 0 or more (bytes)", example: "16777216" }

export const account: Problem = {
  rule: "must be a name of 1 to 100 printable characters, and not the token",
  example: "desk"
}

export const anew: Problem = { rule: "must be true or false", example: "true" }

export const store: Problem = {
  rule: "must be a store with find, keep and remove",
  example: "what ReplyCache.makeDiskStore(…) makes"
}

const ofDirectory = (rule: string): Problem => ({ rule, example: "/var/cache/desk" })

export const directory = /* @__PURE__ */ ofDirectory("must be the path of a directory")

export const realDirectory = /* @__PURE__ */ ofDirectory("must be a directory, not a symbolic link")

export const ownDirectory = /* @__PURE__ */ ofDirectory("must belong to the user who runs this program")

export const closedDirectory = /* @__PURE__ */ ofDirectory("must be writable by its owner alone (chmod go-w)")

export const tickers: Problem = { rule: "must be a positive integer (tickers)", example: "500" }

export const token: Problem = {
  rule: "must be at most 4096 characters of printable ASCII without spaces, and without braces or quotes around it",
  example: "a1B2c3D4"
}

/** A token as the options take it. */
export const redacted: Problem = {
  rule: "must be a Redacted string, made by the same copy of effect, or an Effect that returns one",
  example: "Redacted.make(process.env.MARKETDATA_TOKEN)"
}

export const privateLine = (token: string): Problem => ({
  rule: `must be https where ${token} is sent, unless it is this machine`,
  example: "https://api.marketdata.app"
})

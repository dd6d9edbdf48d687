/**
 * Reads a raw request target: which path, which parameters. Nothing is rewritten on the way, so that what a client sends is what is
 * judged (clauses 7.3-url-shape and 7.3-cause-url).
 *
 * @example
 * ```ts
 * import * as Routes from "@effect-marketdata/sandbox/Routes"
 * import * as Result from "effect/Result"
 *
 * Result.map(Routes.read("/v1/options/chain/BRK.B/?mode=cached"), (route) => route.segments)
 * // => Result.succeed(["v1", "options", "chain", "BRK.B"])
 * ```
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as SandboxReply from "./SandboxReply.ts"

/**
 * A target, read: the decoded segments of its path, and its parameters by name.
 *
 * @category models
 * @since 0.1.0
 */
export interface Route {
  readonly segments: ReadonlyArray<string>
  readonly parameters: ReadonlyMap<string, string>
}

const bad = (errmsg: string) => Result.fail(SandboxReply.failure(400, errmsg))

const decode = (text: string): Result.Result<string, SandboxReply.SandboxReply> =>
  Result.try({
    try: () => decodeURIComponent(text),
    catch: () => SandboxReply.failure(400, "Bad request. The URL is not correctly encoded.")
  })

/**
 * Reads a target; fails with the 400 reply for one that is built wrongly.
 *
 * @category reading
 * @since 0.1.0
 */
export const read = (target: string): Result.Result<Route, SandboxReply.SandboxReply> =>
  Result.gen(function*() {
    const question = target.indexOf("?")
    const path = question < 0 ? target : target.slice(0, question)
    if (!path.startsWith("/") || /[&=#]/.test(path) || /[#\s]/.test(target)) {
      return yield* bad("Bad request. Parameters follow the path behind a question mark.")
    }
    const segments: Array<string> = []
    for (const part of path.split("/")) if (part !== "") segments.push(yield* decode(part))
    const parameters = new Map<string, string>()
    if (question < 0) return { segments, parameters }
    for (const part of target.slice(question + 1).split("&")) {
      const [name, value, ...rest] = part.split("=")
      if (name === undefined || name === "" || value === undefined || rest.length > 0) {
        return yield* bad("Bad request. Write parameters as key=value, separated by &.")
      }
      const key = (yield* decode(name)).toLowerCase()
      if (parameters.has(key)) return yield* bad(`Bad request. The parameter ${key} was given twice.`)
      parameters.set(key, yield* decode(value))
    }
    return { segments, parameters }
  })

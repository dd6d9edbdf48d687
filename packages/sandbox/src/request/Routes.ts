/**
 * Reads a raw request target: which endpoint, which path parameters, which query parameters. Nothing is rewritten on the way, so that what
 * a client sends is what is judged (clauses 7.3-url-shape and 7.3-cause-url). The paths are those of core's rows.
 *
 * @example
 * ```ts
 * import * as Routes from "@effect-marketdata/sandbox/Routes"
 *
 * const target = Routes.read("/v1/options/chain/BRK.B/?mode=cached")
 * target._tag === "Target" && Routes.find(target)?.segments // => { underlyingSymbol: "BRK.B" }
 * Routes.read("/v1/options/chain/SPX&mode=cached")
 * // => { _tag: "Malformed", errmsg: "Bad request. Parameters follow the path behind a question mark." }
 * ```
 *
 * @since 0.1.0
 */
import * as Query from "@effect-marketdata/core/Query"

/**
 * A target, read: the decoded segments of its path, and its query parameters by their names in lower case.
 *
 * @category models
 * @since 0.1.0
 */
export interface Target {
  readonly _tag: "Target"
  readonly path: ReadonlyArray<string>
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * A target that cannot be read, and why.
 *
 * @category models
 * @since 0.1.0
 */
export interface Malformed {
  readonly _tag: "Malformed"
  readonly errmsg: string
}

/**
 * Where a target leads: the endpoint, its path parameters by name, and whether it takes its tickers from the `symbols` parameter.
 *
 * @category models
 * @since 0.1.0
 */
export interface Route {
  readonly row: Query.AnyEndpoint
  readonly list: boolean
  readonly segments: Readonly<Record<string, string>>
}

const malformed = (errmsg: string): Malformed => ({ _tag: "Malformed", errmsg: `Bad request. ${errmsg}` })

const badEncoding = malformed("The URL is not correctly encoded.")

/** Takes percent-encoding away; undefined where it is invalid. */
const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Reads a target.
 *
 * @category decoding
 * @since 0.1.0
 */
export const read = (target: string): Target | Malformed => {
  const mark = target.indexOf("?")
  const path = mark < 0 ? target : target.slice(0, mark)
  if (!path.startsWith("/") || /[&=]/.test(path) || /[#\s]/.test(target)) {
    return malformed("Parameters follow the path behind a question mark.")
  }
  const segments: Array<string> = []
  for (const part of path.slice(1).replace(/\/$/, "").split("/")) {
    const segment = decode(part)
    if (segment === undefined) return badEncoding
    segments.push(segment)
  }
  const parameters = readQuery(mark < 0 ? "" : target.slice(mark + 1))
  return "_tag" in parameters ? parameters : { _tag: "Target", path: segments, parameters }
}

const readQuery = (query: string): ReadonlyMap<string, string> | Malformed => {
  const parameters = new Map<string, string>()
  if (query === "") return parameters
  for (const part of query.split("&")) {
    const [name, value, ...rest] = part.replaceAll("+", " ").split("=")
    if (name === undefined || name === "" || value === undefined || rest.length > 0) {
      return malformed("Write parameters as key=value, separated by &.")
    }
    // A percent sign that ends a number begins no escape: the service's own documentation writes `0.5%`.
    const [key, text] = [decode(name)?.toLowerCase(), decode(value.replace(/(?<=\d)%$/, "%25"))]
    if (key === undefined || text === undefined) return badEncoding
    if (parameters.has(key)) return malformed(`The parameter ${key} was given twice.`)
    parameters.set(key, text)
  }
  return parameters
}

/** A path of a row in parts, each a text or the name of a parameter. */
const template = (row: Query.AnyEndpoint, path: string, list: boolean) => ({
  row,
  list,
  parts: path.slice(1).replace(/\/$/, "").split("/").map((text) => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] }))
})

const templates = Object.values(Query.endpoints).flatMap((row) => [
  ...(row.listPath === undefined ? [] : [template(row, row.listPath, true)]),
  ...(row.path === row.listPath ? [] : [template(row, row.path, false)])
])

/** The one resolution that is part of a path, which the public service takes in other spellings too. */
const daily = /^(1?d|daily)$/i

/**
 * Finds the endpoint that a target leads to, with a slash at its end or without one; undefined for a path that leads nowhere. The
 * description of a lookup may hold slashes, encoded or not (clause 4.3-lookup).
 *
 * @category decoding
 * @since 0.1.0
 */
export const find = ({ path }: Pick<Target, "path">): Route | undefined => {
  for (const { list, parts, row } of templates) {
    const isLookup = row.name === "optionLookup" && path.length > parts.length
    const own = isLookup ? [...path.slice(0, parts.length - 1), path.slice(parts.length - 1).join("/")] : path
    if (own.length !== parts.length) continue
    const segments: Record<string, string> = {}
    const isMatch = parts.every(({ name, text }, at) => {
      if (name === undefined) return text === own[at] || (text === "D" && daily.test(own[at]!))
      segments[name] = own[at]!
      return own[at] !== ""
    })
    if (isMatch) return { row, list, segments }
  }
  return undefined
}

/**
 * Takes the token out of a target, so that it can be logged.
 *
 * @category formatting
 * @since 0.1.0
 */
export const redact = (target: string): string =>
  target.replace(
    /([?&])([^=&]*)=([^&]*)/g,
    (whole, before: string, name: string) =>
      decode(name)?.toLowerCase() === "token" ? `${before}${name}=<redacted>` : whole
  )

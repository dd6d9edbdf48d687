import * as Json from "../text/json.ts"
import { type Values, written } from "./parameter.ts"

/** The fields of a query from which the others follow. */
interface Fields {
  readonly endpoint: { readonly name: string; readonly parameters: ReadonlyArray<string> }
  readonly segments: Readonly<Record<string, string>>
  readonly tickers: ReadonlyArray<string>
  readonly list: boolean
  readonly options: Values
  readonly columns: ReadonlyArray<string> | undefined
  readonly mode: object | undefined
  readonly assume: object
  readonly format?: "csv" | undefined
}

/** Makes a query of its fields. `JSON.stringify` prints it as `Schemas.Query` reads it. */
export const made = <Query extends Fields>(fields: Query): Query => Json.withJson(fields, toJSON)

/** The queries that need no check: constructors made them, and they are frozen. A copy is another object. */
const sound = /* @__PURE__ */ new WeakSet<object>()

/** Makes a query of valid fields, so that it is not checked again. */
export const soundly = <Query extends Fields>(fields: Query): Query => {
  const query = made(fields)
  Object.freeze(query)
  sound.add(query)
  return query
}

/** Changes a query in a way that breaks no rule: a checked query remains one. */
export const changed = <Query extends Fields>(query: Query, fields: Partial<Query>): Query =>
  (isSound(query) ? soundly : made)({ ...query, ...fields })

/** Changes options of a query; undefined removes an option. */
export const withOptions = <Query extends Fields>(query: Query, options: Values): Query =>
  changed(query, { ...query, options: { ...query.options, ...options } })

/** The endpoint's own parameters, in the order in which they are sent. */
export const parametersOf = ({ endpoint, options }: Pick<Fields, "endpoint" | "options">) =>
  endpoint.parameters.flatMap((name) => {
    const value = options[name]
    return value === undefined ? [] : [[name, written(value)] as const]
  })

/** Whether a query needs no check. */
export const isSound = (query: unknown): boolean => typeof query === "object" && query !== null && sound.has(query)

function toJSON(this: Fields): Asked {
  return asked(this)
}

/** The parts of a query from which it can be made again: its endpoint, its parameters, and what every query has. */
export const asked = (self: Fields): Asked => ({
  endpoint: self.endpoint.name,
  ...self.list ? { symbols: self.tickers } : self.segments,
  parameters: Object.fromEntries(parametersOf(self)),
  columns: self.columns,
  mode: self.mode,
  assume: self.assume,
  format: self.format
})

/**
 * A query in JSON: the name of its endpoint; what its path names, or the `symbols` of a list; the endpoint's own parameters as they are sent; and
 * what every query takes.
 */
export interface Asked {
  readonly endpoint: string
  readonly symbols?: ReadonlyArray<string> | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  readonly columns?: ReadonlyArray<string> | undefined
  readonly mode?: unknown
  readonly assume?: object | undefined
  readonly format?: "csv" | undefined
}

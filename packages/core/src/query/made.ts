import type { Query } from "./query.ts"
import * as Json from "../text/json.ts"

/** Makes a query of its fields, or changes some of them: `JSON.stringify` prints it as `Schemas.Query` reads it. */
export const made = <Q extends Query>(fields: Q): Q => Json.withJson(fields, toJSON)

/** The endpoint by its name, what is asked of it, and what every query takes: all else follows from these. */
function toJSON(this: Query) {
  const { assume, columns, endpoint, format, list, mode, parameters, segments, tickers } = this
  return {
    endpoint: endpoint.name,
    ...list ? { symbols: tickers } : segments,
    parameters: Object.fromEntries(parameters.map(([name, text]) => [name, valueOf(text)])),
    columns,
    mode,
    assume,
    format
  }
}

/** A parameter as the option that it was given by, where that is a number or one of true and false. */
const valueOf = (text: string): unknown =>
  text === "true" || text !== "false" && (Number.isNaN(Number(text)) ? text : Number(text))

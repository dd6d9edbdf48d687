import * as Json from "../text/json.ts"
import type { Range } from "./estimate.ts"

/** Makes an estimate between two bounds: `JSON.stringify` prints an upper bound that is not there as `"Infinity"`, where it would print null. */
export const range = (fields: Omit<Range, "_tag">): Range => Json.withJson({ _tag: "Range", ...fields }, toJSON)

function toJSON(this: Range) {
  return { ...this, max: Json.amount(this.max) }
}

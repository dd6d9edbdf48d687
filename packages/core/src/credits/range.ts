import * as Json from "../text/json.ts"
import type { Range } from "./estimate.ts"

/** Makes an estimate between two bounds: `JSON.stringify` prints an upper bound that is not there as `"Infinity"`, where it would print null. */
export const range = (fields: Omit<Range, "_tag">): Range => {
  const made: Range = { _tag: "Range", ...fields }
  // Any other is printed as it is.
  return fields.max === Infinity ? Json.withJson(made, toJSON) : made
}

function toJSON(this: Range) {
  return { ...this, max: "Infinity" }
}

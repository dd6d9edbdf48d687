/** Fast-check with at most fifty runs of each property: thousands of mutants take turns, and a fault in a law shows early. */
import * as fc from "fast-check"

export * from "fast-check"

const most = 50

export const assert = <Values>(property: fc.IRawProperty<Values>, parameters: fc.Parameters<Values> = {}) =>
  fc.assert(property, { ...parameters, numRuns: Math.min(parameters.numRuns ?? most, most) })

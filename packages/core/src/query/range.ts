import * as Parameter from "./parameter.ts"

/** The readers of a range of days, for endpoints that take no relative ones. */
export const plain = { from: Parameter.moment, to: Parameter.moment }

/** The readers of a range that may be relative, or counted back from its end. */
export const counted = {
  from: Parameter.orRelative(Parameter.moment),
  to: Parameter.orRelative(Parameter.moment),
  countback: Parameter.whole({ min: 1 })
}

/** The same, or one day. */
export const any = { date: Parameter.orRelative(Parameter.day), ...counted }

/** Refuses a day with a range, a start with a count, and a start after the end. */
export const check = /* @__PURE__ */ Parameter.together<keyof typeof any>([
  /* @__PURE__ */ Parameter.exclusive([["date"], ["from", "to", "countback"]], "date, or from and to"),
  /* @__PURE__ */ Parameter.exclusive([["from"], ["countback"]], "from, or countback"),
  Parameter.daysInOrder
])

/** A filter by number, such as that of strikes: which numbers it keeps, how the service writes it, and the strikes that it spans. */
import * as Strike from "../symbol/Strike.ts"

/**
 * Which numbers a filter keeps: one number, a list of numbers, those in a range (both ends included), or those above or below a number.
 *
 * @category models
 * @since 0.1.0
 */
export type Numbers =
  | number
  | ReadonlyArray<number>
  | { readonly from: number; readonly to: number }
  | { readonly above: number }
  | { readonly atLeast: number }
  | { readonly below: number }
  | { readonly atMost: number }

/** All bounds that a filter may have. */
type Bounds = { readonly [Name in "from" | "to" | keyof typeof signs]?: number }

const signs = { above: ">", atLeast: ">=", below: "<", atMost: "<=" } as const

/** Writes a filter as the service reads it: `400`, `400,405`, `400-410`, `>400`, `>=400`, `<400` or `<=400`. */
export const format = (self: Numbers): string => {
  if (typeof self === "number" || "length" in self) return String(self)
  if ("from" in self) return `${self.from}-${self.to}`
  const [[name, bound]] = Object.entries(self) as [[keyof typeof signs, number]]
  return signs[name] + bound
}

const form = /^(?:(\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)|(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)|([<>]=?)(\d+(?:\.\d+)?))$/

/** Reads what `format` wrote, which is how queries and sizes are stored. Undefined for anything else. */
export const parse = (text: string): Numbers | undefined => {
  const [, list, from, to, sign, bound] = form.exec(text) ?? []
  if (list !== undefined) return ofList(list.split(",").map(Number))
  if (from !== undefined) return { from: Number(from), to: Number(to) }
  const name = Object.entries(signs).find(([, own]) => own === sign)?.[0]
  return name === undefined ? undefined : { [name]: Number(bound) } as unknown as Numbers
}

/** A list of one is that number. */
export const ofList = (list: ReadonlyArray<number>): Numbers => list.length === 1 ? list[0]! : list

/** Whether an object is a filter by number. Throws for null, and for an object whose fields cannot be read. */
export const isNumbers = (value: object | null): boolean => parse(format(value as Numbers)) !== undefined

/** Strikes from one to another, both included, in thousandths of a dollar. */
export interface Strikes {
  readonly from: number
  readonly to: number
}

/** The strikes that a filter in dollars keeps: each of a list, or one range. */
export const strikes = (self: Numbers): ReadonlyArray<Strikes> => {
  const at = Strike.toThousandths
  if (typeof self === "number") return [{ from: at(self), to: at(self) }]
  if ("length" in self) return self.flatMap(strikes)
  const { above, atLeast, atMost, below, from = atLeast ?? 0, to = atMost ?? Infinity }: Bounds = self
  return [{ from: above === undefined ? at(from) : at(above) + 1, to: below === undefined ? at(to) : at(below) - 1 }]
}

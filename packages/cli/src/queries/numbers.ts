/** Reads which numbers a filter keeps, written as the service writes them: `150`, `150,155`, `150-160`, `>150`, `>=150`, `<150` or `<=150`. */
import type { Numbers } from "@effect-marketdata/core/OptionChain"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const signs = { ">": "above", ">=": "atLeast", "<": "below", "<=": "atMost" } as const

const isSign = (text: string): text is keyof typeof signs => Object.hasOwn(signs, text)

const decimal = "\\d+(?:\\.\\d+)?|\\.\\d+"

const range = new RegExp(`^(${decimal})-(${decimal})$`)

const bound = new RegExp(`^([<>]=?)(${decimal})$`)

const list = new RegExp(`^(?:${decimal})(?:,(?:${decimal}))*$`)

const read = (text: string): Numbers | undefined => {
  const plain = text.replaceAll(" ", "")
  const [, from, to] = range.exec(plain) ?? []
  if (from !== undefined && to !== undefined) return { from: Number(from), to: Number(to) }
  const [, sign, than] = bound.exec(plain) ?? []
  if (sign !== undefined && isSign(sign)) return { [signs[sign]]: Number(than) } as unknown as Numbers
  if (!list.test(plain)) return undefined
  const numbers = plain.split(",").map(Number)
  return numbers.length === 1 ? numbers[0] : numbers
}

/** Reads the numbers of a flag; `example` is one that the filter takes. */
export const numbersOf = (flag: string, given: Option.Option<string>, example: string) =>
  Option.isNone(given) ? Effect.succeed(undefined) : Effect.suspend(() => {
    const numbers = read(given.value)
    return numbers === undefined
      ? Effect.fail(InvalidQuery.of(flag, given.value, {
        rule: "must be a number, a list, a range or a bound such as '>=1'",
        example
      }))
      : Effect.succeed(numbers)
  })

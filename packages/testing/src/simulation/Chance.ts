/**
 * Random numbers from a seed: the same seed gives the same numbers. For simulations, not for secrets.
 *
 * @example
 * ```ts
 * import * as Chance from "@effect-marketdata/testing/Chance"
 *
 * const rolls = (seed: number) => {
 *   const chance = Chance.make(seed, "dice")
 *   return [chance.below(6), chance.below(6), chance.below(6)]
 * }
 * JSON.stringify(rolls(1)) === JSON.stringify(rolls(1)) // => true
 * ```
 *
 * @see {@link SeededRuntime} for programs whose order it decides
 * @since 0.1.0
 */

/**
 * A source of random numbers.
 *
 * - `next`: a number from 0 to below 1
 * - `below`: a whole number from 0 to below `end`
 * - `is`: whether something of this probability happens
 * - `pick`: one of the values
 * - `weigh`: one of the values, each as likely as its weight says
 *
 * @category models
 * @since 0.1.0
 */
export interface Chance {
  readonly next: () => number
  readonly below: (end: number) => number
  readonly is: (probability: number) => boolean
  readonly pick: <A>(values: ReadonlyArray<A>) => A
  readonly weigh: <A>(values: ReadonlyArray<readonly [weight: number, value: A]>) => A
}

/**
 * Makes a source from a seed and the names of what it is for, so that different uses draw independent numbers.
 *
 * @example
 * ```ts
 * import * as Chance from "@effect-marketdata/testing/Chance"
 *
 * Chance.make(1, "prices").below(6) === Chance.make(1, "prices").below(6) // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (seed: number, ...names: ReadonlyArray<string | number>): Chance => {
  const start = mix(seed | 0, Math.floor(seed / 2 ** 32))
  let state = names.reduce<number>((hash, name) => ofText(hash, String(name)), start)
  const next = (): number => {
    state = (state + 0x9e37_79b9) | 0
    return (mix(state, 0x85eb_ca6b) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return {
    next,
    below,
    is: (probability) => next() < probability,
    pick: (values) => values[below(values.length)]!,
    weigh: (values) => {
      let left = next() * values.reduce((sum, [weight]) => sum + weight, 0)
      return (values.find(([weight]) => (left -= weight) < 0) ?? values.at(-1)!)[1]
    }
  }
}

/** Every bit of both numbers moves every bit of the result. */
const mix = (seed: number, value: number): number => {
  let hash = Math.imul(seed ^ (seed >>> 16), 0x21f0_aaad) ^ value
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a_2d97)
  return hash ^ (hash >>> 15)
}

const ofText = (seed: number, text: string): number => {
  let hash = mix(seed, text.length)
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at))
  return hash
}

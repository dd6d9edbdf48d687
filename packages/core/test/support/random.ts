/** Numbers that look random and are the same for the same seed: fast enough to make a million documents of. */
export type Random = ReturnType<typeof make>

/** Makes a source of them: the generator is splitmix32, two steps a fraction. */
export const make = (seed: number) => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  /** A fraction from 0 to before 1. */
  const fraction = () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53
  /** A whole number from 0 to before `limit`. */
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    /** One of some values. */
    pick: <A>(values: ArrayLike<A>): A => values[below(values.length)]!,
    /** True in so many of all cases. */
    chance: (share: number) => fraction() < share,
    /** The values in another order. */
    shuffled: <A>(values: ReadonlyArray<A>): Array<A> => {
      const order = [...values]
      for (let at = order.length - 1; at > 0; at--) {
        const other = below(at + 1)
        const value = order[at]!
        order[at] = order[other]!
        order[other] = value
      }
      return order
    }
  }
}

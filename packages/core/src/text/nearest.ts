/** Finds the name that was most likely meant: the one with the fewest letters changed, if fewer than half of them are. */
export const nearest = (text: string, names: ReadonlyArray<string>): string | undefined => {
  const plain = plainOf(text)
  const distances = names.map((name) => ({ name, distance: distance(plain, plainOf(name)) }))
  const [best] = distances.toSorted((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance * 2 < Math.max(plain.length, best.name.length) ? best.name : undefined
}

/** Names are told apart without case and dashes: `min_open_interest` is `minOpenInterest`. What is longer than any name is cut. */
const plainOf = (text: string): string => text.slice(0, 40).toLowerCase().replace(/[^a-z0-9]/g, "")

/** The fewest letters to put in, take out or exchange between two texts, where two that stand in the wrong order count as one (Damerau). */
const distance = (a: string, b: string): number => {
  let before: ReadonlyArray<number> = []
  let row: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let at = 0; at < a.length; at++) {
    const next = [at + 1]
    for (let to = 0; to < b.length; to++) {
      const isSwapped = at > 0 && to > 0 && a[at] === b[to - 1] && a[at - 1] === b[to]
      next.push(
        Math.min(
          next[to]! + 1,
          row[to + 1]! + 1,
          row[to]! + (a[at] === b[to] ? 0 : 1),
          isSwapped ? before[to - 1]! + 1 : Infinity
        )
      )
    }
    before = row
    row = next
  }
  return row[b.length]!
}

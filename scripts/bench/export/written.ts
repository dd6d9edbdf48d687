/** What is measured of each way to write a chain. */
import { growth } from "../memory.ts"
import { type Paired, paired, processor } from "../statistics.ts"

/** What a way took by the clock and of the processor, and what it came to: bytes, and the most memory beside what was read. */
export interface Written {
  readonly clock: Paired
  readonly processor: Paired
  readonly bytes: number
  readonly memory: number
}

/** Writes what was read of a reply once, and then again and again, against `JSON.parse` of it. */
export const written = async (text: string, encode: () => Uint8Array, milliseconds: number): Promise<Written> => {
  let bytes = 0
  const memory = await growth(() => bytes = encode().length)
  const parse = () => JSON.parse(text)
  const clock = await paired(parse, encode, milliseconds)
  return { clock, processor: await paired(parse, encode, milliseconds, 0, processor), bytes, memory }
}

/**
 * Chance without a generator: numbers that look random, each a pure function of a seed and of what it is for. Nothing is drawn in an
 * order, so any number can be asked for alone, and asked again.
 */

/** Makes another seed of a seed and a whole number; both count modulo 2^32, and their order matters. */
export const mix = (seed: number, value: number): number => {
  // The finalizer of MurmurHash3: every bit of the input moves every bit of the result.
  let hash = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) + Math.imul(value ^ (value >>> 15), 0x2c1b_3c6d)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Makes a number of a text, to mix into a seed. */
export const ofText = (text: string): number => {
  let seed = text.length
  for (let at = 0; at < text.length; at++) seed = mix(seed, text.charCodeAt(at))
  return seed
}

/** Makes another seed of a seed and a name. */
export const named = (seed: number, name: string): number => mix(seed, ofText(name))

/** Returns the number of a seed: 0 or more and less than 1, all equally likely. */
export const unit = (seed: number): number => (seed >>> 0) / 2 ** 32

/** Returns the number of one of the things that are left to chance under a seed. */
export const draw = (seed: number, what: number): number => unit(mix(seed, what))

const knot = (seed: number, at: number): number => 2 * draw(seed, at) - 1

/** The even passage from one height to another, when a part of it is done. */
const passage = (from: number, to: number, part: number): number => {
  const eased = part * part * (3 - 2 * part)
  return from * (1 - eased) + to * eased
}

/**
 * Returns a smooth curve between -1 and 1 at a point: a random value at every whole number, and an even passage from each to the next.
 */
export const wave = (seed: number, at: number): number => {
  const before = Math.floor(at)
  return passage(knot(seed, before), knot(seed, before + 1), at - before)
}

/** The logarithms of the longest and the shortest period of a walk, in days. */
const longest = 8
const shortest = -9

/** Waves of all these periods together move faster than each alone; this makes the variance of a step the length of the step. */
const steepness = 0.8

/**
 * Returns where a random walk is at a time in days. It is made of waves from 256 days down to a 512th of a day, each as high as the
 * root of its period: over a lag of that order it moves by about the root of the lag, and in the long run it stays near 0, with a
 * standard deviation of about 9.
 */
export const walk = (seed: number, days: number): number => walker(seed)(days)

/**
 * Returns a walk to ask for many times: the same numbers as `walk`, found much faster where each time is near the one before.
 */
export const walker = (seed: number): (days: number) => number => {
  const waves = Array.from({ length: longest - shortest + 1 }, (_, at) => {
    const octave = longest - at
    return { seed: mix(seed, octave), frequency: 2 ** -octave, height: 2 ** (octave / 2), at: NaN, before: 0, after: 0 }
  })
  return (days) => {
    let height = 0
    for (const wave of waves) {
      const at = days * wave.frequency
      const whole = Math.floor(at)
      if (whole !== wave.at) {
        wave.before = whole === wave.at + 1 ? wave.after : knot(wave.seed, whole)
        wave.after = knot(wave.seed, whole + 1)
        wave.at = whole
      }
      height += wave.height * passage(wave.before, wave.after, at - whole)
    }
    return steepness * height
  }
}

// How far a loop that reads several numbers came: where it stopped, and in the upper half where the next number is to lie.

@inline export function progress(position: usize, out: usize): u64 {
  return u64(position) | (u64(out) << 32)
}

@inline export function positionOf(progress: u64): usize {
  return <usize>progress
}

@inline export function outOf(progress: u64): usize {
  return <usize>(progress >>> 32)
}

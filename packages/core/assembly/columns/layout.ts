// Where things lie in memory; packages/core/src/columns/internal/abi.ts says it for the driver, and a test compares the two.

@inline export const NULLS: usize = 8
@inline export const SLOT: usize = 12
@inline export const LENGTH: usize = 16

/** Tables of numbers, which the driver writes once: what json.ts of core says of them. */
@inline export const DIVISORS: usize = 64
@inline export const POWERS: usize = 320
@inline export const RESIDUES: usize = 688

/** By eight times the bit of the dot among eight characters: what closes the gap that it leaves in one lane or the other, and what the digits are divided by. */
@inline export const CLOSE_LEFT: usize = 1056
@inline export const CLOSE_RIGHT: usize = 1576
@inline export const SHARES: usize = 2096

@inline export const CACHE: usize = 4096
@inline export const CACHE_BYTES: usize = 8192
@inline export const SLOT_BYTES: usize = 32
@inline export const KEY_BYTES: usize = 16
@inline export const TRIES: i32 = 8
@inline export const FREE: i32 = -222

@inline export const CHOICES: usize = 12288
@inline export const FIRST_CHOICE: usize = 12296
@inline export const CHOICE_BYTES: usize = 24

@inline export const NULLS_ALLOWED: i32 = 1
@inline export const REPEATS: i32 = 2

/**
 * How often the slow laws of decoding are tried, and with which seed. `DECODE_TRIALS=10` tries them ten times as often, `DECODE_TRIALS=0.01`
 * hardly at all; `DECODE_SEED=7` tries other examples.
 */
const factor = Number(process.env["DECODE_TRIALS"] ?? 1)

export const seed = Number(process.env["DECODE_SEED"] ?? 20_261_121)

/** So many trials, more or fewer where somebody asked for it. */
export const times = (count: number): number => Math.ceil(count * factor)

/** How long the tests that try them may take, in milliseconds: several times of what they take on two cores. */
export const timeout = 300_000 * Math.max(1, factor)

/**
 * How often a law is tried. Every law of symbols, time, credits, ledger and request lines is tried so often, in every run of the tests;
 * `LAW_TRIALS` names another number for those who try the laws many times over, as the planted faults do.
 */
const numRuns = Number(process.env["LAW_TRIALS"] ?? 10_000)

/** Tries a law that often, with the same values in every run; on failure fast-check prints the seed and the path to the example. */
export const trials = (seed: number) => ({ numRuns, seed })

// Where things lie in memory; packages/core/src/chain/chainScan.ts says it for what fills it, and a test compares the two.

/** So many rows lie here at once, each lane's one after another. */
@inline export const ROWS: usize = 1024

/** The series of each row, as a position among the series. One more may be read than there are rows. */
@inline export const CODES: usize = 1024

/** Lanes of 64-bit floats, behind one another. */
@inline export const LANES: usize = 5136

/** What is known of each series: four 64-bit floats. */
@inline export const SERIES: usize = 111632
@inline export const SERIES_BYTES: usize = 32

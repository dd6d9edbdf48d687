// Marks of a loop over numbers.

/** Nulls are elements like others. */
export const nullsAllowed = 1

/** Neighbours are often equal. */
export const repeats = 2

// Why a loop stops.

/** No further element is sure to have arrived whole. */
export const more = 0

/** The array ends at the position. */
export const end = 1

/** The loop does not read the element at the position. */
export const slow = 2

/** An element was read, and whitespace follows. */
export const separator = 3

/** There is no room for another element. */
export const full = 4

/** The text at the position begins with none of the cached legend. */
export const unknown = 5

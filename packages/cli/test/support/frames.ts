/** What a terminal is sent to draw over its screen. */

const escape = "\u001b"

/** The orders that a screen is opened, closed and drawn with, and colours. */
const orders = new RegExp(`${escape}\\[[0-9;?]*[A-Za-z]`, "g")

/** The orders alone that the program itself draws with, line ends included. */
const own = new RegExp(`${escape}\\[(?:\\?1049[hl]|\\?25[hl]|[HKJ])|\r\n`, "g")

/** The lines of a frame, as a person sees them. */
export const linesOf = (frame: string): ReadonlyArray<string> => frame.replaceAll(orders, "").split("\r\n")

/** A frame without the program's own orders: it should have no others. */
export const withoutOwn = (frame: string): string => frame.replaceAll(own, "")

export const opened = `${escape}[?1049h${escape}[?25l`

export const closed = `${escape}[?25h${escape}[?1049l`

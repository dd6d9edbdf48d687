/** Quotes a text for a message, bounded: texts come from outside, and a message is no place for a megabyte. */
export const quote = (text: string): string => JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 79)}…`)

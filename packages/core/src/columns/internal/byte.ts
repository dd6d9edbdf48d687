// The bytes that JSON gives a meaning. They are constants of a module, and not fields of an object, so that bundlers write them out as numbers.

export const quote = 34
export const comma = 44
export const minus = 45
export const zero = 48
export const colon = 58
export const openBracket = 91
export const backslash = 92
export const closeBracket = 93
export const openBrace = 123
export const closeBrace = 125

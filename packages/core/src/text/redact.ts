const value = `[^\\s"'&;,<>()[\\]{}\\\\]+`
const parameter = new RegExp(`(token\\\\*["']?\\s*(?:[=:]|%3D)\\s*\\\\*["']?)${value}`, "gi")
const header = new RegExp(`(bearer(?:\\s|%20|\\+|<(?!redacted>)[^<>]{0,99}>)+)${value}`, "gi")

/** Takes out of a text what looks like a token: proxies and error pages may echo a request. */
export const redact = (text: string): string => text.replace(header, "$1<redacted>").replace(parameter, "$1<redacted>")

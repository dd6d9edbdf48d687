/**
 * Text from outside that is shown to a person: what a service said, the name of a field, a file, an argument. Some characters command a
 * terminal, and some reverse the order of others. Here they are escaped, and what looks like a token is removed; `without` also finds a
 * secret that is known.
 *
 * Every message of these packages is made safe here. Print texts from a reply with `ForeignText.line` as well.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 *
 * ForeignText.line("AAPL\u001b[2J\nexit 0") // => "AAPL\\u001b[2J\\nexit 0"
 * ForeignText.line("GET /?token=c3VwZXI HTTP/1.1") // => "GET /?token=<redacted> HTTP/1.1"
 * ForeignText.quote("\u202eLPAA") // => "\"\\u202eLPAA\""
 * ```
 *
 * @since 0.1.0
 */
import * as Base64 from "effect/encoding/Base64"
import * as Untyped from "./untyped.ts"

/**
 * Prints a text in one line. Control characters, line ends, invisible characters, characters that change the writing direction, and
 * halves of surrogate pairs are escaped as in JSON; what looks like a token is removed. Doing it twice changes nothing more. `maxLength`
 * is the most characters of the text that are shown.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 *
 * ForeignText.line("a text\nfrom \u001b[31moutside").includes("\u001b") // => false
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const line = (text: string, maxLength = Infinity): string =>
  lines(cut(redact(textOf(text)), maxLength)).replaceAll("\n", "\\n")

/**
 * Prints a text in quotation marks, in one line, and at most 80 characters of it.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 *
 * ForeignText.quote("AAPL") // => "\"AAPL\""
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const quote = (text: string): string => `"${line(text, 80).replaceAll("\"", "\\\"")}"`

/**
 * Prints a text of several lines: like `line`, but line feeds stay. In a string of JSON each escape stands for the character that it
 * replaces, so printed JSON keeps its value. It does not look for tokens, because such a text is made of parts that `line` has printed.
 *
 * @category formatting
 * @since 0.1.0
 */
export const lines = (text: string): string =>
  // Controls, formats (those of direction among them), halves of pairs, separators of lines and paragraphs: such a class takes a millisecond to make.
  notPlain.test(text) ? text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escape) : text

/**
 * Prints a text in printable ASCII, for the cell of a table: its length is then its width. Tickers are ASCII, so a letter of another
 * alphabet that looks like one of theirs becomes visible.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 *
 * ForeignText.ascii("AAPL") // => "AAPL"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const ascii = (text: string): string => redact(textOf(text)).replace(/[^ -~]/g, escape)

/**
 * Returns a function that removes a secret from a text, in any form: escaped as JSON or HTML, in octal, in a URL, in base64 once or twice, in
 * hexadecimal, as a list of bytes, in another case, in halves, cut at the end, or with blanks and tags inside. It does not look for secrets
 * shorter than 8 characters, which could be any word.
 *
 * @example
 * ```ts
 * import * as ForeignText from "@effect-marketdata/core/ForeignText"
 *
 * ForeignText.without("a-long-token")("Bearer a-long-token is unknown") // => "Bearer <redacted> is unknown"
 * ```
 *
 * @category formatting
 * @since 0.1.0
 */
export const without = (secret: string): (text: string) => string => {
  if (typeof secret !== "string") throw new TypeError("a secret must be a text, e.g. what Redacted.value returns")
  if (secret.length < leastLength) return (text) => text
  const forms = formsOf(secret)
  const once = base64Of(secret)
  const encoded = [...new Set([...once, ...once.flatMap(base64Of)])]
  const placesIn = ({ origins, text }: View): ReadonlyArray<Place> => {
    const found = [...placesOf(text, forms), ...base64PlacesOf(text, encoded)]
    const places = found.length === 0 ? [] : origins()
    return found.map(([first, last]) => [places[first]![0], places[last]![1]])
  }
  return (text) => hide(text, viewsOf(text).flatMap(placesIn))
}

// How texts are printed: how characters are escaped, and what looks like a token.

/** What an untyped caller gives in place of a text is printed as in a message. */
const textOf = (text: string): string => typeof text === "string" ? text : Untyped.shown(text)

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`

/** A character that is not plain ASCII. Hardly any text has one, and this search takes a tenth of the time of the others. */
const notPlain = /[^\n -~]/

/** Writes a character as a string of JSON may. */
const escape = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at)
    return unit === 13 ? "\\r" : unit === 9 ? "\\t" : `\\u${unit.toString(16).padStart(4, "0")}`
  }).join("")

const value = `[^\\s"'&;,<>()[\\]{}\\\\]+`
const parameter = new RegExp(`(token\\\\*["']?\\s*(?:[=:]|%3D)\\s*\\\\*["']?)${value}`, "gi")
const header = new RegExp(`(bearer(?:\\s|%20|\\+|<(?!redacted>)[^<>]{0,99}>)+)${value}`, "gi")

/** Takes out of a text what looks like a token: proxies and error pages may echo a request. */
const redact = (text: string): string => text.replace(header, "$1<redacted>").replace(parameter, "$1<redacted>")

// How a secret is found, however a service, a proxy or an error page may have written it. The text is decoded layer by layer, and in each layer the secret is
// searched for:
//
// - Layers that are taken off, up to `mostLayers` over each other: escapes of JSON, of HTML, of URLs, and in octal
// - Forms of the secret in a layer: in any case, in hexadecimal, as a list of bytes, in base64 once or twice, or half of it
// - Places where a form counts: anywhere, cut off at the end of the text, or with line ends, blanks, quotes and tags within it

/** Where the first and the last character of something stand. */
type Place = readonly [first: number, last: number]

/** A text that is searched, and the place of each of its characters in the text that it was made of, which is only asked for where a secret was found. */
interface View {
  readonly text: string
  readonly origins: () => ReadonlyArray<Place>
}

/** A shorter secret could be any word of a text. */
const leastLength = 8

/** This many codings may lie over each other: JSON in HTML in a URL, say. */
const mostLayers = 4

const redacted = "<redacted>"

/** All that is searched: a text with each layer of coding taken off, and each of those without what may stand within a secret. */
const viewsOf = (text: string): ReadonlyArray<View> => {
  let view: View = { text, origins: () => Array.from({ length: text.length }, (_, at) => [at, at]) }
  // Without coding and gaps, as the id of a request.
  if (/^[\w.-]*$/.test(text)) return [view]
  const views: Array<View> = []
  for (let layer = 0; layer <= mostLayers; layer++) {
    views.push(view, replaced(view, blanks(), () => ""), replaced(view, blanksAndTags(), () => ""))
    const decoded = replaced(view, coded, characterOf)
    if (decoded === view) break
    view = decoded
  }
  return views
}

/** Replaces what a pattern finds by one character or none, and leaves alone where `by` has neither. Returns the view itself where nothing is replaced. */
const replaced = (view: View, pattern: RegExp, by: (match: ReadonlyArray<string>) => string | undefined): View => {
  const text = view.text.replace(pattern, (...match) => by(match) ?? match[0])
  return text.length === view.text.length ? view : { text, origins: () => originsOf(view, pattern, by) }
}

const originsOf = (...[{ origins, text }, pattern, by]: Parameters<typeof replaced>): ReadonlyArray<Place> => {
  const before = origins()
  const places: Array<Place> = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    const character = by(match)
    if (character === undefined) continue
    while (at < match.index) places.push(before[at++]!)
    at += match[0].length
    if (character !== "") places.push([before[match.index]![0], before[at - 1]![1]])
  }
  return [...places, ...before.slice(at)]
}

/** How many characters of a form, fewer than all, stand at the end of a text; 0 if they are too few. */
const restAtEnd = (text: string, form: string): number => {
  for (let length = Math.min(form.length - 1, text.length); length >= leastLength; length--) {
    if (text.endsWith(form.slice(0, length))) return length
  }
  return 0
}

/** Replaces parts of a text, which may overlap. */
const hide = (text: string, hidden: ReadonlyArray<Place>): string => {
  let result = ""
  let at = 0
  for (const [first, last] of hidden.toSorted(([a], [b]) => a - b)) {
    if (first >= at) result += text.slice(at, first) + redacted
    at = Math.max(at, last + 1)
  }
  return result + text.slice(at)
}

/**
 * The secret as it may be searched for, in lower case: as it is, with each layer taken off that it may seem to have, its halves, and its bytes in
 * hexadecimal and in decimal as they are listed.
 */
const formsOf = (secret: string): ReadonlyArray<string> => {
  const bytes = [...secret].map((character) => character.charCodeAt(0))
  const hexadecimal = bytes.map((byte) => byte.toString(16).padStart(2, "0"))
  const half = Math.ceil(secret.length / 2)
  const lists = [...["", ":", "-", ",", ",0x"].map((between) => hexadecimal.join(between)), bytes.join(",")]
  const forms = [...viewsOf(secret).map(({ text }) => text), secret.slice(0, half), secret.slice(half), ...lists]
    .map((form) => form.toLowerCase())
  return [...new Set(forms)].filter((form) => form.length >= leastLength)
}

/** Where any of the forms is, and where the text ends with the beginning of one. */
const placesOf = (text: string, forms: ReadonlyArray<string>): ReadonlyArray<Place> => {
  const folded = text.toLowerCase()
  // Where a character becomes two in lower case, places would be wrong: then the text is searched as it is.
  const searched = folded.length === text.length ? folded : text
  return forms.flatMap((form) => {
    const places: Array<Place> = []
    for (let at = searched.indexOf(form); at !== -1; at = searched.indexOf(form, at + 1)) {
      places.push([at, at + form.length - 1])
    }
    const rest = restAtEnd(searched, form)
    return rest === 0 ? places : [...places, [text.length - rest, text.length - 1]]
  })
}

/** The characters of base64 that hold only bits of the secret, wherever it begins among three bytes. */
const base64Of = (secret: string): ReadonlyArray<string> =>
  [0, 1, 2].flatMap((before) => {
    const encoded = Base64.encode(
      Uint8Array.from(`${"\0".repeat(before)}${secret}`, (character) => character.charCodeAt(0))
    )
    const inner = encoded.slice(Math.ceil(before * 8 / 6), Math.floor((before + secret.length) * 8 / 6))
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")]
  })

/** Where the secret is in base64: the whole run of such characters is hidden, which holds its first and last bits. */
const base64PlacesOf = (text: string, encoded: ReadonlyArray<string>): ReadonlyArray<Place> =>
  encoded.flatMap((form) => {
    const at = text.indexOf(form)
    if (at === -1) return []
    let [first, last] = [at, at + form.length - 1]
    while (first > 0 && isBase64(text[first - 1]!)) first--
    while (last < text.length - 1 && isBase64(text[last + 1]!)) last++
    return [[first, last] as const]
  })

const isBase64 = (character: string): boolean => /[\w+/=-]/.test(character)

/** The names that HTML has for characters of tokens and of what stands around them, each before its character. */
const entities: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ "amp& lt< gt> quot\" apos' sol/ plus+ equals= lowbar_ hyphen- period. num# percnt% bsol\\ colon: commat@"
    .split(" ").map((entity) => [entity.slice(0, -1), entity.slice(-1)])
)

/** One coded character: of JSON, in octal, of a URL, of HTML. */
const coded =
  /\\([0-3]?[0-7]{2})|\\u\{?([\dA-Fa-f]{1,6})\}?|\\x([\dA-Fa-f]{2})|\\([^\dux])|%([\dA-Fa-f]{2})|&#(\d{1,7});?|&#[xX]([\dA-Fa-f]{1,6});?|&([A-Za-z]{2,6});/g

const characterOf = (
  [, octal, unicode, byte, plain, percent, decimal, hexadecimal, name]: ReadonlyArray<string | undefined>
): string | undefined => {
  const hex = unicode ?? byte ?? percent ?? hexadecimal
  const code = octal !== undefined
    ? Number.parseInt(octal, 8)
    : hex !== undefined
    ? Number.parseInt(hex, 16)
    : decimal !== undefined
    ? Number(decimal)
    : undefined
  // A token is ASCII: nothing else needs to be decoded.
  if (code !== undefined) return code < 0x80 ? String.fromCharCode(code) : undefined
  if (plain !== undefined) return "nrtbf".includes(plain) ? " " : plain
  return name && entities.get(name.toLowerCase())
}

// What may stand between the characters of a secret that was wrapped. What looks like a tag may as well hold the secret, so tags alone are not a gap.
const blanks = (): RegExp => /[\s\p{Cc}\p{Cf}"'`]+/gu
const blanksAndTags = (): RegExp => /<[^<>]{0,200}>|[\s\p{Cc}\p{Cf}"'`]+/gu

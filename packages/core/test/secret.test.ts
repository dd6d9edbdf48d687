import { without } from "@effect-marketdata/core/ForeignText"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Depth from "./support/depth.ts"

const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, "0")

const each = (write: (character: string) => string) => (text: string) => [...text].map(write).join("")

const some = (write: (character: string) => string) => each((c) => /[A-Za-z]/.test(c) ? c : write(c))

const base64 = (before: string, after: string) => (text: string) => btoa(before + text + after)

const between = (gap: string) => (text: string) => text.slice(0, 3) + gap + text.slice(3, 9) + gap + text.slice(9)

/** The ways in which a text comes back from services, proxies, gateways and error pages. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  "upper case": (text) => text.toUpperCase(),
  "lower case": (text) => text.toLowerCase(),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  "JSON with escaped slashes": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "JSON in code units": each((c) => `\\u00${hex(c)}`),
  "a string of JavaScript": each((c) => `\\x${hex(c)}`),
  "code points of JavaScript": each((c) => `\\u{${hex(c)}}`),
  "URL": encodeURIComponent,
  "URL in lower case": (text) => encodeURIComponent(text).replace(/%[\dA-F]{2}/g, (coded) => coded.toLowerCase()),
  "URL, each character": each((c) => `%${hex(c)}`),
  "HTML, decimal": some((c) => `&#${c.charCodeAt(0)};`),
  "HTML, hexadecimal": each((c) => `&#x${hex(c)};`),
  "HTML, without semicolons": (text) => text.replace(/[^A-Za-z0-9](?![0-9])/g, (c) => `&#${c.charCodeAt(0)}`),
  "HTML, named": (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("/", "&sol;"),
  base64: base64("", ""),
  "base64 in a pair": base64("user:", ""),
  "base64 behind one": base64("x", "yz"),
  "base64 for URLs": (text) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
  "base64 twice": (text) => btoa(btoa(text)),
  "base64 twice, in a pair": (text) => btoa(`Basic ${btoa(`user:${text}`)}`),
  hexadecimal: each(hex),
  "hexadecimal with colons": (text) => [...text].map(hex).join(":"),
  "hexadecimal with blanks": (text) => [...text].map(hex).join(" "),
  "a list of hexadecimal": (text) => [...text].map((c) => `0x${hex(c)}`).join(", "),
  "a Buffer's JSON": (text) => JSON.stringify(Buffer.from(text)),
  "a Buffer's JSON in lines": (text) => JSON.stringify(Buffer.from(text), null, 2),
  octal: each((c) => `\\${c.charCodeAt(0).toString(8)}`),
  "octal of three digits": each((c) => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`),
  "line ends": between("\n"),
  "escaped line ends": between("\\n"),
  blanks: between(" \t "),
  "invisible characters": between("\u200b"),
  tags: between("<wbr>"),
  "tags with attributes": between("</b><b class=\"x\">")
}

/** A token: printable ASCII without spaces, quotes and brackets at its ends; long enough to be none by chance. */
const secrets = fc.tuple(
  fc.stringMatching(/^[A-Za-z0-9]{4}$/),
  fc.stringMatching(/^[A-Za-z0-9+/=_.~:!$-]{12,60}$/),
  fc.stringMatching(/^[A-Za-z0-9]{4}$/)
).map((parts) => parts.join(""))

const around = fc.stringMatching(/^[A-Za-z0-9 .,;:{}"'<>=&%\\/\n-]{0,40}$/)

/** Nothing of a secret that anybody could read, in any of the writings. */
const isGone = (text: string, secret: string): boolean =>
  Object.values(writings).every((write) => !text.toLowerCase().includes(write(secret).toLowerCase()))

it("takes a secret out, however it is written, and wherever it stands", () => {
  fc.assert(
    fc.property(secrets, fc.constantFrom(...Object.keys(writings)), around, around, (secret, name, before, after) => {
      // Letters and digits that touch base64 or hexadecimal belong to the same run of characters.
      const clean = without(secret)(`${before} ${writings[name]!(secret)} ${after}`)
      assert.isTrue(isGone(clean, secret), `${name}: ${clean}`)
      assert.include(clean, "<redacted>", name)
    }),
    Depth.trials(26_01)
  )
})

it("takes one out of a text of more characters than a function takes arguments", () => {
  const text = `${"x".repeat(200_000)} %41 `
  assert.strictEqual(without("a-long-token")(`${text}a-long-token`), `${text}<redacted>`)
})

it("takes out its halves, each for itself", () => {
  Depth.forAll(Depth.trials(26_02), secrets, around, (secret, between) => {
    const half = Math.ceil(secret.length / 2)
    const clean = without(secret)(`${secret.slice(half)} ${between} ${secret.slice(0, half)}.`)
    assert.notInclude(clean, secret.slice(half))
    assert.notInclude(clean, secret.slice(0, half))
  })
})

it("takes it out under two codings that lie over each other", () => {
  const ways = ["JSON", "JSON with escaped slashes", "URL", "URL in lower case", "HTML, named", "HTML, decimal"]
  const over = fc.constantFrom(...ways)
  Depth.forAll(Depth.trials(26_02), secrets, over, over, (secret, inner, outer) => {
    const clean = without(secret)(`{"errmsg":"${writings[outer]!(writings[inner]!(secret))}"}`)
    assert.strictEqual(clean, `{"errmsg":"<redacted>"}`, `${outer} of ${inner}`)
  })
})

it("takes out what is left of one where the text was cut", () => {
  fc.assert(
    fc.property(secrets, fc.nat(), fc.constantFrom("plain", "URL", "JSON in code units"), (secret, most, name) => {
      const length = 8 + most % (secret.length - 8)
      const clean = without(secret)(`it said: ${writings[name]!(secret.slice(0, length))}`)
      assert.strictEqual(clean, "it said: <redacted>", name)
    }),
    Depth.trials(26_03)
  )
})

it("leaves every other text as it is", () => {
  fc.assert(
    fc.property(secrets, fc.oneof(around, fc.string({ unit: "binary" }), fc.string()), (secret, text) => {
      assert.strictEqual(without(secret)(text), text)
    }),
    { numRuns: Depth.runs(500, 12), seed: 26_04 }
  )
  for (const text of ["%", "\\", "&#;", "&#99999999;", "\\u12", "%zz<", "\ud800", "İİİİ"]) {
    assert.strictEqual(without("a-secret-of-mine")(text), text)
  }
})

it("does not look for what is too short to be a token", () =>
  assert.strictEqual(without("short")("a short text"), "a short text"))

it("finds a secret that looks coded itself", () => {
  for (const secret of ["abc%41def%2Fghi", "tok&amp;en&#47;12345", "a\\u0041b\\/cdefghij", "%2525252525252525"]) {
    for (const write of Object.values(writings)) {
      assert.isTrue(isGone(without(secret)(`${write(secret)} `), secret), write(secret))
    }
  }
})

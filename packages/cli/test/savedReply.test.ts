import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { systemError } from "effect/PlatformError"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { printed } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const mebibyte = 1_048_576

/** Standard input without an end, of one piece again and again, and how much of it was read. */
const endless = (byte: string) => {
  const piece = new Uint8Array(mebibyte).fill(byte.charCodeAt(0))
  let pieces = 0
  return {
    stdin: Stream.fromEffectRepeat(Effect.sync(() => {
      pieces++
      return piece
    })),
    pieces: () => pieces
  }
}

/** A chain with this number of roots, and one contract for each. */
const rooted = (count: number): string => {
  const letter = (at: number) => String.fromCharCode(65 + Math.floor(at) % 26)
  const root = (_: unknown, at: number) => [26 ** 3, 26 ** 2, 26, 1].map((of) => letter(at / of)).join("")
  const roots = Array.from({ length: count }, root)
  const optionSymbol = roots.map((root) => `${root}261218C00150000`)
  return JSON.stringify({ s: "ok", optionSymbol, strike: roots.map(() => 150) })
}

it("may have as many roots as a table holds, and says in one line that it has more", async () => {
  const folder = Started.folder()
  const file = join(folder, "roots.json")
  writeFileSync(file, rooted(16_000))
  const { code, errors, out } = await printed(["chain", "--reply", file])
  assert.include(errors, "nothing was asked")
  assert.strictEqual(code, 0)
  assert.include(out, "16,000 contracts, 1 expiration\nAAAA 2026-12-18")
  assert.include(out, "15,999 more roots: --all")
  writeFileSync(file, rooted(200_000))
  const more = await printed(["chain", "--reply", file])
  assert.strictEqual(more.code, 2)
  assert.match(more.errors, /^error: [^\n]*TooManyTexts in column optionSymbol[^\n]*at most \d+ different texts[^\n]*$/)
})

it("is read only until it is known not to be a reply", async () => {
  const { pieces, stdin } = endless("\0")
  const { errors } = await printed(["chain", "--reply", "-"], { stdin })
  assert.strictEqual(
    errors,
    "error: standard input: cannot read the reply (NotAnObject, byte 0): expected one JSON object, received byte 0x00"
  )
  assert.isAtMost(pieces(), 2)
})

it("is read no further than a reply may be long", async () => {
  const { pieces, stdin } = endless(" ")
  const { errors } = await printed(["chain", "--reply", "-"], { stdin })
  assert.match(errors, /^error: standard input: this is larger than 128 MiB, and the largest chain takes [^\n]+$/)
  assert.isAtMost(pieces(), 130)
})

it("is explained by its own words, also where they come in another piece", async () => {
  const pieces = [`{"s":"error",`, `"errmsg":"Invalid`, ` token."}`].map((text) => new TextEncoder().encode(text))
  const { errors } = await printed(["chain", "--reply", "-"], { stdin: Stream.fromIterable(pieces) })
  assert.strictEqual(errors, "error: standard input: this is not a chain; it says: Invalid token.")
})

it("says in a plain line why it cannot be read, and names the file", async () => {
  const folder = Started.folder()
  const loop = join(folder, "loop")
  symlinkSync(loop, loop)
  const cases: ReadonlyArray<readonly [file: string, says: string]> = [
    [folder, `${folder}: this is a directory: name the file that holds the reply`],
    [join(folder, "none"), `${join(folder, "none")}: there is no such file`],
    ["", `"": there is no such file`],
    ["a\0b", "a\\u0000b: there is no such file"],
    [loop, `${loop}: this cannot be read (ELOOP)`]
  ]
  for (const [file, says] of cases) {
    const { code, errors, out } = await printed(["chain", "--reply", file])
    assert.deepStrictEqual([code, out, errors], [2, "", `error: ${says}`])
  }
})

it("says so where it may not be read", async () => {
  const stdin = Stream.fail(
    systemError({ _tag: "PermissionDenied", module: "Stdio", method: "stdin", cause: { code: "EACCES" } })
  )
  const { errors } = await printed(["chain", "--reply", "-"], { stdin })
  assert.strictEqual(errors, "error: standard input: you may not read this file: change its permissions")
})

import * as HostileTexts from "@effect-marketdata/testing/HostileTexts"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { isFull, runs } from "../../core/test/support/depth.ts"
import * as HostileServer from "./support/hostileServer.ts"
import { type Printed, printed } from "./support/printed.ts"
import * as Started from "./support/service.ts"

/** One text with an order of each kind: what a terminal obeys, and lines that pose as ours. */
const worst =
  "\u001b]0;title\u0007\u009b31m\b\u202e日本 \ud800\u2028\r\ncharge:     0 credits\nerror: the token is wrong"

/** Tries what is printed with hostile texts, by default with the worst alone; a failure prints the seed and the smallest text. */
const always = (seed: number, check: (text: string) => Promise<void>, full = 8) =>
  fc.assert(fc.asyncProperty(HostileTexts.terminal, check), { examples: [[worst]], numRuns: runs(full, 1), seed })

const obeysNothing = ({ errors, out }: Printed): void => assert.notMatch(out + errors, HostileTexts.obeyed)

/** The hostile texts pose as a charge and as an error. */
const addsNoLine = (text: string): void => assert.notMatch(text, /^(?:charge: {5}0 credits|error: the token is wrong)/m)

const folder = Started.folder()
const server = await HostileServer.start()

/** A chain of one contract, with a text in one of its places. */
const chain = (fields: object) =>
  JSON.stringify({ s: "ok", optionSymbol: ["AAPL261218C00150000"], strike: [150], ...fields })

/** Every place of a reply that a service fills with a text. */
const bodies: Readonly<Record<string, (text: string) => string>> = {
  "the words of an error": (text) => JSON.stringify({ s: "error", errmsg: text }),
  "the status": (text) => JSON.stringify({ s: text }),
  "the underlying": (text) => chain({ underlying: [text] }),
  "the underlying of rows without a symbol": (text) => JSON.stringify({ s: "ok", strike: [1], underlying: [text] }),
  "an option symbol": (text) => JSON.stringify({ s: "ok", optionSymbol: [text] }),
  "a side": (text) => chain({ side: [text] }),
  "the name of a field": (text) => chain({ [text]: [1] }),
  "a number": (text) => chain({ bid: [text] }),
  "the fields of another resource": (text) => JSON.stringify({ s: "ok", [text]: ["AAPL"], bid: [1] }),
  "a page": (text) => `<html><h1>${text}</h1></html>`,
  "all of it": (text) => text
}

const formats = [["--verbose"], ...["json", "jsonl", "csv"].map((format) => ["--format", format])]

/** Commands that print texts of the service, and a reply with a text in every place that takes one. */
const printing: ReadonlyArray<readonly [line: string, body: (text: string) => object]> = [
  ["chain AAPL --yes --sort bid", (text) => ({ optionSymbol: ["AAPL261218C00150000"], underlying: [text], bid: [1] })],
  ["quote AAPL261218C00150000 --yes", (text) => ({
    optionSymbol: ["AAPL261218C00150000"],
    underlying: [text],
    bid: [1],
    ask: [2],
    [text]: [1]
  })],
  ["lookup AAPL 12/18/2026 350 call", (text) => ({ optionSymbol: text })],
  ["expirations AAPL", (text) => ({ expirations: [text, "2026-12-18"] })],
  ["strikes AAPL", (text) => ({ "2026-12-18": [1, 2], [text]: [3] })],
  ["stock quote AAPL --yes", (text) => ({ symbol: [text], bid: [1], ask: [1], mid: [1], last: [1] })],
  ["stock prices AAPL --yes", (text) => ({ symbol: [text], mid: [1], change: [1], changepct: [1], updated: [1] })],
  ["stock news AAPL --yes", (text) => ({
    symbol: [text, "AAPL"],
    headline: [text, "x"],
    content: [text, "x"],
    source: [text, "x"],
    publicationDate: [1_795_208_400, 1_795_208_400]
  })],
  ["stock earnings AAPL --yes", (text) => ({
    symbol: [text, "AAPL"],
    fiscalYear: [2026, 2026],
    fiscalQuarter: [1, 2],
    reportTime: [text, "x"],
    currency: [text, "x"]
  })],
  ["market status", (text) => ({ date: [1_795_208_400], status: [text] })]
]

describe("what a command prints", () => {
  for (const [line, body] of printing) {
    it(`${line}: no terminal obeys it, and it adds no line, in any format`, () =>
      always(7, async (text) => {
        const variables = { MARKETDATA_BASE_URL: server.baseUrl, MARKETDATA_TOKEN: "a-token-of-a-test" }
        server.answer({ status: 200, body: JSON.stringify({ s: "ok", ...body(text) }) })
        for (const format of formats) {
          const result = await printed([...line.split(" "), ...format], { variables })
          obeysNothing(result)
          addsNoLine(`${result.out}\n${result.errors}`)
          if (format.includes("csv") && result.code === 0) {
            const rows = Object.values(body(text))[0]
            if (line.startsWith("stock news")) {
              assert.lengthOf(result.out.split("\n"), 1 + (rows as ReadonlyArray<string>).length)
            }
          }
        }
      }, 8))
  }

  it("keeps a text of ten thousand characters within the table's width, and within a message's", async () => {
    const text = "\u001b[2J日本 x".repeat(1200)
    const variables = { MARKETDATA_BASE_URL: server.baseUrl }
    for (const [line, body] of printing) {
      server.answer({ status: 200, body: JSON.stringify({ s: "ok", ...body(text) }) })
      const { errors, out } = await printed(line.split(" "), { variables, columns: Effect.succeed(80) })
      for (const printedLine of out.split("\n")) assert.isAtMost(printedLine.length, 80, line)
      for (const told of errors.split("\n")) assert.isAtMost(told.length, 1000, line)
      obeysNothing({ code: 0, out, errors })
    }
    server.answer({ status: 400, body: JSON.stringify({ s: "error", errmsg: text }) })
    for (const format of formats) {
      const { errors } = await printed(["chain", "AAPL", "--yes", ...format], { variables })
      for (const told of errors.split("\n")) assert.isAtMost(told.length, 1500)
    }
  })
})

const statuses = [200, 203, 400, 401, 500]

/** By default three clauses, each of another endpoint. */
const contract = isFull
  ? "contract --budget 52"
  : "contract --budget 3 --clause 2.1-closed --clause 4.5-prices --clause 5.5-demo"

describe("what a reply holds", () => {
  for (const [at, [place, body]] of Object.entries(bodies).entries()) {
    it(`${place}, saved in a file: no terminal obeys it, and it adds no line, in any format`, () =>
      always(1, async (text) => {
        const file = join(folder, "reply.json")
        writeFileSync(file, body(text))
        for (const format of formats) {
          const result = await printed(["chain", "--reply", file, ...format])
          obeysNothing(result)
          addsNoLine(`${result.out}\n${result.errors}`)
        }
      }, 10))

    it(`${place}, from a server: no terminal obeys it, and it adds no line, in any format`, () =>
      always(2, async (text) => {
        const variables = { MARKETDATA_BASE_URL: server.baseUrl }
        // A header holds bytes; those above 127 are characters of C1 to a terminal of Latin 1.
        const headers = { "cf-ray": text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, "\x9b") }
        for (const [index, format] of formats.entries()) {
          for (const status of isFull ? statuses : [statuses[(at + index) % statuses.length]!]) {
            server.answer({ status, body: body(text), headers })
            const result = await printed(["chain", "AAPL", "--yes", ...format, "--log-level", "all"], { variables })
            obeysNothing(result)
            addsNoLine(result.errors)
          }
        }
      }, 2))

    it(`${place}, as evidence of a contract and to doctor: no terminal obeys it`, () =>
      always(3, async (text) => {
        const variables = { MARKETDATA_BASE_URL: server.baseUrl, MARKETDATA_TOKEN: "a-token" }
        server.answer({ status: 200, body: body(text), headers: { "x-api-ratelimit-consumed": "0" } })
        for (const line of [contract, "doctor"]) {
          for (const format of ["table", "json"]) {
            obeysNothing(await printed([...line.split(" "), "--format", format], { variables }))
          }
        }
      }, 2))
  }
})

it("a cell is as wide as its column, whatever it holds", () =>
  always(6, async (text) => {
    const file = join(folder, "cells.json")
    writeFileSync(file, JSON.stringify({ s: "ok", underlying: [text, "AAPL", "日本 😀"], strike: [1, 150, 2.5] }))
    const { out } = await printed(["chain", "--reply", file])
    const [head = "", ...rows] = out.split("\n").slice(1, 5)
    assert.match(head, /^underlying +strike$/)
    // Nothing but ASCII, and an ellipsis where it is cut: what stands to the right keeps its place.
    for (const row of rows) {
      assert.match(row, /^[ -~]*…? +\d+\.\d\d$/)
      assert.strictEqual(row.length, head.length)
    }
  }))

/** Every place of a command line and its variables that a user, or who gave the user something to paste, fills with a text. */
const commands: Readonly<Record<string, (text: string) => readonly [ReadonlyArray<string>, Record<string, string>?]>> =
  {
    "a command": (text) => [[text]],
    "a flag": (text) => [["chain", `--${text}`]],
    "a symbol": (text) => [["chain", text]],
    "--mode": (text) => [["chain", "AAPL", "--mode", text]],
    "--date": (text) => [["chain", "AAPL", "--date", text]],
    "--reply": (text) => [["chain", "--reply", text]],
    "--log-level": (text) => [["chain", "AAPL", "--log-level", text]],
    "--host": (text) => [["sandbox", "--host", text]],
    "--faults": (text) => [["sandbox", "--faults", text]],
    "--clause": (text) => [["contract", "--budget", "1", "--clause", text], { MARKETDATA_TOKEN: "a-token" }],
    "MARKETDATA_BASE_URL": (text) => [["chain", "AAPL"], { MARKETDATA_BASE_URL: text, MARKETDATA_TOKEN: "a-token" }],
    "MARKETDATA_TOKEN": (text) => [["chain", "AAPL"], { MARKETDATA_TOKEN: text }],
    "MARKETDATA_MAX_SYMBOLS": (text) => [["chain", "AAPL"], { MARKETDATA_MAX_SYMBOLS: text }]
  }

describe("what is typed", () => {
  // Nobody listens there, so that what passes every check goes no further.
  const nowhere = { MARKETDATA_BASE_URL: "http://127.0.0.1:9" }

  for (const [place, command] of Object.entries(commands)) {
    it(`${place}: no terminal obeys it, and it adds no line`, () =>
      always(4, async (text) => {
        const [arguments_, variables] = command(text)
        const result = await printed(arguments_, { variables: { ...nowhere, ...variables } })
        obeysNothing(result)
        addsNoLine(`${result.out}\n${result.errors}`)
      }, 20))
  }
})

describe("what breaks", () => {
  it("says in one line what broke, whatever it is called, and how to report it", () =>
    always(5, async (text) => {
      const file = join(folder, "whole.json")
      writeFileSync(file, chain({}))
      const result = await printed(["chain", "--reply", file], { columns: Effect.die(new Error(text)) })
      assert.strictEqual(result.code, 1)
      obeysNothing(result)
      const words = /^error: marketdata 0\.1\.0 failed because of a defect: Error: [^\n]*Please report this line[^\n]*$/
      assert.match(result.errors, words)
    }))

  it("does not say the token, wherever it was", async () => {
    const token = "c3VwZXJzZWNyZXQ"
    const file = join(folder, "whole.json")
    writeFileSync(file, chain({}))
    for (const defect of [new Error(`GET /${token}/chain`), token, { token }, new Error(btoa(token)), undefined]) {
      const { errors } = await printed(["chain", "--reply", file], {
        variables: { MARKETDATA_TOKEN: token },
        columns: Effect.die(defect)
      })
      assert.match(errors, /^error: marketdata .* failed/)
      assert.notInclude(errors, token)
      assert.notInclude(errors, btoa(token))
    }
  })
})

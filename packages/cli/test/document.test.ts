import { Effect, Result, Schema } from "effect"
import * as fc from "fast-check"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { forAll, trials } from "../../core/test/support/depth.ts"
import { assert, describe, it } from "../../core/test/support/it.ts"
import * as Drawn from "../../core/test/support/tables.ts"
import * as Tables from "../../export/test/support/tables.ts"
import { classes } from "../src/failure/failure.ts"
import { type Cell, csvHead, csvLines, inNewYork, jsonLines, ofTable, rows } from "../src/output/document.ts"
import { Document, Failure } from "./support/documents.ts"
import { marketdata } from "./support/printed.ts"
import * as Started from "./support/service.ts"

const baseUrl = await Started.sandbox()
const folder = Started.folder()

const documentOf = Schema.decodeUnknownResult(Schema.fromJsonString(Document))

const failureOf = Schema.decodeUnknownResult(Schema.fromJsonString(Failure))

/** The commands that `commands.test.ts` leaves to others. */
const lines: ReadonlyArray<string> = [
  "chain AAPL --limit 20",
  "chain AAPL --limit 20 --columns strike,bid --mode cached",
  "chain AAPL --date 2026-11-19 --limit 5",
  "quote AAPL261218C00350000",
  "quote AAPL261218C00350000 AAPL261218P00350000 --mode cached"
]

describe("a printed document", () => {
  for (const line of lines) {
    it.effect(`of ${line} is what the schema says, and nothing is lost in it`, function*() {
      const variables = { MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: "sandbox-paid" }
      const { code, errors, out } = yield* marketdata(`${line} --format json --yes`, { variables })
      assert.deepStrictEqual([errors, code], ["", 0])
      const decoded = documentOf(out)
      assert.isTrue(Result.isSuccess(decoded), Result.isFailure(decoded) ? decoded.failure.message : "")
      assert.deepEqual(JSON.parse(JSON.stringify(Result.getOrThrow(decoded))), JSON.parse(out))
      assert.deepEqual(JSON.parse(out).service, { baseUrl, embedded: false })
    })
  }

  it.effect("says that the embedded sandbox answered", function*() {
    const { out } = yield* marketdata("chain AAPL --limit 1 --json")
    assert.isTrue(JSON.parse(out).service.embedded)
    assert.isTrue(Result.isSuccess(documentOf(out)))
  })

  it.effect("of a saved reply is its table, whichever columns it has", function*() {
    const file = join(folder, "reply.json")
    writeFileSync(file, `{"s":"ok","strike":[150,155],"last":[1.5,null],"rho":[0,0]}`)
    const { code, out } = yield* marketdata(`chain --reply ${file} --json`)
    assert.strictEqual(code, 0)
    const decoded = Result.getOrThrow(documentOf(out)) as { readonly reply: { readonly strike: Float64Array } }
    assert.deepEqual([...decoded.reply.strike], [150, 155])
  })

  it("without a version, of another version, or with data that are not those of its query is none", () => {
    const texts = [
      `{}`,
      `{"version":2,"reply":{"length":0,"columns":{},"findings":[]}}`,
      `{"version":1,"reply":{"length":1,"columns":{"strike":[1,2]},"findings":[]}}`,
      `{"version":1,"service":{"baseUrl":"","embedded":false},"query":{"endpoint":"optionChain","underlyingSymbol":"A"},"answer":{}}`
    ]
    for (const text of texts) assert.isTrue(Result.isFailure(documentOf(text)), text)
    assert.isTrue(Result.isSuccess(documentOf(`{"version":1,"reply":{"length":0,"columns":{},"findings":[]}}`)))
  })
})

describe("CSV", () => {
  const csv = (...cells: ReadonlyArray<Cell>): string => csvLines(rows(cells.map(() => "a"), [cells]), 0, 1)

  it("and lines of JSON give every number back to the bit", () =>
    forAll({ seed: 37, examples: [[-0], [5e-324]] }, fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.isTrue(Object.is(Number(csv(value)), value))
      const document = JSON.parse(jsonLines(rows(["a", "a\"b"], [[value, null]]), 0, 1))
      assert.deepStrictEqual(document, { a: value, "a\"b": null })
    }))

  it("of a table is what its cells make, or is made of them", async () => {
    const timed = await Effect.runPromise(inNewYork)
    const tables = fc.oneof(Tables.table, ...Object.values(Tables.specs).map(Drawn.table))
    forAll(trials(41), tables, (table) => {
      const rows = timed(ofTable(table), table)
      const lines = table.length === 0 ? [] : [csvLines(rows, 0, table.length)]
      const together = rows.csv!(true)
      const text = [csvHead(rows), ...lines].map((line) => `${line}\n`).join("")
      if (together !== undefined) assert.strictEqual(Buffer.concat(together).toString(), text)
      assert.deepStrictEqual(rows.csv!(false), together?.slice(1))
    })
  })

  it("writes numbers as they are, also those below zero, and no line that is empty", () =>
    assert.deepStrictEqual([csv(-0.25, 1e21, 0, true, null), csv(null)], ["-0.25,1e+21,0,true,", `""`]))

  it("puts an apostrophe before a text that a spreadsheet would run", () => {
    for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "＝1"]) assert.strictEqual(csv(text), `"'${text}"`)
    assert.strictEqual(csv("\t=1"), "\\t=1")
  })

  it("quotes what has commas or quotation marks, and keeps a row on its line", () => {
    assert.strictEqual(csv("a,b", `say "so"`, "one\ntwo\r\nthree"), `"a,b","say ""so""",one\\ntwo\\r\\nthree`)
    assert.strictEqual(csv("=HYPERLINK(\"http://x\",\"y\")"), `"'=HYPERLINK(""http://x"",""y"")"`)
  })
})

describe("docs/guide/cli/output.md", () => {
  const page = readFileSync(new URL("../../../docs/guide/cli/output.md", import.meta.url), "utf8")

  it("lists every exit code with its class and meaning", () => {
    const rows = [...page.matchAll(/^\| (\d+) +\| `?(\w*)`? +\| (.+?) +\|$/gm)].map((
      [, code, name, meaning]
    ) => [code, name, meaning])
    const told = rows.slice(1)
    assert.deepEqual(told, Object.entries(classes).map(([name, { code, meaning }]) => [String(code), name, meaning]))
  })

  it("shows documents that are what the schema says", () => {
    const documents = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text!)
    assert.isAtLeast(documents.length, 3)
    for (const text of documents) {
      const [asDocument, asFailure] = [documentOf(text), failureOf(text)]
      assert.isTrue(Result.isSuccess(asDocument) || Result.isSuccess(asFailure), text)
    }
  })
})

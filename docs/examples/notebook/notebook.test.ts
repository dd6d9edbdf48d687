/**
 * Runs the cells one after the other, as a notebook does, and compares what each prints with what the notebook shows. Node takes the place of the
 * kernel: cells are modules of TypeScript that share their names. `node --test` runs it; `WRITE=1 node --test` writes what the notebook shows.
 */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

interface Cell {
  readonly cell_type: string
  readonly source: ReadonlyArray<string>
  outputs?: ReadonlyArray<{ readonly name: string; readonly output_type: string; readonly text: ReadonlyArray<string> }>
}

const path = join(import.meta.dirname, "notebook.ipynb")
const notebook: { readonly cells: ReadonlyArray<Cell> } = JSON.parse(readFileSync(path, "utf8"))
const cells = notebook.cells.filter(({ cell_type }) => cell_type === "code")
const end = "-- the end of a cell --\n"

await test("each cell prints what the notebook shows", () => {
  const program = join(import.meta.dirname, "cells.ts")
  writeFileSync(
    program,
    cells.map(({ source }) => `${source.join("")}\nprocess.stdout.write(${JSON.stringify(end)})\n`).join("")
  )
  const { status, stderr, stdout } = spawnSync(process.execPath, [program], { encoding: "utf8" })
  rmSync(program)
  assert.equal(status, 0, stderr)
  const printed = stdout.split(end).slice(0, -1)
  if (process.env["WRITE"] !== undefined) {
    for (const [index, cell] of cells.entries()) {
      const text = printed[index]?.match(/.*\n/g) ?? []
      cell.outputs = text.length === 0 ? [] : [{ name: "stdout", output_type: "stream", text }]
    }
    writeFileSync(path, `${JSON.stringify(notebook, undefined, 2)}\n`)
  }
  assert.deepEqual(printed, cells.map(({ outputs = [] }) => outputs.flatMap(({ text }) => text).join("")))
})

/** Pages of a long table, by the program itself on a terminal of its own: what is shown, and how the program goes on once its pager has ended. */
import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { plain } from "./support/picture.ts"

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Types a line at a terminal that `script` opens, and presses keys once something is seen. Returns all that was seen, and the exit status. */
const typed = (
  line: string,
  pager: string | undefined,
  keys: ReadonlyArray<readonly [seen: RegExp, key: string]> = []
): Promise<{ readonly seen: string; readonly status: number | null }> =>
  new Promise((resolve) => {
    const program = join(import.meta.dirname, "../src/bin.ts")
    const words = [process.execPath, "--conditions=@effect-marketdata/source", program, ...line.split(" ")]
    const terminal = spawn("script", [
      "-qefc",
      `stty rows 24 cols 100; exec ${words.map(quoted).join(" ")}`,
      "/dev/null"
    ], {
      stdio: ["pipe", "pipe", "inherit"],
      env: {
        PATH: process.env["PATH"],
        TERM: "xterm",
        SHELL: "/bin/sh",
        ...pager === undefined ? {} : { PAGER: pager }
      }
    })
    const left = [...keys]
    let seen = ""
    terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
      seen += text
      for (; left[0]?.[0].test(seen) === true; left.shift()) terminal.stdin.write(left[0][1])
    })
    terminal.on("close", (status) => resolve({ seen: plain(seen).replaceAll("\r", ""), status }))
  })

const line = "chain AAPL --mode cached --all"

/** Shows all, says when it was interrupted, and ends at a line that is typed. */
const waiting =
  `trap 'echo INTERRUPTED' INT; cat; echo READ-ALL; read -r line </dev/tty || read -r line </dev/tty; echo ENDED`

it("shows all of a long table, and the account behind it", async () => {
  const { seen, status } = await typed(line, "sed 's/^/| /'")
  assert.match(seen, /\| AAPL: [\d,]+ contracts/)
  assert.isAbove(seen.match(/^\| AAPL 20/gm)!.length, 10)
  assert.match(seen, /\ncharge: +1 credit/)
  assert.notMatch(seen, /\| charge/)
  assert.strictEqual(status, 0)
})

it("may end before it has read all", async () => {
  const { seen, status } = await typed(line, "head -1")
  assert.lengthOf(seen.match(/AAPL: [\d,]+ contracts/g)!, 1)
  assert.match(seen, /\ncharge: +1 credit/)
  assert.notMatch(seen, /error|EPIPE/)
  assert.strictEqual(status, 0)
})

it("outlives a Ctrl-C that is meant for it, and the program waits for it", async () => {
  const { seen, status } = await typed(line, waiting, [[/READ-ALL/, "\u0003"], [/INTERRUPTED/, "\n"]])
  assert.match(seen, /INTERRUPTED[^]*ENDED[^]*\ncharge: +1 credit/)
  assert.notMatch(seen, /stopped/)
  assert.strictEqual(status, 0)
})

it("is not needed: where there is no such program, or none is wanted, the table is printed", async () => {
  const cases = [["", "no-such-pager"], ["", ""], [" --no-pager", "false"], [" --format csv", "false"]]
  for (const [more, pager] of cases) {
    const { seen, status } = await typed(line + more!, pager)
    assert.match(seen, /AAPL.*\n[^]*\ncharge: +1 credit/)
    assert.isAbove(seen.split("\n").length, 800)
    assert.strictEqual(status, 0)
  }
})

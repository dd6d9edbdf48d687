/**
 * Has functions of the bundle compiled with their file: Node keeps compiled code as it is before anything runs, and what is first compiled when it is called is compiled anew at each
 * start. A function in parentheses is compiled at once. Which ones are worth it is told by usual commands, which are run.
 */
import { execFile, spawn } from "node:child_process"
import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { parseSync, Visitor } from "rolldown/utils"

/** What is typed most. */
const usual = [
  "symbol explain AAPL261218C00150000",
  "estimate chain SPX --mode cached",
  "quote AAPL261218C00150000 --mode cached",
  "stock quote AAPL --mode cached",
  "stock candles AAPL --countback 10",
  "chain SPX --mode cached",
  "chain SPX --expiration all --mode cached --format csv"
]

type Environment = Readonly<Record<string, string>>

/** Starts a sandbox, by default in the middle of a session where its time stands still, and hands over the settings that lead to it. */
export const withSandbox = async <A>(
  program: string,
  use: (environment: Environment) => Promise<A>,
  clock: ReadonlyArray<string> = ["--clock", "frozen", "--at", "2026-11-20T12:00"]
): Promise<A> => {
  const args = ["sandbox", "--json", ...clock]
  const server = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { baseUrl, token } = JSON.parse(line)
      return await use({ MARKETDATA_BASE_URL: baseUrl, MARKETDATA_TOKEN: token })
    }
    throw new Error("the sandbox ended before it listened")
  } finally {
    server.kill()
  }
}

/** Where functions begin and end that usual commands call, by the names of their files: `begin-end`. */
const calledIn = async (program: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "marketdata-called-"))
  // The settings of the person who builds are not found.
  const own = { HOME: folder.path, NODE_DISABLE_COMPILE_CACHE: "1", NODE_V8_COVERAGE: join(folder.path, "calls") }
  const env = { ...own, ...process.env["SystemRoot"] && { SystemRoot: process.env["SystemRoot"] } }
  await withSandbox(
    program,
    (service) =>
      Promise.all(usual.map((line) =>
        promisify(execFile)(process.execPath, [program, ...line.split(" ")], {
          env: { ...env, ...service },
          maxBuffer: Infinity
        })
      ))
  )
  const called = new Map<string, Set<string>>()
  for (const name of readdirSync(own.NODE_V8_COVERAGE)) {
    const { result } = JSON.parse(readFileSync(join(own.NODE_V8_COVERAGE, name), "utf8"))
    for (const { functions, url } of result) {
      const file = basename(url)
      const places = called.get(file) ?? new Set()
      for (const { ranges: [{ count, endOffset, startOffset }] } of functions) {
        if (count > 0) places.add(`${startOffset}-${endOffset}`)
      }
      called.set(file, places)
    }
  }
  return called
}

/** Puts such functions in parentheses. What a file declares becomes an expression, which is written first, as a declaration may be called before its line. */
export const marked = (code: string, called: ReadonlySet<string>): string => {
  const isCalled = ({ end, start }: { readonly start: number; readonly end: number }) => called.has(`${start}-${end}`)
  const methods = new Set<object>()
  const marks: Array<readonly [place: number, mark: string]> = []
  const mark = (node: { readonly start: number; readonly end: number }): void => {
    if (!methods.has(node) && isCalled(node)) marks.push([node.start, "("], [node.end, ")"])
  }
  const { program } = parseSync("bundled.js", code)
  new Visitor({
    ArrowFunctionExpression: mark,
    FunctionExpression: mark,
    MethodDefinition: ({ value }) => void methods.add(value),
    Property: ({ kind, method, value }) => void (method || kind !== "init" ? methods.add(value) : undefined)
  }).visit(program)
  marks.sort(([one], [other]) => one - other)
  const written = (from: number, to: number): string => {
    let last = from
    const parts = marks.filter(([place]) => place >= from && place <= to).map(([place, mark]) => {
      const part = code.slice(last, place) + mark
      last = place
      return part
    })
    return parts.join("") + code.slice(last, to)
  }
  let last = program.body[0]?.start ?? 0
  let first = code.slice(0, last)
  let others = ""
  for (const node of program.body) {
    if (node.type !== "FunctionDeclaration" || !isCalled(node)) continue
    const { id } = node
    first += `var ${id!.name}=(${written(node.start, id!.start)}${written(id!.end, node.end)});\n`
    others += written(last, node.start)
    last = node.end
  }
  return first + others + written(last, code.length)
}

/** Rewrites the files of a program, which its bundler has written. */
export const compiledWithFile = async (program: string): Promise<void> => {
  const folder = dirname(program)
  const called = await calledIn(program)
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
    const path = join(folder, file)
    const code = readFileSync(path, "utf8")
    writeFileSync(path, marked(code, called.get(file) ?? new Set()))
  }
}

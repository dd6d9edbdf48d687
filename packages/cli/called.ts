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
import { type ESTree, parseSync, Visitor } from "rolldown/utils"

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

interface Place {
  readonly start: number
  readonly end: number
}

/** A part of a file that is written otherwise. */
interface Change extends Place {
  readonly text: () => string
}

/** Gives a class functions as it gives itself its methods: no loop over its properties finds them. */
const own =
  "var ownMethods=(function(to,methods){for(const name of Reflect.ownKeys(methods))Object.defineProperty(to,name,{value:methods[name],configurable:true,writable:true})});\n"

/**
 * Puts such functions in parentheses. What a file or a function declares becomes an expression, which is written first, as a declaration may be called before its line. A method becomes a property, which
 * it can be unless it calls what it overrides.
 */
export const marked = (code: string, called: ReadonlySet<string>): string => {
  const changes: Array<Change> = []
  const kept = new Set<object>()
  const isCalled = ({ end, start }: Place) => called.has(`${start}-${end}`)
  const written = (from: number, to: number): string => {
    let text = ""
    let last = from
    for (const change of changes) {
      if (change.start < last || change.end > to) continue
      text += code.slice(last, change.start) + change.text()
      last = change.end
    }
    return text + code.slice(last, to)
  }
  const change = ({ end, start }: Place, text: () => string) => void changes.push({ start, end, text })
  const mark = (node: Place): void => {
    if (!kept.has(node) && isCalled(node)) {
      change(node, () => `(${code[node.start]}${written(node.start + 1, node.end)})`)
    }
  }
  const hoist = (at: number, statements: ReadonlyArray<ESTree.Directive | ESTree.Statement>, kind: "let" | "var") => {
    const declared = statements.flatMap((node) => node.type === "FunctionDeclaration" && isCalled(node) ? [node] : [])
    if (declared.length === 0) return
    for (const node of declared) change(node, () => "")
    const first = () =>
      declared.map(({ end, id, start }) =>
        `${kind} ${id!.name}=(${code.slice(start, id!.start)}${written(id!.end, end)});\n`
      )
    change({ start: at, end: at }, () => first().join(""))
  }
  /** A method as a property. */
  const property = ({ computed, key, value }: ESTree.MethodDefinition | ESTree.ObjectProperty): string => {
    const name = code.slice(key.start, key.end)
    const { async, generator } = value as ESTree.Function
    return `${computed ? `[${name}]` : name}:(${async ? "async " : ""}function${generator ? "*" : ""}${
      written(value.start, value.end)
    })`
  }
  const canMove = (method: ESTree.MethodDefinition | ESTree.ObjectProperty): boolean =>
    (isCalled(method) || isCalled(method.value)) && method.key.type !== "PrivateIdentifier" &&
    (!method.computed || /^[\w$.]+$/.test(code.slice(method.key.start, method.key.end))) &&
    !/\bsuper\b/.test(code.slice(method.start, method.end))
  const { program } = parseSync("bundled.js", code)
  let hasClasses = false
  new Visitor({
    ArrowFunctionExpression: mark,
    FunctionExpression: mark,
    BlockStatement: ({ body, start }) => hoist(start + 1, body, "let"),
    ClassBody: (body) => {
      const methods = body.body.flatMap((node) => node.type === "MethodDefinition" ? [node] : [])
      for (const { value } of methods) kept.add(value)
      const moved = methods.filter((method) => method.kind === "method" && canMove(method))
      for (const method of moved) change(method, () => "")
      const given = (isStatic: boolean, to: string): string => {
        const properties = moved.filter((method) => method.static === isStatic).map(property)
        return properties.length === 0 ? "" : `static{ownMethods(${to},{${properties.join(",")}})}`
      }
      if (moved.length === 0) return
      hasClasses = true
      change(
        { start: body.start + 1, end: body.start + 1 },
        () => given(false, "this.prototype") + given(true, "this")
      )
    },
    Property: (node) => {
      const { kind, method, value } = node as ESTree.ObjectProperty
      if (!method && kind === "init") return
      kept.add(value)
      if (method && canMove(node as ESTree.ObjectProperty)) change(node, () => property(node as ESTree.ObjectProperty))
    }
  }).visit(program)
  const first = program.body[0]?.start ?? 0
  if (hasClasses) change({ start: first, end: first }, () => own)
  hoist(first, program.body, "var")
  // What is written at a place comes before what is changed from there on, and the outer change before the inner.
  const rank = ({ end, start }: Place) => start === end ? Infinity : end
  changes.sort((one, other) => one.start - other.start || (rank(one) === rank(other) ? 0 : rank(other) - rank(one)))
  return written(0, code.length)
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

/**
 * Turns the trailing comments of an example, `expression // => value`, into assertions.
 * The comment may also stand alone on the next line, and go on over further comment lines where the value is long.
 */
import { parseSync, Visitor } from "oxc-parser"

interface Assertion {
  /** The line of the example that states the value, counted from 1. */
  readonly line: number
  readonly expected: string
}

interface Instrumented {
  /** The example with assertions: each calls `$expect(index, actual, expected)`, which returns `actual`. */
  readonly code: string
  readonly assertions: ReadonlyArray<Assertion>
  readonly problems: ReadonlyArray<{ readonly line: number; readonly message: string }>
}

interface Span {
  readonly start: number
  readonly end: number
}

/** A piece of the example to put between two texts. */
interface Wrap extends Span {
  readonly before: string
  readonly after: string
}

type Statement = Span & { readonly wrap: ((open: string, close: string) => Wrap) | undefined }

const around = ({ end, start }: Span) => (before: string, after: string): Wrap => ({ start, end, before, after })

const isExpression = (text: string): boolean => parseSync("value.ts", `(${text}\n)`).errors.length === 0

/** Collects the statements of a program, each with the way to assert its value where it has one. */
const statementsOf = (program: ReturnType<typeof parseSync>["program"]): ReadonlyArray<Statement> => {
  const statements: Array<Statement> = []
  new Visitor({
    ExpressionStatement: ({ end, expression, start }) => {
      // The value of `console.log(value) // => …` is what it prints.
      const isLog = expression.type === "CallExpression" && expression.callee.type === "MemberExpression" &&
        expression.callee.object.type === "Identifier" && expression.callee.object.name === "console"
      const [shown] = isLog ? expression.arguments : [expression]
      statements.push({ start, end, wrap: shown === undefined ? undefined : around(shown) })
    },
    ReturnStatement: ({ argument, end, start }) => {
      statements.push({ start, end, wrap: argument === null ? undefined : around(argument) })
    },
    VariableDeclaration: ({ declarations, end, start }) => {
      const init = declarations.length === 1 ? declarations[0]?.init : undefined
      statements.push({ start, end, wrap: init === undefined || init === null ? undefined : around(init) })
    }
  }).visit(program)
  return statements
}

/** Returns the innermost statement that ends right before a comment: at most a line break lies between. */
const statementBefore = (code: string, statements: ReadonlyArray<Statement>, comment: Span): Statement | undefined =>
  statements
    .filter(({ end }) => end <= comment.start && /^;?[^\S\n]*\n?[^\S\n]*$/.test(code.slice(end, comment.start)))
    .toSorted((a, b) => b.start - a.start)[0]

export const instrument = (code: string): Instrumented => {
  const { comments, errors, program } = parseSync("example.ts", code, { sourceType: "module" })
  // The type check reports syntax errors.
  if (errors.length > 0) return { code, assertions: [], problems: [] }

  const lineAt = (offset: number): number => code.slice(0, offset).split("\n").length
  const statements = statementsOf(program)
  const assertions: Array<Assertion> = []
  const problems: Array<{ line: number; message: string }> = []
  const wraps: Array<Wrap> = []

  for (const [index, comment] of comments.entries()) {
    let expected = comment.type === "Line" ? /^ ?=>(.*)$/.exec(comment.value)?.[1]?.trim() : undefined
    if (expected === undefined) continue
    const line = lineAt(comment.start)
    for (const next of comments.slice(index + 1)) {
      if (isExpression(expected) || lineAt(next.start) > line + expected.split("\n").length) break
      expected += `\n${next.value.trim()}`
    }
    const wrap = statementBefore(code, statements, comment)?.wrap
    if (!isExpression(expected)) {
      problems.push({ line, message: `\`${expected}\` is not an expression to compare with` })
    } else if (wrap === undefined) problems.push({ line, message: `no value stands before \`// => ${expected}\`` })
    else {
      wraps.push(wrap(`$expect(${assertions.length}, `, `, (${expected}))`))
      assertions.push({ line, expected })
    }
  }

  let asserted = code
  for (const { after, before, end, start } of wraps.toSorted((a, b) => b.start - a.start)) {
    asserted = asserted.slice(0, start) + before + asserted.slice(start, end) + after + asserted.slice(end)
  }
  return { code: asserted, assertions, problems }
}

/**
 * Turns the trailing comments of an example, `expression // => value`, into assertions.
 * The comment may also stand alone on the next line, and go on over further comment lines where the value is long.
 */
import { parseSync, Visitor } from "oxc-parser"
import * as Files from "../../shared/files.ts"

interface Span extends Readonly<Record<"start" | "end", number>> {}

const isExpression = (text: string): boolean => parseSync("value.ts", `(${text}\n)`).errors.length === 0

/** Returns the innermost expression that ends right before a comment: at most a line break lies between. */
const expressionBefore = (code: string, expressions: ReadonlyArray<Span>, comment: Span): Span | undefined =>
  expressions
    .filter(({ end }) => end <= comment.start && /^;?[^\S\n]*\n?[^\S\n]*$/.test(code.slice(end, comment.start)))
    .toSorted((a, b) => b.start - a.start)[0]

/** Returns the example with its assertions, each of which calls `$expect(index, actual, expected)`, which returns `actual`. */
export const instrument = (code: string) => {
  const { comments, errors, program } = parseSync("example.ts", code, { sourceType: "module" })
  // The type check reports syntax errors.
  if (errors.length > 0) return { code, assertions: [], problems: [] }

  /** Those that are statements. */
  const expressions: Array<Span> = []
  new Visitor({ ExpressionStatement: ({ expression }) => void expressions.push(expression) }).visit(program)
  /** Expressions of the example, each with the value that is stated behind it, and the line that states it, counted from 1. */
  const assertions: Array<Span & { line: number; expected: string }> = []
  const problems: Array<{ line: number; message: string }> = []

  for (const [index, comment] of comments.entries()) {
    let expected = comment.type === "Line" ? /^ ?=>(.*)$/.exec(comment.value)?.[1]?.trim() : undefined
    if (expected === undefined) continue
    const line = Files.lineAt(code, comment.start)
    for (const next of comments.slice(index + 1)) {
      if (isExpression(expected) || Files.lineAt(code, next.start) > line + expected.split("\n").length) break
      expected += `\n${next.value.trim()}`
    }
    const expression = expressionBefore(code, expressions, comment)
    if (!isExpression(expected)) {
      problems.push({ line, message: `\`${expected}\` is not an expression to compare with` })
    } else if (expression === undefined) {
      problems.push({ line, message: `no value stands before \`// => ${expected}\`` })
    } else assertions.push({ start: expression.start, end: expression.end, line, expected })
  }

  let asserted = code
  // From the last, so that the places of the others hold.
  for (const [index, { end, expected, start }] of [...assertions.entries()].toReversed()) {
    const value = `$expect(${index}, ${asserted.slice(start, end)}, (${expected}))`
    asserted = asserted.slice(0, start) + value + asserted.slice(end)
  }
  return { code: asserted, assertions, problems }
}

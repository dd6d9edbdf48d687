/** What Oxlint says of the repository: one run serves the rules `lint` and `docs`. */
import * as Command from "../command.ts"

interface Diagnostic {
  readonly message: string
  readonly code: string
  readonly filename: string
  readonly labels: ReadonlyArray<{ readonly span: { readonly line: number; readonly column: number } }>
}

const runs = new Map<string, Promise<ReadonlyArray<Diagnostic>>>()

const run = async (root: string): Promise<ReadonlyArray<Diagnostic>> => {
  const { ok, output, stdout } = await Command.runInstalled(root, "oxlint", ["--format", "json"], { timeout: 120_000 })
  try {
    return JSON.parse(stdout).diagnostics
  } catch {
    if (ok) return []
    throw new Error(`oxlint failed: ${output}`)
  }
}

const lineOf = ({ labels: [label] }: Diagnostic): number => label?.span.line ?? 0

const docsRule = /^marketdata\(.*-docs\)$/

/** Returns one line for each finding, those about docstrings or all others. */
export const lines = async (root: string, subject: "docs" | "code"): Promise<ReadonlyArray<string>> => {
  const running = runs.get(root) ?? run(root)
  runs.set(root, running)
  return (await running)
    .filter(({ code }) => docsRule.test(code) === (subject === "docs"))
    .toSorted((a, b) => a.filename.localeCompare(b.filename) || lineOf(a) - lineOf(b))
    .map(({ code, filename, labels: [label], message }) => {
      const place = label === undefined ? filename : `${filename}:${label.span.line}:${label.span.column}`
      return `${place} ${message} ${code}`
    })
}

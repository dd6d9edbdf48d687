/** The code in documents: fences marked `ts` in Markdown and in the docstrings of modules. */

export interface Fence {
  /** The document, from the root of the repository. */
  readonly file: string
  /** The line of the document on which the code begins. */
  readonly line: number
  readonly code: string
  /** False for a fence marked `ts no-run`, whose code only has to compile. */
  readonly runs: boolean
}

/** The name of the file that a fence is laid out in. */
export const nameOf = ({ file, line }: Fence): string => `${file.replaceAll(/[^\w.-]+/g, "__")}.${line}.ts`

const opening = /^(\s*(?:\* ?)?\s*)```(\w*)(.*)$/

/** Finds every fence of a document, in order. Fences of other languages are left out. */
export const extract = (file: string, text: string) => {
  const fences: Array<Fence> = []
  const problems: Array<string> = []
  const lines = text.split("\n")
  const isModule = file.endsWith(".ts")
  for (let index = 0; index < lines.length; index++) {
    const [, margin, language, flags = ""] = opening.exec(lines[index] ?? "") ?? []
    // In a module only docstrings are searched, whose lines begin with a star.
    if (margin === undefined || margin.includes("*") !== isModule) continue
    const start = index + 1
    const end = lines.findIndex((line, at) => at >= start && opening.test(line))
    if (end === -1) {
      problems.push(`${file}:${start} the fence is never closed`)
      break
    }
    index = end
    if (language === "typescript") problems.push(`${file}:${start} mark the fence \`ts\`, so that it is checked`)
    if (language !== "ts") continue
    const flag = flags.trim()
    if (flag !== "" && flag !== "no-run") {
      problems.push(`${file}:${start} \`${flag}\` means nothing after \`ts\`: write \`no-run\` or nothing`)
    }
    // A blank line of a docstring has no blank after its star, so it does not begin with the margin.
    const code = lines.slice(start, end).map((line) => line.startsWith(margin) ? line.slice(margin.length) : "")
    fences.push({ file, line: start + 1, code: code.join("\n"), runs: flag !== "no-run" })
  }
  return { fences, problems }
}

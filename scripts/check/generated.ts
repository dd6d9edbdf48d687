/** The rules of what is generated from the sources themselves: core's WebAssembly, its classes of rows, the page of all messages. */
import * as RowClasses from "../../packages/core/test/support/rowClasses.ts"
import { tables } from "../../packages/testing/test/support/messages/page.ts"
import { compile, moduleFor, sources } from "../kernel/source.ts"
import * as Files from "../shared/files.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

/** What core carries as WebAssembly is, byte for byte, what its sources compile to. */
export const kernel: Rule = {
  why: "What was compiled cannot be read; so it must be what its source here says.",
  run: async (root, write = false) => ({
    problems: sources.flatMap((source) => {
      const place = { root, path: source.modulePath, rule: "kernel", write, exact: true }
      return Written.file(place, moduleFor(source, compile(source)))
    })
  })
}

const src = "packages/core/src"

/** The classes of rows, and the meanings of columns that files carry, come from the comments at the columns. */
export const columns: Rule = {
  why: "A column says once what it means, in a comment: who reads its row as data is told the same.",
  run: async (root, write = false) => {
    const { meanings, problems, text } = RowClasses.rowClasses((path) => Files.text(root, src, path))
    if (problems.length > 0) return { problems }
    const place = { root, rule: "columns", write }
    const texts = [[RowClasses.paths.rows, text], [RowClasses.paths.meanings, meanings]] as const
    return { problems: texts.flatMap(([path, text]) => Written.file({ ...place, path: `${src}/${path}` }, text)) }
  }
}

/** The page of all messages is written from the failures themselves. */
export const messages: Rule = {
  why: "Who looks up a message has to find it, in the words that the program printed.",
  run: async (root, write = false) => ({
    problems: Written.parts({ root, path: "docs/guide/errors.md", rule: "messages", write }, tables())
  })
}

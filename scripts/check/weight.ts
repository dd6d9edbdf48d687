/** The lines of code of each package, of tests and of scripts, without comments and blanks, and the number of files, against their bounds. Decision 34 says why. */
import * as Files from "../shared/files.ts"
import type { Rule } from "./rule.ts"

/** What is counted together: its files, and the most lines that it may have. */
const rooms = {
  core: { files: "packages/core/src/**/*.ts", most: 12_130 },
  client: { files: "packages/client/src/**/*.ts", most: 4320 },
  sql: { files: "packages/sql/src/**/*.ts", most: 2595 },
  cluster: { files: "packages/cluster/src/**/*.ts", most: 2885 },
  export: { files: "packages/export/src/**/*.ts", most: 1400 },
  volatility: { files: "packages/volatility/src/**/*.ts", most: 705 },
  pictures: { files: "packages/pictures/src/**/*.ts", most: 1130 },
  sandbox: { files: "packages/sandbox/src/**/*.ts", most: 4830 },
  testing: { files: "packages/testing/src/**/*.ts", most: 6600 },
  cli: { files: "packages/cli/src/**/*.ts", most: 8855 },
  tests: { files: "packages/*/test/**/*.ts", most: 42_610 },
  scripts: { files: "scripts/**/*.{ts,mjs}", most: 5185 }
}

/** The most files of source. */
const mostFiles = 390

/** Counts the lines that are neither blank nor of a comment; here each line of a comment begins with `//`, `/*` or `*`. */
const linesOf = (text: string): number => text.split("\n").filter((line) => !/^\s*(?:\/\/|\/?\*|$)/.test(line)).length

export const weight: Rule = {
  why:
    "Each room has a bound: a feature that would pass it takes its lines from elsewhere, or says in a decision why not.",
  run: async (root) => {
    const sources = Files.found(root, "packages/*/src/**/*.ts").length
    const weighed = Object.entries(rooms).map(([room, { files, most }]) => {
      const paths = Files.found(root, files)
      return { room, most, lines: paths.reduce((sum, path) => sum + linesOf(Files.text(root, path)), 0) }
    })
    return {
      problems: [
        ...weighed.filter(({ lines, most }) => lines > most).map(({ lines, most, room }) =>
          `${room} has ${lines} lines of code, and may have ${most}`
        ),
        ...sources > mostFiles ? [`the sources are ${sources} files, and may be ${mostFiles}`] : []
      ],
      notes: [weighed.map(({ lines, room }) => `${room} ${lines}`).join(", "), `${sources} files of source`]
    }
  }
}

import { sep } from "node:path"
import * as Command from "./command.ts"
import type { Rule } from "./rule.ts"

export const format: Rule = {
  name: "format",
  why: "One layout for all, so that a change shows only what it changes.",
  run: async (root) => {
    const { ok, output } = await Command.runInstalled(root, "dprint", ["check", "--list-different"])
    const files = Command.lines(output.replaceAll(`${root}${sep}`, ""))
    return { problems: ok ? [] : [...files, "`npm run format` lays them out"] }
  }
}

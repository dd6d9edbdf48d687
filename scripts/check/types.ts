import * as Command from "./command.ts"
import type { Rule } from "./rule.ts"

export const types: Rule = {
  name: "types",
  why: "What does not compile cannot be shipped, and the packages, their tests and the scripts must agree.",
  run: async (root) => {
    const { ok, output } = await Command.runInstalled(root, "tsc", ["-b", "--pretty", "false"])
    return { problems: ok ? [] : Command.messages(output) }
  }
}

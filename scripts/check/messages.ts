/** The page of all messages, which is written from the failures themselves. */
import { tables } from "../../packages/testing/test/support/messages/page.ts"
import type { Rule } from "./rule.ts"
import * as Written from "./written.ts"

export const messages: Rule = {
  why: "Who looks up a message has to find it, in the words that the program printed.",
  run: async (root, write = false) => ({
    problems: Written.parts({ root, path: "docs/guide/errors.md", rule: "messages", write }, tables())
  })
}

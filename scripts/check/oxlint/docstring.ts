/** A docstring taken apart: what it says before its first tag, and the tags with their texts. */
import type { Comment } from "./lintRule.ts"

export interface Docstring {
  readonly description: string
  readonly tags: ReadonlyMap<string, string>
}

/** True for a comment that opens as a docstring does. */
export const isDocstring = (comment: Comment): boolean => comment.type === "Block" && comment.value.startsWith("*")

export const parse = (comment: Comment): Docstring => {
  const text = comment.value.slice(1).split("\n").map((line) => line.replace(/^\s*\* ?|^\s+/, "")).join("\n")
  // A tag opens its line; an at-sign elsewhere, as in a code fence, is text.
  const [description = "", ...tagged] = text.split(/^@(?=\w+)/m)
  return {
    description: description.trim(),
    tags: new Map(tagged.map((tag) => {
      const name = /^\w+/.exec(tag)?.[0] ?? ""
      return [name, tag.slice(name.length).trim()]
    }))
  }
}

/** Says what every docstring must have and this one lacks. */
export const complaints = ({ description, tags }: Docstring): ReadonlyArray<string> => [
  ...(description === "" ? ["a sentence that says what it is"] : []),
  ...(/^\d+\.\d+\.\d+$/.test(tags.get("since") ?? "") ? [] : ["`@since` with a version"])
]

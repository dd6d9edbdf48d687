/** What is wrong with the HTML of a page: elements that are not closed or closed twice, attributes without quotes or given twice, names that two have. */
const empty = new Set(["meta", "input", "br", "link"])
/** Elements whose text is not markup. */
const raw = /<(script|style)([^>]*)>[\s\S]*?<\/\1>/g

const attribute = /\s+([\w:-]+)(?:="([^"]*)")?/g

/** The problems, in the order of the page. */
export const problemsOf = (html: string): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const open: Array<string> = []
  const ids = new Set<string>()
  const text = html.replaceAll(raw, (_, name: string, attributes: string) => `<${name}${attributes}></${name}>`)
  for (
    const [tag, end, name = "", attributes = "", closes] of text.matchAll(
      /<(\/?)([a-zA-Z][\w-]*)((?:[^>"]|"[^"]*")*?)(\/?)>/g
    )
  ) {
    if (end === "/") {
      if (open.pop() !== name) problems.push(`${tag} closes something else`)
      continue
    }
    const given = [...attributes.matchAll(attribute)]
    if (given.map(([whole]) => whole).join("") !== attributes) problems.push(`${tag} has an attribute without quotes`)
    if (new Set(given.map(([, name]) => name)).size !== given.length) problems.push(`${tag} has an attribute twice`)
    const id = given.find(([, name]) => name === "id")?.[2]
    if (id !== undefined && ids.has(id)) problems.push(`two have the name ${id}`)
    if (id !== undefined) ids.add(id)
    if (closes === "" && !empty.has(name)) open.push(name)
  }
  const words = text.replaceAll(/<!doctype html>|<\/?[a-zA-Z](?:[^>"]|"[^"]*")*>/g, "")
  if (/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/.test(words)) problems.push("a text holds markup")
  return [...problems, ...open.map((name) => `${name} is not closed`)]
}

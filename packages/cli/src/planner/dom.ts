/** The elements of the page as data, and the function that updates the page to them. Texts become text nodes only, never markup. */

type Attributes = Readonly<Record<string, string | false | undefined>>

/** An element: its name, its attributes without those that have no value, and what stands in it. */
interface Tag {
  readonly name: string
  readonly attributes: Attributes
  readonly parts: Parts
}

/** What may stand in an element; `undefined` and `false` stand for nothing. */
export type Part = Tag | string | false | undefined

export type Parts = ReadonlyArray<Part>

export const tag = (name: string, attributes: Attributes, ...parts: Parts): Tag => ({ name, attributes, parts })

/** The attributes that each element was last given. Those that did not change are left alone, so that what people opened stays open. */
const told = new WeakMap<Element, Attributes>()

const tell = (element: Element, { attributes, parts }: Tag): Element => {
  show(element, parts)
  const before = told.get(element) ?? {}
  for (const name of Object.keys({ ...before, ...attributes })) {
    const value = attributes[name] ?? false
    if (name === "value" && "value" in element) {
      if (element.value !== value) element.value = value
    } else if (value === (before[name] ?? false)) continue
    else if (value !== false) element.setAttribute(name, value)
    // `details` that were opened stay open until the person closes them.
    else if (name !== "open") element.removeAttribute(name)
  }
  told.set(element, attributes)
  return element
}

const made = (place: Element, part: Tag | string): Node => {
  if (typeof part === "string") return document.createTextNode(part)
  const namespace = part.name === "svg" ? "http://www.w3.org/2000/svg" : place.namespaceURI
  return tell(document.createElementNS(namespace, part.name), part)
}

/** Makes these parts the content of an element. Elements of the same name are kept, and with them the focus and what is typed. */
export const show = (place: Element, given: Parts): void => {
  const parts = given.filter((part) => part !== undefined && part !== false)
  while (place.childNodes.length > parts.length) place.lastChild!.remove()
  parts.forEach((part, index) => {
    const there = place.childNodes[index]
    if (there === undefined) place.append(made(place, part))
    else if (typeof part !== "string" && there instanceof Element && there.localName === part.name) tell(there, part)
    else if (there.nodeValue !== part) there.replaceWith(made(place, part))
  })
}

/** A table below its heads; cells of numbers stand on the right. */
export const table = (
  [heads = [], ...rows]: ReadonlyArray<ReadonlyArray<string>>,
  isNumber = (at: number) => at > 0
): Part => {
  const cell = (name: "td" | "th") => (text: string, at: number) =>
    tag(name, { class: isNumber(at) && "number", scope: name === "th" && "col" }, text)
  const head = tag("thead", {}, tag("tr", {}, ...heads.map(cell("th"))))
  const body = tag("tbody", {}, ...rows.map((texts) => tag("tr", {}, ...texts.map(cell("td")))))
  const attributes = { class: "scroll", tabindex: "0", role: "group", "aria-label": heads.join(", ") }
  return tag("div", attributes, tag("table", {}, head, body))
}

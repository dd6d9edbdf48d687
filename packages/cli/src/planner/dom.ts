/** Elements of a page, made of their parts. Texts become nodes of text and nothing else: no text of a plan is ever markup. */

/** What may stand in an element; `undefined` and `false` stand for nothing. */
export type Part = Node | string | false | undefined

/** Has an element hold these parts and nothing else. */
export const fill = (element: Element, parts: ReadonlyArray<Part>): void =>
  element.replaceChildren(...parts.filter((part) => part !== undefined && part !== false))

const put = (
  element: Element,
  attributes: Readonly<Record<string, string | undefined>>,
  parts: ReadonlyArray<Part>
) => {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value)
  fill(element, parts)
}

/** Makes an element of HTML. */
export const html = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...parts: ReadonlyArray<Part>
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name)
  put(element, attributes, parts)
  return element
}

/** Makes an element of SVG. */
export const svg = (
  name: "svg" | "rect" | "line" | "text" | "title",
  attributes: Readonly<Record<string, string | undefined>>,
  ...parts: ReadonlyArray<Part>
): SVGElement => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name)
  put(element, attributes, parts)
  return element
}

/** The element that the page has under an id. */
export const byId = <A extends HTMLElement = HTMLElement>(id: string): A => document.querySelector<A>(`#${id}`)!

/** A button. */
export const button = (text: string, label: string | undefined, onClick: () => void): HTMLButtonElement => {
  const made = html("button", { type: "button", "aria-label": label }, text)
  made.addEventListener("click", onClick)
  return made
}

/** A table; cells of numbers stand on the right. */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<{ readonly isMarked?: boolean; readonly cells: ReadonlyArray<string> }>,
  numbers: ReadonlyArray<number>
): HTMLElement => {
  const cell = (name: "td" | "th", text: string, index: number) =>
    html(
      name,
      { class: numbers.includes(index) ? "number" : undefined, scope: name === "th" ? "col" : undefined },
      text
    )
  const head = html("tr", {}, ...heads.map((text, index) => cell("th", text, index)))
  const body = rows.map(({ cells, isMarked }) =>
    html(
      "tr",
      { class: isMarked === true ? "asked" : undefined },
      ...cells.map((text, index) => cell("td", text, index))
    )
  )
  return html(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": heads.join(", ") },
    html("table", {}, html("thead", {}, head), html("tbody", {}, ...body))
  )
}

/** A list of names and what they mean; those that mean nothing are left out. */
export const list = (items: ReadonlyArray<readonly [name: string, text: string | undefined]>): HTMLElement =>
  html(
    "dl",
    {},
    ...items.flatMap(([name, text]) =>
      text === undefined || text === "" ? [] : [html("dt", {}, name), html("dd", {}, text)]
    )
  )

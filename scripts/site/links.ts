/** What a page of the site links to or loads. */
import { existsSync } from "node:fs"
import { join } from "node:path"

export interface Stray {
  readonly page: string
  readonly link: string
  readonly why: string
}

/** What a browser loads by itself; a link (`a`) may lead to another machine, these may not. */
const loaded = /<(?:script|img|link|iframe|source)\b[^>]*?\s(?:src|href)="([^"]+)"/g
const links = /<a\b[^>]*?\shref="([^"]+)"/g

const isAway = (link: string): boolean => /^(?:[a-z]+:)?\/\//.test(link)
const isOfPage = (link: string): boolean => !/^(?:#|[a-z]+:)/.test(link)

/** Where a link leads within the site. A folder is its index. */
const targetOf = (page: string, link: string): string => {
  const { pathname } = new URL(link, `http://site.test/${page}`)
  return decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname)
}

/** The links of a page that lead to no file of the site, and what it would load from another machine. */
export const strayLinks = (site: string, page: string, html: string): ReadonlyArray<Stray> => {
  const all = (pattern: RegExp) => [...new Set(Array.from(html.matchAll(pattern), ([, link = ""]) => link))]
  const away = all(loaded).filter(isAway).map((link) => ({ page, link, why: "is loaded from another machine" }))
  const nowhere = [...all(loaded), ...all(links)]
    .filter((link) => !isAway(link) && isOfPage(link))
    .filter((link) =>
      !existsSync(join(site, targetOf(page, link))) && !existsSync(join(site, `${targetOf(page, link)}.html`))
    )
    .map((link) => ({ page, link, why: "leads nowhere" }))
  return [...away, ...nowhere]
}

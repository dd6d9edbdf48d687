/**
 * The documentation as a site: the pages of docs/ as they stand. The sidebar is the list that the README ends with, so that a page is announced once.
 * `npm run site` builds it; nothing on a page comes from another machine.
 */
import { readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const docs = dirname(dirname(fileURLToPath(import.meta.url)))
const root = dirname(docs)
const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const source = repository.url.replace(/^git\+|\.git$/g, "")

interface Item {
  readonly text: string
  readonly link: string
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The path of a page on the site, of its path in the repository. */
const pageOf = (path: string): string =>
  `/${path.replace(/^docs\//, "").replace(/README\.md$/, "").replace(/\.md$/, "")}`

const links = (text: string): ReadonlyArray<Item> =>
  Array.from(text.matchAll(/\[([^\]]+)\]\((docs\/[^)#]+)\)/g), ([, label = "", path = ""]) => ({
    text: capital(label.replace(/^docs\//, "").replace(/\.md$/, "")),
    link: path.endsWith(".md") ? pageOf(path) : `${pageOf(path)}/`
  }))

/** The groups of the guide and the other pages, from the README's "Further reading". */
const sidebar = () => {
  const list = readFileSync(join(root, "README.md"), "utf8").split("## Further reading")[1] ?? ""
  const items = list.split(/\n(?= *- )/).filter((item) => item.trim().startsWith("- "))
  const groups = items.filter((item) => item.startsWith("  - ")).map((item) => ({
    text: capital(/- ([^:]+):/.exec(item)?.[1] ?? ""),
    items: links(item)
  }))
  const others = items.filter((item) => item.startsWith("- ")).flatMap(links).filter(({ link }) => link !== "/guide/")
  return [...groups, { text: "About", items: others }, {
    text: "Reference",
    items: [{ text: "API", link: "/api/index.html", target: "_self" }]
  }]
}

/** Where a link of a page leads on the site: what lies outside of docs/, or is not a page, is read in the repository. */
const linkOf = (page: string, href: string): string => {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href
  const [path = "", anchor] = href.split("#")
  const target = relative(root, join(docs, dirname(page), path))
  const isPage = target.startsWith("docs/") && (path.endsWith(".md") || !/\.\w+$/.test(path))
  if (isPage) return href.replace(/(^|\/)README\.md(?=#|$)/, "$1./")
  return `${source}/blob/main/${target}${anchor === undefined ? "" : `#${anchor}`}`
}

/** What of a page's tokens and of the parser is used here; VitePress is installed apart from the sources. */
interface Token {
  readonly type: string
  readonly children: ReadonlyArray<Token> | null
  readonly attrGet: (name: string) => string | null
  readonly attrSet: (name: string, value: string) => void
}

interface Page {
  readonly tokens: ReadonlyArray<Token>
  readonly env: { readonly relativePath: string }
}

interface Parser {
  readonly core: { readonly ruler: { readonly push: (name: string, rule: (page: Page) => void) => void } }
}

/** Has the links of each page lead where `linkOf` says. */
const followLinks = (parser: Parser): void =>
  parser.core.ruler.push("links", ({ env, tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null
      if (href !== null) token.attrSet("href", linkOf(env.relativePath, href))
    }
  })

export default {
  title: "effect-marketdata",
  description:
    "The Effect library for the Market Data options API: option chains as validated columns, a typed error for each status, and the price of each query before you send it.",
  lang: "en",
  outDir: "../.site",
  cacheDir: "../.site-cache",
  rewrites: (path: string) => path.replace(/README\.md$/, "index.md"),
  // The pictures of the command line are at the root of the site too: the front page begins with one.
  vite: { publicDir: "guide/cli/sessions", logLevel: "warn" },
  head: [["style", {}, readFileSync(join(docs, ".vitepress/site.css"), "utf8")]],
  markdown: { config: followLinks, theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" } },
  // The theme's front page has no landmark for its content.
  transformHtml: (html: string) =>
    html.replace("<div class=\"VPContent is-home\"", "<div role=\"main\" class=\"VPContent is-home\""),
  themeConfig: {
    sidebar: sidebar(),
    nav: [
      { text: "Guide", link: "/guide/option-chain" },
      { text: "Command line", link: "/guide/cli/" },
      { text: "Planner", link: "/planner.html", target: "_self" },
      { text: "API", link: "/api/index.html", target: "_self" }
    ],
    socialLinks: [{ icon: "github", link: source }],
    // The name of a button has to hold what is seen on it, so the key is part of its text (site.css hides the other one).
    search: {
      provider: "local",
      options: { translations: { button: { buttonText: "Search (Ctrl K)", buttonAriaLabel: "Search (Ctrl K)" } } }
    },
    outline: { level: [2, 3] },
    docFooter: { prev: false, next: false }
  }
}

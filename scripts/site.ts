/**
 * `npm run site`: builds the documentation as a site, in `.site`: the pages of docs/ by VitePress, the packages' exports by TypeDoc, each page as
 * Markdown beside it, `llms.txt`, and the planner. A misspelt word and a link to a page that is not there fail it: VitePress and TypeDoc look for these.
 */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import * as Planner from "../packages/cli/plannerPage.ts"
import * as Apart from "./shared/apart.ts"
import * as Files from "./shared/files.ts"
import * as Script from "./shared/script.ts"

const { root } = Script
const tools = join(import.meta.dirname, "site")
const site = join(root, ".site")
const docs = join(root, "docs")

const run = (folder: string, tool: string, ...args: ReadonlyArray<string>): void =>
  Apart.run(folder, process.execPath, join(tools, "node_modules", tool), ...args)

/** Runs a program over our sources. */
const fromSource = (program: string, ...args: ReadonlyArray<string>): void =>
  Apart.run(root, process.execPath, Script.fromSource, program, ...args)

const permalink = /<a href="#[^"]*" aria-label="Permalink"[\s\S]*?<\/a>/g

/**
 * Makes a page of TypeDoc accessible: landmarks around its content and menus, and no link inside a `summary`, where only one of both could be activated.
 */
const withLandmarks = (html: string): string =>
  html
    .replace(`<div class="col-content">`, `<div class="col-content" role="main">`)
    .replace(`<div class="page-menu">`, `<div class="page-menu" role="complementary" aria-label="On this page">`)
    .replaceAll(/<summary[\s\S]*?<\/summary>/g, (summary) => summary.replaceAll(permalink, ""))

/** The page of a Markdown file, by its path from docs/. */
const published = (path: string): string => path.replace(/README\.md$/, "index.md")

/** A page's title and the first sentence under it. */
const headOf = (text: string): { readonly title: string; readonly says: string } => {
  const [, title = "", rest = ""] = /^# (.+)\n([\s\S]*)$/m.exec(text) ?? []
  const prose = rest.split("\n\n").map((part) => part.trim()).find((part) => /^(?:[A-Z[]|`[^`])/.test(part)) ?? ""
  const plain = prose.replaceAll("\n", " ").replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
  return { title, says: /^.+?[.:](?= |$)/.exec(plain)?.[0] ?? plain }
}

/** Copies each page as Markdown, and writes their list, `llms.txt` (https://llmstxt.org). */
const writeMarkdown = (): void => {
  const pages = Files.found(docs, "**/*.md")
  const listed = pages.filter((path) => path !== "index.md").map((path) => {
    copyFileSync(join(docs, path), join(site, published(path)))
    const { says, title } = headOf(readFileSync(join(docs, path), "utf8"))
    return { path, line: `- [${title}](/${published(path)}): ${says}` }
  })
  const section = (name: string, isIn: (path: string) => boolean): string =>
    `## ${name}\n\n${listed.filter(({ path }) => isIn(path)).map(({ line }) => line).join("\n")}\n`
  const { description } = Files.json(root, "package.json")
  const parts = [
    `# effect-marketdata\n\n> ${description}.\n`,
    section("Guide", (path) => path.startsWith("guide/")),
    section("Contract and proofs", (path) => !/^(?:guide|decisions)\//.test(path)),
    section("Optional", (path) => path.startsWith("decisions/"))
  ]
  writeFileSync(join(site, "llms.txt"), parts.join("\n"))
}

Script.run({
  what:
    "Builds the documentation as a site in .site, without a request to any other machine once its tools are installed.",
  examples: [
    ["", "the whole site"],
    ["--pages", "quickly, while a page is written"],
    [
      "--browser",
      "in a browser: axe-core, nothing from other machines, narrow and wide, light and dark, by keyboard; then a page of `marketdata look`"
    ]
  ]
}, {
  pages: Script.toggle("pages", "Leave out the exports of the packages, which take most of the time"),
  browser: Script.toggle("browser", "Then look at it in Chromium, the one that CHROMIUM names or /usr/bin/chromium"),
  workloads: Script.whole("workloads", "With --browser: how many random workloads are composed in the planner", 12)
}, async ({ browser: isBrowsed, pages: isPagesOnly, workloads }) => {
  const began = performance.now()
  Apart.install(tools)
  rmSync(site, { recursive: true, force: true })
  const spelling = ["--config", join(tools, "cspell.json"), "--root", root, "--no-progress"]
  run(root, "cspell/bin.mjs", "lint", ...spelling, "**/*.md")
  run(root, "vitepress/bin/vitepress.js", "build", "docs")
  if (!isPagesOnly) {
    run(tools, "typedoc/bin/typedoc", "--options", "typedoc.json", "--treatWarningsAsErrors")
    for (const path of Files.found(site, "api/**/*.html")) {
      writeFileSync(join(site, path), withLandmarks(readFileSync(join(site, path), "utf8")))
    }
  }
  writeMarkdown()
  writeFileSync(join(site, "planner.html"), await Planner.page(root))
  const pages = Files.found(site, "**/*.html").length
  console.log(`${relative(root, site)}: ${pages} pages, ${((performance.now() - began) / 1000).toFixed(0)} s`)
  if (!isBrowsed) return true
  const browse = (script: string, ...args: ReadonlyArray<string>): void => fromSource(join(tools, script), ...args)
  browse("kernels.mjs")
  browse("browse.mjs", site)
  browse("planner.mjs", join(site, "planner.html"), String(workloads))
  using folder = Files.temporaryFolder()
  const looked = join(folder.path, "look.html")
  const words = ["look", "AAPL", "--mode", "cached", "--no-open", "--output", looked]
  fromSource(join(root, "packages/cli/src/bin.ts"), ...words)
  browse("look.mjs", looked)
  return true
})

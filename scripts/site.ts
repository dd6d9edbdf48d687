/**
 * `npm run site`: builds the documentation as a site, in `.site`: the pages of docs/ by VitePress, the packages' exports by TypeDoc, each page as
 * Markdown beside it, `llms.txt`, and the planner. A misspelt word, a link to a page that is not there, and anything a page would load from another machine fail it.
 */
import * as Flag from "effect/cli/Flag"
import { copyFileSync, globSync, mkdirSync, mkdtempDisposableSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import * as Planner from "../packages/cli/plannerPage.ts"
import * as Apart from "./shared/apart.ts"
import * as Script from "./shared/script.ts"
import { withLandmarks } from "./site/landmarks.ts"
import { strayLinks } from "./site/links.ts"

const { root } = Script
const tools = join(import.meta.dirname, "site")
const site = join(root, ".site")
const docs = join(root, "docs")

const run = (folder: string, tool: string, ...args: ReadonlyArray<string>): void =>
  Apart.run(folder, process.execPath, join(tools, "node_modules", tool), ...args)

/** Runs a program over our sources. */
const fromSource = (program: string, ...args: ReadonlyArray<string>): void =>
  Apart.run(root, process.execPath, Script.fromSource, program, ...args)

/** The page of a Markdown file, by its path from docs/. */
const published = (path: string): string => path.replace(/README\.md$/, "index.md")

/** A page's title and the first sentence under it. */
const headOf = (text: string): { readonly title: string; readonly says: string } => {
  const [, title = "", rest = ""] = /^# (.+)\n([\s\S]*)$/m.exec(text) ?? []
  const prose = rest.split("\n\n").map((part) => part.trim()).find((part) => /^(?:[A-Z[]|`[^`])/.test(part)) ?? ""
  const plain = prose.replaceAll("\n", " ").replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
  return { title, says: /^.+?[.:](?= |$)/.exec(plain)?.[0] ?? plain }
}

/** Each page as it is written, for programs that read Markdown, and their list as https://llmstxt.org describes it. */
const writeMarkdown = (): void => {
  const pages = globSync("**/*.md", { cwd: docs }).map((path) => path.replaceAll("\\", "/")).toSorted()
  const listed = pages.filter((path) => path !== "index.md").map((path) => {
    copyFileSync(join(docs, path), join(site, published(path)))
    const { says, title } = headOf(readFileSync(join(docs, path), "utf8"))
    return { path, line: `- [${title}](/${published(path)}): ${says}` }
  })
  const section = (name: string, isIn: (path: string) => boolean): string =>
    `## ${name}\n\n${listed.filter(({ path }) => isIn(path)).map(({ line }) => line).join("\n")}\n`
  const { description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const parts = [
    `# effect-marketdata\n\n> ${description}.\n`,
    section("Guide", (path) => path.startsWith("guide/")),
    section("Contract and proofs", (path) => !/^(?:guide|decisions)\//.test(path)),
    section("Optional", (path) => path.startsWith("decisions/"))
  ]
  writeFileSync(join(site, "llms.txt"), parts.join("\n"))
}

Script.run(
  {
    name: "site",
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
  },
  {
    pages: Script.toggle("pages", "Leave out the exports of the packages, which take most of the time"),
    browser: Script.toggle("browser", "Then look at it in Chromium, the one that CHROMIUM names or /usr/bin/chromium"),
    pictures: Flag.String("pictures").pipe(
      Flag.withDescription("With --browser: a folder for pictures of four pages and the planner"),
      Flag.withDefault(undefined)
    ),
    workloads: Flag.Int("workloads").pipe(
      Flag.withDescription("With --browser: how many random workloads are composed in the planner"),
      Flag.withDefault(12)
    )
  },
  async ({ browser: isBrowsed, pages: isPagesOnly, pictures, workloads }) => {
    const began = performance.now()
    Apart.install(tools)
    rmSync(site, { recursive: true, force: true })
    run(
      root,
      "cspell/bin.mjs",
      "lint",
      "--config",
      join(tools, "cspell.json"),
      "--root",
      root,
      "--no-progress",
      "**/*.md"
    )
    run(root, "vitepress/bin/vitepress.js", "build", "docs")
    if (!isPagesOnly) {
      run(tools, "typedoc/bin/typedoc", "--options", "typedoc.json", "--treatWarningsAsErrors")
      for (const path of globSync("api/**/*.html", { cwd: site })) {
        writeFileSync(join(site, path), withLandmarks(readFileSync(join(site, path), "utf8")))
      }
    }
    writeMarkdown()
    writeFileSync(join(site, "planner.html"), await Planner.page(root))
    const pages = globSync("**/*.html", { cwd: site })
    const stray = pages.flatMap((page) => strayLinks(site, page, readFileSync(join(site, page), "utf8")))
      .filter(({ link }) => !(isPagesOnly && link.startsWith("/api/")))
    for (const { link, page, why } of stray) console.error(`${page}: ${link} ${why}`)
    const bytes = globSync("**/*", { cwd: site, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { name, parentPath }) => sum + readFileSync(join(parentPath, name)).byteLength, 0)
    console.log(
      `${relative(root, site)}: ${pages.length} pages, ${(bytes / 1e6).toFixed(1)} MB, ` +
        `${((performance.now() - began) / 1000).toFixed(0)} s, ${stray.length} links that lead nowhere or away`
    )
    if (!isBrowsed || stray.length > 0) return stray.length === 0
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
    const browse = (script: string, ...args: ReadonlyArray<string>): void =>
      fromSource(join(tools, script), ...args, ...pictures === undefined ? [] : [pictures])
    browse("kernels.mjs")
    browse("browse.mjs", site)
    browse("planner.mjs", join(site, "planner.html"), String(workloads))
    using folder = mkdtempDisposableSync(join(tmpdir(), "look-"))
    const looked = join(folder.path, "look.html")
    const words = ["look", "AAPL", "--mode", "cached", "--no-open", "--output", looked]
    fromSource(join(root, "packages/cli/src/bin.ts"), ...words)
    browse("look.mjs", looked)
    return true
  }
)

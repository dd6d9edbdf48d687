/** Each rule of our own finds what is planted in a small repository, and says nothing of what is fine there. */
import { assert, it } from "@effect/vitest"
import * as Command from "../shared/command.ts"
import { withFiles } from "../shared/files.ts"
import * as Dependencies from "./dependencies.ts"
import { docs } from "./docs.ts"
import { floors } from "./floors.ts"
import { imports } from "./imports.ts"
import { pages } from "./pages.ts"
import type { Rule } from "./rule.ts"
import { inspect, secrets } from "./secrets.ts"
import { tests } from "./tests.ts"

type Files = Readonly<Record<string, string>>

const ours = "@effect-marketdata"

/** The files of a package: its manifest, its floors, and its modules by their paths below src/. */
const packaged = (name: string, manifest: object, floors: ReadonlyArray<string>, modules: Files): Files => ({
  [`packages/${name}/package.json`]: JSON.stringify({ name: `${ours}/${name}`, ...manifest }),
  [`packages/${name}/floors.json`]: JSON.stringify(Object.fromEntries(floors.map((floor) => [floor, `the ${floor}`]))),
  ...Object.fromEntries(Object.entries(modules).map(([path, code]) => [`packages/${name}/src/${path}`, code]))
})
const library = { exports: { ".": {} }, peerDependencies: { effect: "^4.1.0" } }

const importing = (...specifiers: ReadonlyArray<string>): string =>
  specifiers.map((specifier, at) => `import * as Module${at} from "${specifier}"\n`).join("")

const block = (...lines: ReadonlyArray<string>): string => `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`
const header = block("Prices.", "@example", "```ts", "1 + 1", "```", "@since 0.1.0") + importing("./a.ts")
const listed = (...more: ReadonlyArray<string>): string =>
  block("What it is.", "@category models", "@since 0.1.0", ...more)

const lockfile = (packages: object): Files => ({ "package-lock.json": JSON.stringify({ packages }) })
const hashed = { version: "1.0.0", integrity: "sha512-AAAA", license: "MIT" }

const ticks = "```"

/** By name: the rule, what is planted, and how each line begins that it says, in any order. */
const cases: Readonly<Record<string, readonly [rule: Rule, files: Files, says: ReadonlyArray<string>]>> = {
  "imports of other packages and of Effect": [imports, {
    ...packaged("core", library, [], {
      "Bad.ts": importing("effect", "effect/http/HttpClient", "fast-check") +
        importing(`${ours}/client/MarketData`, `${ours}/core/A`),
      "Later.ts": `export const later = () => import("fast-check")\nexport type T = import("effect/Path").Path`,
      "Unstable.ts": `${importing("effect/Schema")}export const size = Module0.ByteSize`,
      "Fine.ts": `${importing("effect/Schema", "./Bad.ts")}export const literals = Module0.Literals`
    }),
    ...packaged("client", { ...library, dependencies: { [`${ours}/core`]: "0.1.0" } }, [], {
      "Bad.ts": importing(`${ours}/core`, `${ours}/sandbox/Sandbox`),
      "Fine.ts": importing(`${ours}/core/Strike`, "effect/http/HttpClient", "node:http")
    }),
    ...packaged("cli", { devDependencies: { [`${ours}/core`]: "0.1.0" } }, [], {
      "Fine.ts": importing(`${ours}/core`, "effect"),
      "Bad.ts": importing("effect/cli")
    })
  }, [
    "packages/core/src/Bad.ts: import a module, such as effect/Module",
    "packages/core/src/Bad.ts: core uses stable modules of Effect only, and effect/http/HttpClient",
    "packages/core/src/Bad.ts: core imports fast-check and does not name it",
    "packages/core/src/Bad.ts: core may import no other package, not client",
    "packages/core/src/Bad.ts: core imports its own modules by relative path",
    "packages/core/src/Later.ts: core imports fast-check and does not name it",
    "packages/core/src/Later.ts: core uses stable modules of Effect only, and effect/Path",
    "packages/core/src/Unstable.ts: ByteSize of effect/Schema may change in a minor release",
    `packages/client/src/Bad.ts: import a module of core, such as ${ours}/core/Module`,
    "packages/client/src/Bad.ts: client may import core, not sandbox",
    "packages/cli/src/Bad.ts: import a module, such as effect/cli/Module"
  ]],
  "what rests on a higher floor, or on none": [
    floors,
    packaged("core", library, ["text", "plan", "attic"], {
      "text/Low.ts":
        `export type X = import("../plan/High.ts").X\nexport const later = () => import("../plan/High.ts")`,
      "plan/High.ts": importing("../text/Low.ts"),
      "Flat.ts": "",
      "index.ts": importing("./plan/High.ts")
    }),
    [
      "packages/core/src: no module stands on the floor attic",
      "packages/core/src/Flat.ts stands on no floor that",
      "packages/core/src/text/Low.ts imports plan/High.ts, which stands on a higher floor"
    ]
  ],
  "a picture that has no place": [floors, {
    ...packaged("core", library, [], { "A.ts": "" }),
    "CONTRIBUTING.md": "The house.\n"
  }, ["CONTRIBUTING.md has no place for <!-- floors -->"]],
  "a picture that is out of date": [floors, {
    ...packaged("core", library, [], { "A.ts": "" }),
    "CONTRIBUTING.md": "<!-- floors -->\n<!-- /floors -->\n"
  }, ["CONTRIBUTING.md is out of date"]],
  "what no docstring tells": [
    docs,
    packaged("core", library, [], {
      "Header.ts": `${listed()}export const x = 1`,
      "Example.ts": `${block("Prices.", "@since 0.1.0")}${importing("./a.ts")}${listed()}export const x = 1`,
      "Export.ts": `${header}//* A line.\n/* A block. */\nexport const x = 1\n${
        block("@category utils")
      }export class Y {}\nexport * from "./a.ts"`,
      "Fine.ts": `${header}${listed()}export const x = 1\n${block("@internal")}export const y = 1`,
      "within.ts": "export const x = 1"
    }),
    [
      "packages/core/src/Header.ts:1 the module has no header",
      "packages/core/src/Example.ts:1 the header of the module lacks an `@example` with a ts fence",
      "packages/core/src/Export.ts:12 x has no docstring",
      "packages/core/src/Export.ts:16 the docstring of Y lacks a sentence that says what it is and `@since` with a version and a `@category` of the list",
      "packages/core/src/Export.ts:17 what is exported here has no docstring"
    ]
  ],
  "what a page does not install, and links that lead nowhere where they are read": [pages, {
    "package.json": JSON.stringify({ repository: { url: "git+https://house.test/shop.git" } }),
    "README.md":
      `# Shop\n\nnpm i effect\n\n${ticks}ts\nimport {\n  a\n} from "effect/a"\nimport "node:fs"\nimport * as b from "@effect/b/c"\n${ticks}\n`,
    "docs/guide/page.md":
      "# A page\n\n[here](#a-page), [there](../../README.md#shop), [not](#b), [nor](b.md), [away](https://b.test/b.md)\n",
    "packages/shop/README.md":
      "# Shop\n\n[in](CHANGELOG.md) [out](../../README.md) [abroad](https://house.test/shop/blob/main/README.md#shop) [gone](https://house.test/shop/blob/main/b.md)\n",
    "packages/shop/CHANGELOG.md": "# Changes\n",
    "docs/examples/a/package.json": `{ "dependencies": { "effect": "" }, "devDependencies": { "vitest": "" } }`,
    "docs/examples/a/main.ts": importing("effect/a", "vitest", "node:fs", "@effect/b/c")
  }, [
    "docs/examples/a/package.json does not name @effect/b",
    "README.md installs no @effect/b, which its programs import",
    "docs/guide/page.md: #b leads nowhere",
    "docs/guide/page.md: b.md leads nowhere",
    "packages/shop/README.md: ../../README.md leads nowhere at the registry",
    "packages/shop/README.md: https://house.test/shop/blob/main/b.md leads nowhere at the registry"
  ]],
  "tests that try too much, or name clauses that there are not": [tests, {
    "docs/conformance/clauses.md": "| 8.3-hit | A rule. | core |",
    "packages/core/test/a.test.ts": `fc.assert(law,\n{ numRuns: 5001 })`,
    "packages/core/test/b.test.ts": `const deep = runs(10_000, 4950)\ntrials(7), { numRuns: 1 }`,
    "packages/core/test/c.test.ts": "{ numRuns: 100 }; runs(10_000); trials(1); runs(1_000_000, 4700)",
    "packages/core/test/d.full.test.ts": "runs(9, 9000)",
    "packages/core/test/e.test.ts": `it("[8.3-hit] [8.3-old]")`,
    "packages/core/test/f.full.test.ts": `it("[8.3-hit]")`
  }, [
    "packages/core/test/a.test.ts tries 5001 by default",
    "packages/core/test/b.test.ts tries 5051 by default",
    "packages/core/test/e.test.ts names the clause [8.3-old]",
    "packages/core/test/f.full.test.ts proves 8.3-hit"
  ]],
  "a lockfile that leaves open what is installed": [Dependencies.lockfile, {
    "package.json": `{ "allowScripts": { "c": false } }`,
    ...lockfile({
      "node_modules/a": hashed,
      "node_modules/b": { integrity: "sha1-AAAA", resolved: "https://registry.example", hasInstallScript: true },
      "node_modules/c": { ...hashed, hasInstallScript: true },
      "node_modules/core": { resolved: "packages/core", link: true }
    })
  }, [
    "package-lock.json: node_modules/b has no SHA-512",
    "package-lock.json: node_modules/b names an address: it is fetched from there, whatever",
    "package-lock.json: node_modules/b runs a program"
  ]],
  "licences that nobody has agreed to": [Dependencies.licences, {
    "package.json": "{}",
    ...lockfile({
      "node_modules/a": { ...hashed, license: "(GPL-3.0-only OR MIT)" },
      "node_modules/b": { ...hashed, license: "MPL-2.0" },
      "node_modules/c": { ...hashed, license: "MPL-2.0", dev: true },
      "node_modules/d": { ...hashed, license: "GPL-3.0-only", dev: true },
      "node_modules/e": { version: "1.0.0" }
    })
  }, [
    "b 1.0.0 has the licence MPL-2.0, which is not allowed of a package that comes along",
    "d 1.0.0 has the licence GPL-3.0-only, which is not allowed of a tool",
    "e 1.0.0 has the licence none, which is not allowed"
  ]]
}

it.each(Object.entries(cases))(
  "finds %s, and nothing else",
  (_, [rule, files, says]) =>
    withFiles(files, async (root) => {
      const { problems } = await rule.run(root)
      const found = says.map((beginning) => problems.find((problem) => problem.startsWith(beginning)) ?? beginning)
      assert.deepStrictEqual(problems.toSorted(), found.toSorted())
    })
)

it("vulnerabilities are what npm reports; where it reports nothing, nothing is known", () => {
  const { audited } = Dependencies
  assert.isUndefined(audited({ ok: true, stdout: "found 0 vulnerabilities\n" }))
  assert.include(audited({ ok: false, stdout: "a  <1.2.3\n\n1 high severity vulnerability\n" }), "a  <1.2.3")
  assert.strictEqual(audited({ ok: false, stdout: "" }), "unknown")
})

// Put together here, so that this file itself holds none of them.
const token = ["kZ8sQ2pL0xV7nB4m", "T1rY6wE3uI5oA9sD"].join("")
const webToken = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", "dozjgNryP4J3jVmNHl0w5N"].join(".")
const folder = (name: string) => ["", name, "project"].join("/")

it.each([
  ["docs/guide.md", "found GitHub Token", ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_")],
  ["docs/guide.md", "an account's token", `Authorization: ${["Bearer", token].join(" ")}`],
  ["docs/guide.md", "an account's token", ["MARKETDATA_TOKEN", token].join("=")],
  ["docs/guide.md", "a JSON web token", webToken],
  ["docs/guide.md", "a path of one machine", `file://${folder("home")}/a.ts`],
  [".npmrc", "the address of a registry", "registry=https://registry.example/"],
  ["docs/guide.md", "", "Authorization: Bearer the-token-of-the-first-account"],
  ["docs/guide.md", "", `https://example.com${folder("home")} packages${folder("work")}`]
])("in %s secrets finds %s once, and does not repeat it", async (file, says, text) => {
  const findings = await inspect(file, text)
  assert.lengthOf(findings, says === "" ? 0 : 1)
  assert.isTrue(findings.every((finding) => finding.startsWith(`${file}:1 ${says}`)), findings.join())
  assert.notInclude(findings.join(), text.slice(8, 20))
})

it("secrets looks into each file that git does not ignore, and says so where git lists none", () => {
  const text = `Bearer ${token}`
  return withFiles({ ".gitignore": "node_modules\nb.md\n", "a.md": text, "b.md": text }, async (root) => {
    const unlisted = await secrets.run(root)
    await Command.run("git", ["init", "-q"], { cwd: root })
    const said = [unlisted, await secrets.run(root)].flatMap(({ problems }) => problems).join()
    assert.match(said, /^git cannot list the files: [^]*,a\.md:1 an account's token$/)
  })
})

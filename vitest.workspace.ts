/**
 * The one Vitest configuration. Vitest 5 no longer looks for a workspace file, so every script passes it with `--config`.
 * Workspace packages resolve to their sources through our export condition: no test needs a build.
 */
import { defineConfig } from "vitest/config"
import { isFull, testTimeout } from "./packages/core/test/support/depth.ts"
import { RunReporter } from "./scripts/tests/reporter.ts"

const conditions = ["@effect-marketdata/source", "import", "module", "node", "default"]

/**
 * What only continuous integration runs: tests that start programs, or that repeat at length what a shorter test shows. Tests of types,
 * `*.test-d.ts`, are for the compiler: `npm run check -- types`.
 */
const onlyFull = "**/*.full.test.ts"

/** Each package has processes of its own, which load the same modules: the first keeps their compiled code, a quarter of what it takes to start one. */
const compiled = new URL("scripts/tests/compiled.mjs", import.meta.url).href

const project = (name: string, root: string, include = ["test/**/*.test.ts"]) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name,
    root,
    include,
    exclude: ["**/node_modules/**", ...(isFull ? [] : [onlyFull])],
    testTimeout: isFull ? 5 * testTimeout : testTimeout,
    // Tests leave nothing behind, and starting a realm for each file takes a quarter of the time.
    isolate: false,
    // What a test makes dies young: a larger nursery is collected less often, an eighth of the processor's time.
    execArgv: ["--max-semi-space-size=64", "--min-semi-space-size=64", `--import=${compiled}`]
  }
})

const cli = project("cli", "packages/cli")

/** Continuous integration counts the tests in a report of its own. */
const report: ReadonlyArray<["json", { readonly outputFile: string }]> = process.env["TEST_REPORT"] === undefined
  ? []
  : [["json", { outputFile: process.env["TEST_REPORT"] }]]

export default defineConfig({
  test: {
    // Node 24 reads TypeScript itself, in a tenth less time than after a translation.
    experimental: { viteModuleRunner: !process.features.typescript },
    // What a test prints is shown where it fails.
    silent: "passed-only",
    maxWorkers: "100%",
    reporters: [
      process.env["CI"] === undefined ? "default" : "dot",
      new RunReporter(),
      ...report
    ],
    projects: [
      project("core", "packages/core"),
      project("volatility", "packages/volatility"),
      project("pictures", "packages/pictures"),
      project("export", "packages/export"),
      project("client", "packages/client"),
      project("sandbox", "packages/sandbox"),
      project("testing", "packages/testing"),
      project("sql", "packages/sql"),
      project("cluster", "packages/cluster"),
      {
        ...cli,
        test: { ...cli.test, globalSetup: [`${import.meta.dirname}/packages/cli/test/support/plannerPage.ts`] }
      },
      project("scripts", "scripts", ["**/*.test.ts"])
    ]
  }
})

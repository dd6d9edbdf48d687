/**
 * The one Vitest configuration. Vitest 5 no longer looks for a workspace file, so every script passes it with `--config`.
 * Workspace packages resolve to their sources through our export condition: no test needs a build.
 */
import { defineConfig } from "vitest/config"
import { ConformanceReporter } from "./scripts/conformance/reporter.ts"

const conditions = ["@effect-marketdata/source", "import", "module", "node", "default"]

const project = (name: string, root: string, include = ["test/**/*.test.ts"]) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { name, root, include, testTimeout: 60_000 }
})

/** The tests of pure functions leave nothing behind, so that they can share two workers: half the time goes into starting more. */
const pure = (settings: ReturnType<typeof project>) => ({
  ...settings,
  test: { ...settings.test, isolate: false, maxWorkers: 2 }
})

/** Continuous integration counts the tests in a report of its own. */
const report: ReadonlyArray<["json", { readonly outputFile: string }]> = process.env["TEST_REPORT"] === undefined
  ? []
  : [["json", { outputFile: process.env["TEST_REPORT"] }]]

export default defineConfig({
  test: {
    reporters: [
      process.env["CI"] === undefined ? "default" : "dot",
      new ConformanceReporter(),
      ...report
    ],
    projects: [
      pure(project("core", "packages/core")),
      project("client", "packages/client"),
      project("sandbox", "packages/sandbox"),
      pure(project("testing", "packages/testing")),
      project("sql", "packages/sql"),
      project("cluster", "packages/cluster"),
      project("cli", "packages/cli"),
      project("scripts", "scripts", ["**/*.test.ts"]),
      {
        test: {
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            checker: "tsc",
            include: ["packages/*/test/types/**/*.test-d.ts"],
            tsconfig: "./tsconfig.types.json"
          }
        }
      }
    ]
  }
})

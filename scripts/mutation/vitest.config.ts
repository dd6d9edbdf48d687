/**
 * How the tests of a package run under a mutant: from the sources, with fewer runs of each property. What runs in other processes or from a
 * bundle sees no mutant, and stays out.
 */
import { join } from "node:path"
import { defineConfig } from "vitest/config"

const conditions = ["@effect-marketdata/source", "import", "module", "node", "default"]
const own = process.env["MUTATION_PACKAGE"] ?? "core"
const fastCheck = join(import.meta.dirname, "fastCheck.ts")

export default defineConfig({
  plugins: [{
    name: "fewer-runs",
    enforce: "pre",
    resolveId: (id, importer) => id === "fast-check" && importer !== fastCheck ? fastCheck : undefined
  }],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    root: join(import.meta.dirname, "..", "..", "packages", own),
    include: ["test/**/*.test.ts"],
    exclude: ["**/*.full.test.ts"],
    isolate: false,
    testTimeout: 60_000
  }
})

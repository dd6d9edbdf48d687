/** Our own rules for Oxlint, which asks for a default export. */
import { exportDocs, moduleDocs } from "./docs.ts"
import { importDirection } from "./importDirection.ts"
import type { LintRule } from "./lintRule.ts"
import { stableEffect } from "./stableEffect.ts"

const rules: Readonly<Record<string, LintRule>> = {
  "export-docs": exportDocs,
  "import-direction": importDirection,
  "module-docs": moduleDocs,
  "stable-effect": stableEffect
}

export default { meta: { name: "marketdata" }, rules }

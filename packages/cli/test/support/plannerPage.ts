/** Makes the planner page before the tests begin, where the program finds it beside its sources. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as PlannerPage from "../../plannerPage.ts"

const root = join(import.meta.dirname, "../../../..")

export const setup = async (): Promise<void> => {
  const path = join(root, PlannerPage.planner)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, await PlannerPage.page(root))
}

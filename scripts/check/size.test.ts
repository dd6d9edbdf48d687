import { assert, describe, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { weigh } from "./size.ts"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"

const application = { name: "it", code: `export { used } from "./module.ts"`, platform: "browser" } as const

describe("size", () => {
  it("counts what an application needs, and no more", async () => {
    const ballast = randomBytes(3000).toString("base64")
    const module = `export const used = 1\nexport const unused = "${ballast}"`
    await TemporaryRepository.withFiles({ "module.ts": module }, async (root) => {
      const { problem } = await weigh(root, { ...application, limit: 1000 })
      assert.isUndefined(problem)
    })
  })

  it("leaves out what the application has anyway", async () => {
    const module = `import { Effect } from "effect/Effect"\nexport const used = Effect`
    await TemporaryRepository.withFiles({ "module.ts": module }, async (root) => {
      const { problem } = await weigh(root, { ...application, limit: 1000, external: ["effect/*"] })
      assert.isUndefined(problem)
    })
  })

  it("fails when that is more than the limit", async () => {
    const module = `export const used = "${randomBytes(3000).toString("base64")}"`
    await TemporaryRepository.withFiles({ "module.ts": module }, async (root) => {
      const { problem } = await weigh(root, { ...application, limit: 1000 })
      assert.match(problem ?? "", /^it: 4\.\d kB minified, 3\.\d kB gzip, more than 1\.0 kB$/)
    })
  })
})

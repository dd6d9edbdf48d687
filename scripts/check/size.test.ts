import { assert, describe, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import { type Application, weigh } from "./size.ts"

const problemOf = (module: string, application: Partial<Application> = {}) =>
  TemporaryRepository.withFiles({ "module.ts": module }, async (root) => {
    const code = `export { used } from "./module.ts"`
    return (await weigh(root, { name: "it", code, platform: "browser", limit: 1000, ...application })).problem
  })

describe("size", () => {
  const ballast = randomBytes(3000).toString("base64")

  it("counts what an application needs, and no more", async () => {
    assert.isUndefined(await problemOf(`export const used = 1\nexport const unused = "${ballast}"`))
    const module = `import { Effect } from "effect/Effect"\nexport const used = Effect`
    assert.isUndefined(await problemOf(module, { external: ["effect/*"] }))
  })

  it("fails when that is more than the limit", async () => {
    const problem = await problemOf(`export const used = "${ballast}"`)
    assert.match(problem ?? "", /^it: 4\.\d kB minified, 3\.\d kB gzip, more than 1\.0 kB$/)
  })
})

import { assert, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import { weigh } from "./size.ts"

const ballast = randomBytes(3000).toString("base64")

it.each([
  [undefined, `export const used = 1\nexport const unused = "${ballast}"`],
  [undefined, `import { Effect } from "effect/Effect"\nexport const used = Effect`],
  [/^it: 4\.\d kB minified, 3\.\d kB gzip, more than 1\.0 kB$/, `export const used = "${ballast}"`]
])(
  "size counts what an application needs, and no more: %s",
  (says, module) =>
    TemporaryRepository.withFiles({ "module.ts": module }, async (root) => {
      const code = `export { used } from "./module.ts"`
      const application = { name: "it", code, platform: "browser", limit: 1000, external: ["effect/*"] } as const
      const { problem } = await weigh(root, application)
      if (says === undefined) assert.isUndefined(problem)
      else assert.match(problem ?? "", says)
    })
)

import { assert, it } from "@effect/vitest"
import * as TemporaryRepository from "../shared/temporaryRepository.ts"
import { pages } from "./pages.ts"

const repository = JSON.stringify({ repository: { url: "git+https://house.test/shop.git" } })
const program =
  "```ts\nimport {\n  a\n} from \"effect/a\"\nimport \"node:fs\"\nimport * as b from \"@effect/b/c\"\n```\n"

it("pages finds what a page does not install, and links that lead nowhere where they are read", () => {
  const files = {
    "package.json": repository,
    "README.md": `# Shop\n\n\`\`\`sh\nnpm i effect\n\`\`\`\n\n${program}`,
    "docs/guide/page.md":
      "# A page\n\n[here](#a-page), [there](../../README.md#shop), [not](#b), [nor](b.md), [away](https://b.test/b.md)\n",
    "packages/shop/README.md":
      "# Shop\n\n[in](CHANGELOG.md) [out](../../README.md) [abroad](https://house.test/shop/blob/main/README.md#shop) [gone](https://house.test/shop/blob/main/b.md)\n",
    "packages/shop/CHANGELOG.md": "# Changes\n"
  }
  return TemporaryRepository.withFiles(files, async (root) => {
    const { problems } = await pages.run(root)
    assert.deepStrictEqual(problems, [
      "README.md installs no @effect/b, which its programs import",
      "docs/guide/page.md: #b leads nowhere",
      "docs/guide/page.md: b.md leads nowhere",
      "packages/shop/README.md: ../../README.md leads nowhere at the registry",
      "packages/shop/README.md: https://house.test/shop/blob/main/b.md leads nowhere at the registry"
    ])
  })
})

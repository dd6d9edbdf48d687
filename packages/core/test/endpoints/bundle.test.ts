import * as Query from "@effect-marketdata/core/Query"
import { assert, it } from "@effect/vitest"
import { build } from "esbuild"
import { dirname } from "node:path"

/** The modules of core that a bundle of some code holds. */
const modulesOf = async (contents: string): Promise<ReadonlyArray<string>> => {
  const { metafile } = await build({
    stdin: { contents, loader: "ts", resolveDir: dirname(import.meta.dirname) },
    bundle: true,
    conditions: ["@effect-marketdata/source"],
    format: "esm",
    platform: "browser",
    logLevel: "silent",
    metafile: true,
    write: false
  })
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path)
  ).filter((path) => path.includes("core/src/")).map((path) => path.replace(/^.*core\/src\//, ""))
}

const planner = `
  export * as Credits from "@effect-marketdata/core/Credits"
  export * as HttpRequest from "@effect-marketdata/core/HttpRequest"
  export * as Query from "@effect-marketdata/core/Query"
`

const isEndpoint = (path: string): boolean => /^endpoints\/[A-Z]/.test(path) && path !== "endpoints/Query.ts"

it("holds every endpoint, and nothing that decodes", async () => {
  const modules = await modulesOf(planner)
  assert.strictEqual(modules.filter(isEndpoint).length, Object.keys(Query.endpoints).length)
  const readers = modules.filter((path) => /^reply\/|^columns\/(?!ColumnKind)|reading|Findings|Scan|Lanes/.test(path))
  assert.deepStrictEqual(readers, [])
})

it("holds one endpoint where one is asked", async () => {
  const modules = await modulesOf(`export { optionChain } from "@effect-marketdata/core/Query"`)
  assert.deepStrictEqual(modules.filter(isEndpoint), ["endpoints/OptionChain.ts"])
})

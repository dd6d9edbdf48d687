import { assert, describe, it } from "@effect/vitest"
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

describe("A planner's bundle", () => {
  it("holds every endpoint, and no decoder", async () => {
    const modules = await modulesOf(planner)
    assert.strictEqual(modules.filter((path) => /\wEndpoint\.ts$/.test(path)).length, 16)
    assert.deepStrictEqual(
      modules.toSorted().filter((path) =>
        /^columns\/|^reply\/|^chain\/|^endpoints\/(?!\w*Endpoints?\.ts)|^symbol\/Option/.test(path)
      ),
      // The symbol is a parameter of the quote endpoint, and its errors come with it.
      ["symbol/OptionSymbol.ts", "symbol/OptionSymbolError.ts"]
    )
  })

  it("holds one endpoint where one is asked", async () => {
    const modules = await modulesOf(`export { optionChain } from "@effect-marketdata/core/Query"`)
    assert.deepStrictEqual(modules.filter((path) => path.endsWith("Endpoint.ts")), ["endpoints/OptionChainEndpoint.ts"])
  })
})

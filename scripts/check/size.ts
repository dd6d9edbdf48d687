import { gzipSync } from "node:zlib"
import { bundleText } from "../shared/bundle.ts"
import * as Workspace from "./workspace.ts"
import { rooms } from "./oxlint/room.ts"
import type { Rule } from "./rule.ts"

/** What an application writes, and the most it may weigh, in bytes after gzip. */
export interface Application {
  readonly name: string
  readonly code: string
  readonly limit?: number
  readonly platform: "browser" | "node"
  /** What the application has anyway, and does not count. */
  readonly external?: ReadonlyArray<string>
}

const ours: ReadonlyArray<Application> = [{
  name: "OptionSymbol alone",
  code: `export { format, parse } from "@effect-marketdata/core/OptionSymbol"`,
  limit: 9000,
  platform: "browser"
}, {
  name: "a planner: Query, Credits, Freshness, Workload",
  code: `export * as Query from "@effect-marketdata/core/Query"
export * as Credits from "@effect-marketdata/core/Credits"
export * as Freshness from "@effect-marketdata/core/Freshness"
export * as Workload from "@effect-marketdata/core/Workload"`,
  limit: 53_000,
  platform: "browser"
}, {
  name: "the column engine with both kernels and all kinds, Effect left out",
  code: `export * as ColumnDecoder from "@effect-marketdata/core/ColumnDecoder"
export * as ColumnKind from "@effect-marketdata/core/ColumnKind"
export * as Kernel from "@effect-marketdata/core/Kernel"`,
  limit: 16_600,
  platform: "browser",
  external: ["effect/*"]
}]

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** Weighs one application: what it comes to, and whether that is too much. */
export const weigh = async (
  root: string,
  application: Application
): Promise<{ readonly note: string; readonly problem?: string }> => {
  const { external = [], platform } = application
  const options = { external: platform === "node" ? ["redis", ...external] : [...external], minify: true, platform }
  const code = Buffer.from(await bundleText(root, application.code, options))
  const zipped = gzipSync(code, { level: 9 }).byteLength
  const note = `${application.name}: ${kilobytes(code.byteLength)} minified, ${kilobytes(zipped)} gzip`
  return application.limit !== undefined && zipped > application.limit
    ? { note, problem: `${note}, more than ${kilobytes(application.limit)}` }
    : { note }
}

export const size: Rule = {
  why: "A web page pays for every byte: one import too many brings all of Schema with it.",
  run: async (root) => {
    const whole = Workspace.packages(root).map(({ manifest }): Application => ({
      name: `${manifest.name}, all of it`,
      code: `export * from "${manifest.name}"`,
      platform: rooms.get(manifest.name.replace(/^.*\//, ""))?.node === true ? "node" : "browser"
    }))
    const problems: Array<string> = []
    const notes: Array<string> = []
    for (const application of [...ours, ...whole]) {
      try {
        const { note, problem } = await weigh(root, application)
        notes.push(note)
        if (problem !== undefined) problems.push(problem)
      } catch (error) {
        problems.push(`${application.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    return { problems, notes }
  }
}

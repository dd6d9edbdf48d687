/** A run of sixty days that is killed again and again, fifty times each night: its files, its manifest and the service's bill agree. */
import { assert, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { seed, testTimeout } from "../../core/test/support/depth.ts"
import { parquet } from "../../export/test/support/readers.ts"
import { noon } from "./support/printed.ts"
import * as Started from "./support/service.ts"
import * as Watched from "./support/watched.ts"

const kills = Number(process.env["RUN_KILLS"] ?? 15)
const service = await Watched.start(await Started.sandbox(noon))
const home = Started.folder()
const planned = join(home, "plan.yaml")
writeFileSync(planned, "[{ chain: AAPL, date: 2026-08-26..2026-11-18, contracts: 3000 }]")

interface Ended {
  readonly status: number | null
  readonly out: string
}

/** Runs the plan into a folder, to its end or until it is killed: some milliseconds after it was started, or after so many requests. */
const run = (
  folder: string,
  flags: ReadonlyArray<string> = [],
  kill?: { readonly requests: number; readonly millis: number }
) =>
  new Promise<Ended>((resolve) => {
    const program = join(import.meta.dirname, "../src/bin.ts")
    const words = ["run", planned, "-o", join(home, folder), "--yes", "--json", ...flags]
    const child = spawn(process.execPath, ["--conditions=@effect-marketdata/source", program, ...words], {
      stdio: ["ignore", "pipe", "ignore"],
      env: {
        PATH: process.env["PATH"],
        MARKETDATA_HOME: home,
        MARKETDATA_BASE_URL: service.baseUrl,
        MARKETDATA_TOKEN: "sandbox-paid"
      }
    })
    const end = () => setTimeout(() => child.kill("SIGKILL"), kill?.millis)
    let left = kill?.requests ?? Infinity
    if (left === 0) end()
    service.before = () => {
      if (--left === 0) end()
      return undefined
    }
    let out = ""
    child.stdout.setEncoding("utf8").on("data", (text) => out += text)
    child.on("close", (status) => resolve({ status, out }))
  })

type Entry = Readonly<Record<"file" | "state", string> & Record<"charged" | "uncertain", number> & { rows?: number }>

const documentOf = ({ out }: Ended): { readonly digest: string; readonly entries: ReadonlyArray<Entry> } =>
  JSON.parse(out)

it(`${kills} times pays nothing twice, names what is uncertain, and ends as one that was not`, async () => {
  const whole = documentOf(await run("whole"))
  assert.lengthOf(whole.entries, 60)
  const draw = (most: number) => Effect.runSync(Random.withSeed(Random.nextIntBetween(0, most), `${seed} ${drawn++}`))
  let [drawn, killed, folders, lost, adopted] = [0, 0, 0, 0, 0]
  while (killed < kills) {
    const folder = `killed-${folders++}`
    service.asked.length = 0
    service.credits = 0
    let isOpen = true
    while (isOpen && killed < kills) {
      const requests = draw(8)
      const { status } = await run(folder, [], { requests, millis: requests === 0 ? draw(1500) : draw(200) })
      isOpen = status === null
      if (isOpen) killed++
    }
    const { entries } = documentOf(await run(folder))
    const sum = (of: (entry: Entry) => number) => entries.reduce((sum, entry) => sum + of(entry), 0)
    const [charged, uncertain] = [sum(({ charged }) => charged), sum(({ uncertain }) => uncertain)]
    assert.strictEqual(new Set(service.asked).size, service.asked.length, "nothing was asked twice")
    assert.isAtMost(charged, service.credits)
    assert.isAtLeast(charged + uncertain, service.credits)
    for (const { file, rows, state } of entries) {
      if (state !== "kept") continue
      const read = await parquet(new Uint8Array(readFileSync(join(home, folder, file))))
      assert.strictEqual(read.length, rows ?? read.length)
    }
    lost += entries.filter(({ state }) => state === "lost").length
    adopted += entries.filter(({ rows, state }) => state === "kept" && rows === undefined).length
    const { digest } = documentOf(await run(folder, ["--again", "lost"]))
    assert.strictEqual(digest, whole.digest)
  }
  console.log(
    `${killed} kills in ${folders} folders: ${lost} answers were lost, and ${adopted} were in files that the manifest had not`
  )
}, 20 * testTimeout)

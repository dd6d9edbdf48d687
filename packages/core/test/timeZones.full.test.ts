import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const program = fileURLToPath(new URL("./answersInNewYork.ts", import.meta.url))

const runIn = async (zone: string) => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@effect-marketdata/source", program], {
    env: { ...process.env, TZ: zone },
    maxBuffer: 2 ** 24
  })
  return JSON.parse(stdout) as { readonly noon: string; readonly answers: unknown }
}

it("NewYork, TradingCalendar, Freshness answer the same on machines of every zone", async () => {
  const utc = await runIn("UTC")
  const noons = [utc.noon]
  for (const zone of ["America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"]) {
    const there = await runIn(zone)
    assert.deepStrictEqual(there.answers, utc.answers, zone)
    noons.push(there.noon)
  }
  // The processes really were in different zones.
  assert.deepStrictEqual(noons, [
    "2026-01-01T12:00:00.000Z",
    "2026-01-01T17:00:00.000Z",
    "2026-01-01T06:30:00.000Z",
    "2026-01-01T01:00:00.000Z"
  ])
})

import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

const program = `
import { Query, Workload } from "@effect-marketdata/core"
const query = Query.stockPrices(["AAPL"]).success
const days = Array.from({ length: 1000 }, (_, day) => 1795185000 + day * 86_400)
const plan = days.map((first) => Workload.taskUnsafe(query, { first, every: 60, times: 1380 }))
console.log(Workload.peakMinute(plan).start, Workload.fits(plan, { credits: 9, window: "minute" }).left)
`

it("peakMinute and fits hold the minutes of a day, and not those of the whole plan", async () => {
  const flags = ["--max-old-space-size=100", "--conditions=@effect-marketdata/source", "--input-type=module"]
  const options = { cwd: import.meta.dirname }
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, "--eval", program], options)
  assert.strictEqual(stdout, "1795185000 8\n")
})

/** Prints what a bench measures: row by row while it goes on, and as JSON or as a table at its end. */
import type { Options } from "../bench.ts"
import * as Report from "./report.ts"
import * as Setting from "./setting.ts"

/** Tells of the rows that are measured with the Node which runs this, and answers all of them. */
export const tell = async (
  { json, markdown }: Pick<Options, "json" | "markdown">,
  setting: Report.Setting,
  measured: AsyncIterable<Report.Row>
): Promise<ReadonlyArray<Report.Row>> => {
  const say = json || markdown ? console.error : console.log
  const node = Setting.nodeVersion(process.execPath)
  say(`Node ${node}`)
  const rows: Array<Report.Row> = []
  for await (const row of measured) {
    rows.push(row)
    say(Report.line(row))
  }
  const results = [{ node, rows }]
  if (json) console.log(Report.json(setting, results))
  if (markdown) console.log(Report.markdown(setting, results))
  return rows
}

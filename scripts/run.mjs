/**
 * `npm run NAME -- ARGUMENTS`, or `node scripts/run.mjs NAME ARGUMENTS`: runs scripts/NAME.ts with the Node that is installed here, whatever Node
 * runs this. What is missing is installed first.
 */
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = dirname(fileURLToPath(import.meta.url))
const names = readdirSync(folder).filter((file) => /^\w+\.ts$/.test(file)).map((file) => file.slice(0, -3))
const [name = "", ...args] = process.argv.slice(2)

if (!names.includes(name)) {
  process.stderr.write(`There is no script "${name}"; there are ${names.join(", ")}. Each says more with --help.\n`)
  process.exit(1)
}

const { node } = await import("./setup.mjs")
const line = ["--conditions=@effect-marketdata/source", join(folder, `${name}.ts`), ...args]
const { error, status } = spawnSync(node, line, { stdio: "inherit" })
if (error !== undefined) throw error
process.exit(status ?? 1)

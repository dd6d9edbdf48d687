/** `npm run agents`: the official clients and the inspector drive every tool of `marketdata mcp`, over standard input and output and over HTTP. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import * as Program from "../packages/cli/bundle.ts"
import * as Apart from "./shared/apart.ts"
import * as Script from "./shared/script.ts"

const { root } = Script
const folder = join(import.meta.dirname, "agents")

Script.run(
  {
    what:
      "Drives every tool of `marketdata mcp` with the official clients of both generations and with the inspector, on both transports, and prints a transcript.",
    examples: [
      ["", "a sandbox answers; no token is needed"],
      ["> transcript.txt", "the transcript in a file"]
    ]
  },
  {},
  async () => {
    Apart.install(folder)
    await Program.bundle(root)
    const line = [join(folder, "drive.mjs"), join(root, Program.program)]
    const { status } = spawnSync(process.execPath, line, { stdio: "inherit" })
    return status === 0
  }
)

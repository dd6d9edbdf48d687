/** A client whose cache lies in a hostile folder, and the command line beside hostile files, in processes of their own: as root, and as a user who owns nothing else. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import type { play } from "../../packages/client/test/support/hostileFolder.ts"
import { bundle } from "../shared/bundle.ts"
import { root } from "../shared/script.ts"

/** The programs, and their bounds in milliseconds: the most that a query may take, or that a command may take longer than with sound files. */
const games = [
  { name: "folders", program: "packages/client/test/support/hostileFolderRun.ts", slowest: 3000 },
  { name: "files", program: "packages/cli/test/support/hostileFilesRun.ts", slowest: 15_000 }
]

/** The most memory, in megabytes. */
const mostMegabytes = 300

/** Runs a program as `nobody`, whose number is the same on all systems that have `setpriv`. */
const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

/** Plays for the given time; as another user too, if this one is root. Returns the lines to print, and the problems. */
export const playFolders = async (node: string, seed: number, milliseconds: number) => {
  const external = ["effect", "effect/*", "@effect/*", "fast-check", "yaml", "node:sqlite"]
  const bundled = (path: string, name: string) =>
    bundle(join(root, path), join(root, "node_modules/.cache/hostile", name), external)
  const commandLine = await bundled("packages/cli/src/bin.ts", "marketdata")
  const users = process.geteuid?.() === 0 ? [[], nobody] : [[]]
  const lines: Array<string> = []
  const problems: Array<string> = []
  const plays = games.flatMap((game) => users.map((user) => ({ ...game, user })))
  for (const [index, { name: what, program, slowest, user }] of plays.entries()) {
    const given = [await bundled(program, what), seed + index * 1_000_000, milliseconds / plays.length, commandLine]
    const [command = node, ...line] = [...user, node, ...given.map(String)]
    const { stdout } = await promisify(execFile)(command, line, { maxBuffer: 2 ** 24, timeout: milliseconds + 120_000 })
    const came: Awaited<ReturnType<typeof play>> = JSON.parse(stdout)
    const name = `${what}${user.length === 0 ? "" : " of another user"}`
    problems.push(...came.problems.map((problem) => `${name}: ${problem}`))
    if (came.slowest > slowest) problems.push(`${name}: slowest ${Math.round(came.slowest)} ms, at most ${slowest}`)
    if (came.megabytes > mostMegabytes) problems.push(`${name}: ${came.megabytes} MB, at most ${mostMegabytes}`)
    lines.push(
      `${name}: ${came.played} hostile ones, slowest ${Math.round(came.slowest)} ms, memory ${came.megabytes} MB`
    )
  }
  return { lines, problems }
}

/** `npm run hostile`: asks a hostile server all queries over each HTTP client, in a process with little heap, and beside hostile folders and files. */
import { type ChildProcess, execFile, execFileSync, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Round, Task } from "../packages/client/test/support/hostileCalls.ts"
import type { play } from "../packages/client/test/support/hostileFolder.ts"
import * as Rounds from "../packages/testing/test/support/hostileRounds.ts"
import { bundle } from "./shared/bundle.ts"
import * as Child from "./shared/child.ts"
import * as Script from "./shared/script.ts"

const heapMegabytes = 512

/** How much of the time is for hostile folders and files. */
const forFolders = 1 / 2

const external = ["effect", "effect/*", "@effect/*", "fast-check", "yaml", "node:sqlite"]

/** Bundles a program for any Node: older versions cannot run TypeScript. */
const bundled = (path: string, name: string) =>
  bundle(join(Script.root, path), join(Script.root, "node_modules/.cache/hostile", name), external)

/** Starts a process that asks: of this Node, with a bounded heap, and started again when it dies. */
const start = async (node: string) => {
  const program = await bundled("packages/client/test/support/hostileCalls.ts", "calls")
  const execArgv = ["--expose-gc", `--max-old-space-size=${heapMegabytes}`]
  const fresh = (): ChildProcess => fork(program, { execPath: node, execArgv, stdio: "inherit" })
  const versions = execFileSync(node, ["-p", "process.version + ' ' + process.versions.undici"], { encoding: "utf8" })
  const [version = "", undici = ""] = versions.trim().split(" ")
  let child = fresh()
  return {
    /** The version of Node, and that of undici in it. */
    node: version,
    undici,
    /** Does a task; fails where the process dies, and starts another one. */
    work: (task: Task): Promise<Round> =>
      Child.ask<Round>(child, { ...task }).catch((error: unknown) => {
        child = fresh()
        throw error
      }),
    end: async (): Promise<void> => {
      // A socket that was left open would keep it running.
      child.kill()
      await once(child, "exit")
    }
  }
}

/** The programs that are played beside hostile folders and files, and their bounds in milliseconds: the most that a query may take, or that a command may take longer than with sound files. */
const games = [
  { name: "folders", program: "packages/client/test/support/hostileFolderRun.ts", slowest: 3000 },
  { name: "files", program: "packages/cli/test/support/hostileFilesRun.ts", slowest: 15_000 }
]

/** The most memory, in megabytes. */
const mostMegabytes = 300

/** Runs a program as `nobody`, whose number is the same on all systems that have `setpriv`. */
const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

/** Plays them for the given time, in processes of their own; as a user who owns nothing else too, if this one is root. Returns the lines to print, and the problems. */
const playFolders = async (node: string, seed: number, milliseconds: number) => {
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
    const took = `slowest ${Math.round(came.slowest)} ms`
    if (came.slowest > slowest) problems.push(`${name}: ${took}, at most ${slowest}`)
    if (came.megabytes > mostMegabytes) problems.push(`${name}: ${came.megabytes} MB, at most ${mostMegabytes}`)
    lines.push(`${name}: ${came.played} hostile ones, ${took}, memory ${came.megabytes} MB`)
  }
  return { lines, problems }
}

/** The highest figure of some rounds. */
const worst = (rounds: ReadonlyArray<Round>, name: "late" | "megabytes" | "fibers" | "sockets"): number =>
  Math.max(0, ...rounds.map((round) => round[name]))

/** How long the event loop was blocked, the longest first. */
const stalls = (rounds: ReadonlyArray<Round>): ReadonlyArray<number> =>
  rounds.flatMap((round) => round.stalls).toSorted((left, right) => right - left)

/**
 * The figures over the rounds of a client, and their bounds. One `ofAll` has a bound three times as high on a Node before 24, which measures the work of all
 * threads together only.
 */
const figures: ReadonlyArray<
  readonly [what: string, of: (rounds: ReadonlyArray<Round>) => number, most?: number, ofAll?: "ofAll"]
> = [
  ["queries", (rounds) => rounds.reduce((sum, { queries }) => sum + queries, 0)],
  ["longest stall, ms", (rounds) => stalls(rounds)[0]!, 3000],
  // The second longest, because other work on the machine may cause a single stall; one that a reply causes recurs. The bounds are several times what a
  // quiet machine takes: the same one was three times as slow at another hour.
  ["  next", (rounds) => stalls(rounds)[1]!, 1000],
  // In later rounds, when the code is compiled.
  ["  next, compiled", ([, ...rounds]) => stalls(rounds)[1] ?? 0, 300, "ofAll"],
  // Generous: other work may run on the machine.
  ["latest answer, ms", (rounds) => worst(rounds, "late"), 3000],
  ["memory, MB", (rounds) => worst(rounds, "megabytes"), 2 * heapMegabytes],
  ["  in use at the end", (rounds) => rounds.at(-1)!.kept],
  // For compiled code, and for caches that are bounded.
  ["  more than at first", (rounds) => Math.max(0, rounds.at(-1)!.kept - rounds[0]!.kept), 32],
  ["fibers left", (rounds) => worst(rounds, "fibers"), 0],
  ["sockets left", (rounds) => worst(rounds, "sockets"), 0]
]

Script.run({
  what:
    `Asks a hostile server all queries over each HTTP client, under ${heapMegabytes} MB of heap, and half of the time beside hostile folders and files. Fails where one ends in anything but an answer or a typed error, is late, wrong or leaves something behind.`,
  examples: [
    ["--minutes 10 --seed 1", "for so long"],
    ["--node /usr/bin/node", "under another Node"]
  ]
}, {
  minutes: Script.positive("minutes", "How long to go on", 1),
  seed: Script.seed,
  node: Script.text("node", "The Node to ask with; by default the one that runs this", process.execPath)
}, async ({ minutes, node, seed }) => {
  const child = await start(node)
  // The undici that comes as a package needs a newer Node than 20.
  const isOld = /^v2[0-2]\./.test(child.node)
  const all: ReadonlyArray<Task["client"]> = ["fetch", "node:http", "undici", "commands"]
  const clients = all.filter((client) => !isOld || client !== "undici")
  const progress = Script.progress(0)
  const goesOn = (): boolean => progress.elapsed() < minutes * 60_000 * (1 - forFolders)
  const { asked, kinds, problems, rounds } = await Rounds.play(child, clients, seed, goesOn)
  const folders = await playFolders(node, seed, minutes * 60_000 * forFolders)
  problems.push(...folders.problems)

  const count = (value: number): string => Math.round(value).toLocaleString("en-US")
  const row = (what: string, cells: ReadonlyArray<string>): void =>
    console.log(what.padEnd(24) + cells.map((cell) => cell.padStart(12)).join(""))
  row("", [...rounds.keys()])
  const played = [...rounds.values()]
  for (const [what, of, most = Infinity, ofAll] of figures) {
    const limit = ofAll && isOld ? 3 * most : most
    row(what, played.map((own) => count(of(own))))
    for (const [client, own] of rounds) {
      if (of(own) > limit) problems.push(`${client}: ${what.trim()}: ${count(of(own))}, at most ${limit}`)
    }
  }
  for (const name of new Set(played.flat().flatMap(({ outcomes }) => Object.keys(outcomes)).toSorted())) {
    row(`  ${name}`, played.map((own) => count(own.reduce((sum, { outcomes }) => sum + (outcomes[name] ?? 0), 0))))
  }
  for (const [client, own] of rounds) {
    for (const defect of own.flatMap(({ defects }) => defects)) problems.push(`${client}: ${defect}`)
  }
  for (const problem of problems) console.error(problem)
  for (const line of folders.lines) console.log(line)
  const replies = `${count(asked)} replies of ${kinds} kinds`
  console.log(`seed ${seed}, ${replies}, Node ${child.node}, ${progress.seconds()}: ${problems.length} problems`)
  return problems.length === 0
})

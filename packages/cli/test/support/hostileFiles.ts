/**
 * A program in the place of whose files others have left something: its settings, its token, its ledger, its secret, a plan, a saved reply. `play` runs
 * the commands that read them beside each, and says what went wrong.
 */
import * as Fs from "node:fs"
import { join } from "node:path"
import * as Kinds from "../../../client/test/support/hostileKinds.ts"
import { classes } from "../../src/failure/failure.ts"
import type { Printed } from "./printed.ts"

const asked = "chain AAPL --mode cached --limit 20 --format jsonl"
const looked = "doctor --offline --json"

/** The files of the program below its folder, and the commands that read them. */
const places = {
  settings: ["config.yaml", asked, "config list --json", "config set timeout 20s --json", looked],
  token: ["auth/token", asked, looked, "auth logout --json"],
  keychain: ["auth/keychain", asked, "auth logout --json"],
  auth: ["auth", asked, looked, "auth logout --json"],
  ledger: ["ledger.db", asked, "account --history --json", looked],
  journal: ["ledger.db-wal", asked, "account --history --json"],
  secret: ["cache/account.key", asked, "cache status --json", "cache clear --json"],
  cache: ["cache", asked, "cache status --json", "cache clear --json"],
  home: [".", asked, "config list --json", looked],
  plan: ["plan.yaml", "plan plan.yaml --json"],
  reply: ["reply.json", "chain --reply reply.json --json"]
} as const

type Hostile = Kinds.Hostile<keyof typeof places>

/** A pipe that a person names is waited for: a shell gives one in the place of a file. */
const isMeant = ({ kind, place }: Hostile): boolean => kind === "fifo" && (place === "plan" || place === "reply")

/** Anything hostile in any place. */
export const hostile = Kinds.hostileIn(Kinds.names(places)).filter((one) => !isMeant(one))

/** What some rule of the program is there for. */
export const telling: ReadonlyArray<Hostile> = [
  Kinds.made("fifo", "settings"),
  Kinds.made("endless", "token"),
  Kinds.made("empty", "ledger"),
  Kinds.made("fifo", "journal"),
  Kinds.made("linkToFolder", "cache")
]

/** Runs a command line in a folder; without a code where it did not end. */
export type Run = (
  words: ReadonlyArray<string>,
  variables: Readonly<Record<string, string>>
) => Promise<Omit<Printed, "code"> & { readonly code: number | undefined }>

const codes: ReadonlyArray<number | undefined> = [
  0,
  ...Object.values(classes).map(({ code }) => code).filter((code) => code < 100)
]

const rowsOf = (out: string): number => out.split("\n").filter((line) => line.startsWith("{")).length

/** What is wrong with how a command ended. */
const problemOf = ({ code, errors, out }: Awaited<ReturnType<Run>>, line: string, right: number) => {
  if (code === undefined) return "it does not end"
  if (!codes.includes(code)) return `exit code ${code}: ${errors}`
  if (errors.includes("because of a defect")) return errors
  if (code !== 0 && !/"class":"\w+"/.test(errors)) return `no typed failure: ${errors}`
  if (line !== asked || code !== 0) return undefined
  const length = rowsOf(out)
  return length === right ? undefined : `${length} contracts, and ${right} are right`
}

/** Plays some, one after the other, beside the service at an address. */
export const play = (all: Iterable<Hostile>, run: Run, baseUrl: string) =>
  Kinds.playAll(all, async (one, base) => {
    const home = join(base, "home")
    const paths = (word: string): string => /\.(?:yaml|json)$/.test(word) ? join(home, word) : word
    const variables = {
      MARKETDATA_HOME: home,
      MARKETDATA_BASE_URL: baseUrl,
      MARKETDATA_CACHE: "on",
      MARKETDATA_LEDGER: "on"
    }
    const problems: Array<string> = []
    const timed = async (line: string) => {
      const began = performance.now()
      const came = await run(line.split(" ").map(paths), variables)
      return { ...came, took: performance.now() - began }
    }
    Fs.mkdirSync(join(home, "auth"), { recursive: true, mode: 0o700 })
    const write = (name: string, text: string) => Fs.writeFileSync(join(home, name), text, { mode: 0o600 })
    write("config.yaml", "timeout: 30s\nconfirmAbove: 100\n")
    write("auth/token", `sandbox-paid\n${baseUrl}\n`)
    write("plan.yaml", "- { chain: AAPL, mode: cached }\n")
    write("reply.json", `{"s":"ok","strike":[150],"bid":[1.5]}`)
    const sound = await timed(asked)
    const right = rowsOf(sound.out)
    if (right !== 20) problems.push(`there are ${right} contracts before anything hostile is there`)
    const [name, ...lines] = places[one.place]
    const stranger = { folder: join(base, "stranger"), file: join(base, "stranger", "letter.txt") }
    Fs.mkdirSync(stranger.folder)
    Fs.writeFileSync(stranger.file, "of years ago")
    Fs.utimesSync(stranger.file, 1, 1)
    const before = Kinds.stateOf(stranger.folder)
    Kinds.lay(join(home, name), one, stranger)
    // On a busy machine every command is slow: what counts is how much slower one is beside something hostile.
    let slowest = 0
    for (const line of lines) {
      const came = await timed(line)
      slowest = Math.max(slowest, came.took - sound.took)
      const problem = problemOf(came, line, right)
      if (problem !== undefined) problems.push(`${line}: ${problem}`)
    }
    const letter = JSON.stringify(JSON.parse(before).find(([name]: [string]) => name === "letter.txt"))
    if (!Kinds.stateOf(stranger.folder).includes(letter)) problems.push("touched what is a stranger's")
    return { problems, slowest }
  })

/**
 * A cache on disk in whose folder others have left something, for fast-check: what never ends, is a link, is damaged, is somebody else's or belongs
 * elsewhere, at each place where the cache reads. `play` asks beside each, and says what went wrong.
 */
import { MarketData, ReplyCache } from "@effect-marketdata/client"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer, References } from "effect"
import * as TestClock from "effect/testing/TestClock"
import * as Fs from "node:fs"
import { join } from "node:path"
import { clientOf } from "./clients.ts"
import * as Kinds from "./hostileKinds.ts"
import { chainBody, replying } from "./scripted.ts"

/** What is in the place of what, in a directory whose entries are these. */
const places = {
  entry: (directory: string, [first]: ReadonlyArray<string>) => join(directory, "replies-2", first!),
  unfinished: (directory: string, [first]: ReadonlyArray<string>) =>
    join(directory, "replies-2", `${first}.00000000-0000-0000-0000-000000000000`),
  secret: (directory: string) => join(directory, "account.key"),
  note: (directory: string) => join(directory, "written"),
  folder: (directory: string) => join(directory, "replies-2"),
  directory: (directory: string) => directory
}

type Hostile = Kinds.Hostile<keyof typeof places>

/** Anything hostile in any place. */
export const hostile = Kinds.hostileIn(Kinds.names(places))

/** What some rule of the cache is there for, and few others find. */
export const telling: ReadonlyArray<Hostile> = [
  Kinds.made("linkToSame", "entry"),
  Kinds.made("linkToFolder", "folder"),
  Kinds.made("sparse", "entry"),
  Kinds.made("open", "folder")
]

/** How many contracts the chain of a day has: so a wrong answer is seen. */
const contracts = { "2026-11-17": 3, "2026-11-18": 4 } as const

const quoted = 1_795_208_000

/** Asks for the chain of a day in a program of its own, and says how many contracts it has and where they came from. */
const ask = (directory: string, date: keyof typeof contracts) => {
  const http = replying((url) => ({
    status: 203,
    body: chainBody(contracts[url.searchParams.get("date") as keyof typeof contracts])
  }))
  const cache = ReplyCache.layerDisk({ directory, maxBytes: 10_000_000, account: "desk" })
  const layer = clientOf(http).pipe(Layer.provide(cache), Layer.provide(NodeServices.layer))
  return Effect.gen(function*() {
    yield* TestClock.setTime(quoted * 1000)
    const { data, provenance } = yield* MarketData.optionChain("AAPL", { date, assume: { contracts: 9 } }).pipe(
      Effect.provide(Layer.fresh(layer))
    )
    return { isRight: data.length === contracts[date], source: provenance.source }
  }).pipe(Effect.provide([TestClock.layer(), Layer.succeed(References.MinimumLogLevel, "None")]))
}

/** Plays one, and returns what went wrong, and how long the slowest query took in milliseconds. */
const playOne = async (one: Hostile, base: string): Promise<Kinds.Came> => {
  const problems: Array<string> = []
  let slowest = 0
  const run = async (what: string, effect: Effect.Effect<unknown, unknown>): Promise<unknown> => {
    const began = performance.now()
    const exit = await Effect.runPromiseExit(effect)
    slowest = Math.max(slowest, performance.now() - began)
    if (Exit.isSuccess(exit)) return exit.value
    if (Cause.hasDies(exit.cause)) problems.push(`${what}: ${Cause.pretty(exit.cause)}`)
    return undefined
  }
  const asks = async (): Promise<void> => {
    for (const date of Kinds.names(contracts)) {
      const answer = await run(`asking for ${date}`, ask(directory, date)) as { readonly isRight: boolean } | undefined
      if (answer?.isRight !== true) {
        problems.push(`asking for ${date}: ${answer === undefined ? "no" : "a wrong"} answer`)
      }
    }
  }
  const directory = join(base, "cache")
  await asks()
  const entries = Fs.readdirSync(join(directory, "replies-2")).toSorted()
  // A stranger's folder looks like a cache, and has an entry under a name that is not its own.
  const stranger = { folder: join(base, "stranger"), file: join(base, "stranger", "other.reply") }
  Fs.cpSync(join(directory, "replies-2"), stranger.folder, { recursive: true })
  Fs.copyFileSync(join(directory, "replies-2", entries[1]!), stranger.file)
  Fs.writeFileSync(join(stranger.folder, "letter.txt"), "of years ago")
  Fs.utimesSync(join(stranger.folder, "letter.txt"), 1, 1)
  const before = Kinds.stateOf(stranger.folder)
  Kinds.lay(places[one.place](directory, entries), one, stranger)
  await asks()
  for (const look of [ReplyCache.checkDisk, ReplyCache.diskStatus, ReplyCache.clearDisk]) {
    await run("looking", Effect.provide(look(directory) as Effect.Effect<unknown, unknown>, NodeServices.layer))
  }
  await asks()
  // One hard link more or less is none of what the file says.
  const after = Kinds.stateOf(stranger.folder)
  if (after !== before) problems.push(`touched what is a stranger's: ${after}`)
  return { problems, slowest }
}

/** Plays some, one after the other. */
export const play = (all: Iterable<Hostile>) => Kinds.playAll(all, playOne)

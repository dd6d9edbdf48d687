/** `npm run takeover`: kills the machine that sends for all, and what else may befall it, and compares the ledger with the service's bill. */
import { Effect, Random, Record } from "effect"
import * as Postgres from "../packages/cluster/test/takeover/postgres.ts"
import * as Proof from "../packages/cluster/test/takeover/proof.ts"
import * as Service from "../packages/sql/test/crashes/service.ts"
import * as Script from "./shared/script.ts"

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

const count = (name: string, what: string) => Script.whole(name, what, 0, 0)

const distance = "How long a round trip to the database takes, in milliseconds; with --faults 1, 6 or 50 by the seed"

Script.run({
  what:
    "Runs three machines with one account over a PostgreSQL server of its own. Each has an address of its own, and the service blocks an " +
    "account that is used from two. The machine that sends is killed, stopped and cut off, and so is the database. Fails where an address was " +
    "blocked, a request was sent twice, a credit was billed that is not in the ledger, or the service was not asked again in time.",
  examples: [
    ["--kills 200", "kills the machine that sends, over and over"],
    ["--queries 500 --crashes 50 --callers 1", "kills machines that work on a job"],
    ["--cuts 2 --outages 1", "cuts it off from the database, and stops the database for 30 seconds"],
    ["--faults 100 --seed 7", "100 faults of all kinds and one of three distances to the database, drawn by the seed"],
    ["--alone", "the control: each machine asks for itself"]
  ]
}, {
  times: Record.map(Proof.troubles, ([flag, what]) => count(flag, what)),
  faults: count("faults", "How many faults are drawn by the seed, of all kinds but the longest"),
  roundTrip: Script.whole("round-trip", distance, undefined, 0),
  within: Script.whole("within", "Within how many seconds after a fault the service has to be asked again", 15),
  queries: count("queries", "A job of so many queries, which the machines do meanwhile; it is over before they end"),
  callers: Script.whole("callers", "How many callers each machine has", 5),
  fixed: Script.toggle("fixed", "A machine that starts again keeps its address, and may be held back for 5 minutes"),
  alone: Script.toggle("alone", "Without the gateway: each machine asks for itself"),
  seed: Script.seed
}, ({ alone, callers, faults, fixed, queries, roundTrip: exact, seed, times, within }) =>
  Effect.gen(function*() {
    const far = yield* Random.choice([1, 6, 50])
    const drawn = yield* Effect.replicateEffect(Random.choice(Proof.drawn), faults)
    const given = Proof.names.flatMap((trouble) => Array.from({ length: times[trouble] }, () => trouble))
    const troubles = yield* Random.shuffle([...drawn, ...given])
    const roundTrip = exact ?? (faults > 0 ? far : 0)
    const progress = Script.progress(15)
    const asking = alone ? "each for itself" : "one gateway"
    console.log(`seed ${seed}: 3 machines of ${callers} callers, ${asking}, ${roundTrip} ms from the database`)
    const service = yield* Service.start("100 millis")
    const database = yield* Postgres.start
    const plan = { troubles, isGateway: !alone, isMoving: !fixed, callers, queries, roundTrip, soon: within * 1000 }
    const tell = (text: string) => progress.tell(console.log, () => text)
    const played = yield* Proof.play(plan, service, database, tell)
    const { blocked, books, complaints, job, largest, outcomes, silences, slowest } = played
    for (const complaint of complaints) console.log(complaint)
    for (const trouble of Proof.names) {
      const sorted = silences.filter(([of]) => of === trouble).map(([, silence]) => silence).toSorted((a, b) => a - b)
      if (sorted.length === 0) continue
      const [half, many, most] = [0.5, 0.9, 1].map((part) => seconds(sorted[Math.ceil(sorted.length * part) - 1]!))
      const within = `within ${half} half the times, ${many} 9 of 10 times, ${most} always`
      console.log(`${sorted.length} × ${trouble}: the service was asked again ${within}`)
    }
    if (job !== undefined) console.log(`a job of ${queries} queries: ${JSON.stringify(job)}`)
    const { billed, charged, requests, uncertain } = books
    const asked = `${requests} requests, ${blocked} refused because of their address`
    const bill = `${billed} credits billed, ${charged} charged and ${uncertain} uncertain in the ledger`
    const most = `the slowest after ${seconds(slowest)}; at most ${Math.round(largest / 1e6)} MB`
    const end = `${complaints.length} complaints; ${progress.seconds()}`
    console.log([asked, bill, JSON.stringify(outcomes), most, end].join("; "))
    return alone ? blocked > 0 : complaints.length === 0
  }).pipe(Effect.scoped, Random.withSeed(seed)))

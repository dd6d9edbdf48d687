/** `npm run crashes`: kills programs that share one budget in a database, and compares its ledger with the bill. */
import { Effect, Random } from "effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as Books from "../packages/sql/test/crashes/books.ts"
import * as Database from "../packages/sql/test/crashes/database.ts"
import * as Round from "../packages/sql/test/crashes/round.ts"
import * as Service from "../packages/sql/test/crashes/service.ts"
import { folder } from "../packages/sql/test/support/databases.ts"
import * as Script from "./shared/script.ts"

/** How many programs are killed in a round. */
const perRound = 10

Script.run({
  what:
    "Kills programs that share one budget in a database, and compares its ledger with the service's bill. Fails where a credit was " +
    "billed that is not in the ledger, or more than the budget was spent.",
  examples: [
    ["--kills 200", "so many programs, ten for each budget"],
    ["--database postgresql://me@127.0.0.1/mine", "in PostgreSQL; in a file of SQLite by default"]
  ]
}, {
  kills: Script.whole("kills", "How many programs to kill", 20),
  programs: Script.whole("programs", "How many programs share a budget", 4),
  callers: Script.whole("callers", "How many callers each of them has", 250),
  database: Script.text("database", "The URL of a PostgreSQL database; a file of SQLite by default", ""),
  seed: Script.seed
}, ({ callers, database, kills, programs, seed }) =>
  Effect.gen(function*() {
    const run = randomUUID()
    const place = database === "" ? join(yield* folder, "credits.db") : database
    const kind = Database.isServer(place) ? "PostgreSQL" : "SQLite"
    console.log(`seed ${seed}: ${kind}, ${programs} programs of ${callers} callers for each budget, ${kills} kills`)
    const progress = Script.progress(15)
    const service = yield* Service.start("30 millis")
    const all: Array<Books.Books> = []
    let wrong = 0
    const every = { database: place, programs, callers, allowance: programs * callers * 2, leaseSeconds: 5 }
    // A server is slower than a file: the first callers are answered later.
    const killWithin = Database.isServer(place) ? 20_000 : 2500
    for (let round = 1; (round - 1) * perRound < kills; round++) {
      // A database may have budgets of earlier runs, so names are unique to this one.
      const own = { name: `round ${round} of ${run}`, seed: `${seed} ${round}` }
      const plan = { ...every, ...own, killWithin, kills: Math.min(perRound, kills - (round - 1) * perRound) }
      const { books, outcomes } = yield* Round.play(plan, service)
      all.push(books)
      const complaints = Books.complaints(books)
      wrong += complaints.length
      for (const complaint of complaints) console.log(`round ${round}: ${complaint}`)
      const { allowance, billed, charged, requests, uncertain } = books
      const asked = `round ${round}: ${requests} requests, ${billed} billed of ${allowance}`
      const ledger = `${charged} charged and ${uncertain} uncertain in the ledger`
      console.log([asked, ledger, JSON.stringify(outcomes), progress.seconds()].join("; "))
    }
    const sum = (name: Exclude<keyof Books.Books, "allowance">) => all.reduce((total, books) => total + books[name], 0)
    const ledgers = `${sum("charged")} charged and ${sum("uncertain")} uncertain in the ledgers`
    const failed = `${sum("overdrawn")} overdrawn, ${sum("lost")} requests lost, ${wrong} complaints`
    const asked = `${kills} kills, ${sum("requests")} requests: ${sum("billed")} credits billed`
    console.log(`${asked}, ${ledgers}, ${failed}; ${progress.seconds()}`)
    return wrong === 0
  }).pipe(Effect.scoped, Random.withSeed(seed)))

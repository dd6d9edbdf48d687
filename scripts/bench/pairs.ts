/**
 * The benches whose figures are pairs, of a subject and a baseline: beside a server that sends prepared bytes, so that what is measured is the client
 * and the transport that both share.
 */
import * as Process from "./process.ts"
import * as Report from "./report.ts"
import { medians, pair, type Paired } from "./statistics.ts"

/** A case: its bounds, and how it is measured with a server at a port, for some milliseconds. */
interface Case extends Report.Bounds {
  readonly name: string
  readonly unit: string
  readonly measure: (port: number, milliseconds: number) => Promise<Paired>
  readonly also?: (pairs: ReadonlyArray<Paired>) => Partial<Report.Row>
}

const bench = (runs: number, cases: ReadonlyArray<Case>): Report.Bench => ({
  runs,
  measure: async function*(how) {
    for (const { also, measure, name, unit, ...bounds } of cases) {
      const pairs = await Process.besideReplies(how.runs, (port) => measure(port, how.milliseconds * 3))
      yield { ...Report.paired(name, unit, pairs, bounds), ...also?.(pairs) }
    }
  }
})

/** Measures both by turns in one process; `work` names the pair in the worker. */
const inOne = (program: string, ...work: ReadonlyArray<string | number>): Case["measure"] => (port, milliseconds) =>
  Process.ask({ program }, work[0]!, port, milliseconds, ...work.slice(1))

/** The baseline and the subject in a process each, with the packages as they are published. */
const apart = (baseline: string, subject: string): Case["measure"] => async (port) => {
  const published = { program: "start", flags: [] }
  return pair(await Process.ask(published, baseline, port), await Process.ask(published, subject, port))
}

/**
 * Whole calls, with spans, ledger, retries and limits on: the largest chain against plain `fetch` and `JSON.parse`, one quote against the bare HTTP
 * client, and many that begin at once against as many of which 50 are on their way. A quote is measured in a process that has made about 10,000 calls,
 * after which V8 has compiled all that a call runs, and in a process that has just started.
 */
export const call = bench(5, [
  { name: "22718", unit: "× fetch + JSON.parse", limit: 0.4, measure: inOne("call", "22718") },
  { name: "one-quote", unit: "× HttpClient", limit: 1.25, measure: inOne("call", "one-quote", 3) },
  { name: "one-quote-at-first", unit: "× HttpClient", limit: 1.35, measure: inOne("call", "one-quote", 1 / 3) },
  { name: "4000-at-once", unit: "× 50 at a time", limit: 1.5, measure: inOne("call", "4000-at-once") }
])

/**
 * The largest chain from a cache in memory, and from one on disk, against the same call without a cache; and the first answer of a program beside many
 * small entries, against that beside none.
 */
export const cache = bench(5, [
  { name: "22718-hit", unit: "× fetch and decode", limit: 0.5, measure: inOne("call", "22718-hit") },
  { name: "22718-hit-disk", unit: "× fetch and decode", limit: 1, measure: inOne("call", "22718-hit-disk") },
  { name: "first-beside-100000", unit: "× beside none", limit: 1.2, measure: inOne("call", "first-beside-100000") }
])

/** PostgreSQL is measured where `MARKETDATA_TEST_POSTGRES` names a server. */
const servers = process.env["MARKETDATA_TEST_POSTGRES"] === undefined ? [] : ["postgresql"]
const databases = ["sqlite", ...servers]

/** How many callers ask at once in the benches of the ledger, and how many steps a query of one request has. */
const [callers, steps] = [50, 4]

const stepsPerSecond = (pairs: ReadonlyArray<Paired>): Partial<Report.Row> => {
  const usual = medians(pairs)
  const perSecond = Math.round(1000 * callers * steps / usual.baseline)
  const bare = Math.round(1000 * callers * steps / usual.subject)
  return { beside: `${perSecond} steps/s, ${bare} bare`, also: { perSecond, bare } }
}

/** The steps of queries in a database, and how long a round trip to it takes, where that is set. */
const operations = (...place: ReadonlyArray<string>): Case => {
  const name = ["operations", ...place].join("-")
  const measure = inOne("ledger", "operations", ...place)
  return { name, unit: "× bare transactions", floor: 10, measure, also: stepsPerSecond }
}

const smallCall = (database: string): Case => {
  const limit = database === "sqlite" ? 1.5 : undefined
  return { name: `small-call-${database}`, unit: "× memory", limit, measure: inOne("ledger", "call", database) }
}

/**
 * The ledger in a database, for 50 callers at once: the steps of a query of one request, which are reserved, marked as sent, charged and settled, against
 * as many bare transactions. A server is asked over a connection of 10 ms too. Then a small call, with ledger and guard in the database against both in
 * memory. SQLite waits for the disk; so must the server: start it with `.ci/postgres start FOLDER on`.
 */
export const ledger = bench(3, [
  ...databases.map((database) => operations(database)),
  ...servers.map((server) => operations(server, "10ms")),
  ...databases.map(smallCall)
])

const stall = (name: string): Case => ({ name, unit: "× 50 ms", limit: 1, measure: inOne("ledger", "stall", name) })

/**
 * For how long a program does nothing else while it uses a ledger of a million events and 10,000 open reservations in SQLite, which answers in the program's
 * own thread: a step, the opening by another program, what was spent, the first 1,000 events, and the events of a program that has none.
 */
export const stalls = bench(1, ["step", "opening", "spending", "history", "history-of-nobody"].map(stall))

/**
 * One quote, and the largest chain, through the gateway against a client of one's own, and how many quotes are answered while 50 callers ask 20 each, one
 * after the other. In one process caller and runner share it; in two and three they find each other through a file of SQLite, and speak over sockets.
 * With three there are two runners, of which one has the account.
 */
export const cluster = bench(
  3,
  [2, 1, 3].flatMap((processes): ReadonlyArray<Case> => {
    const suffix = processes === 2 ? "" : `-${processes}`
    const measure = (name: string) => inOne("cluster", name, processes)
    return [
      { name: `small-call${suffix}`, unit: "× direct", limit: 2, measure: measure("small-call") },
      { name: `22718-gateway${suffix}`, unit: "× direct", limit: 2, measure: measure("22718-gateway") },
      { name: `throughput${suffix}`, unit: "× direct", floor: 0.5, measure: measure("throughput") }
    ]
  })
)

/**
 * Beginnings: what importing core and the client adds to what a program of Effect loads anyway, and the first call of a process against one that only
 * fetches and parses.
 */
export const start = bench(15, [
  { name: "import-core", unit: "× import of Effect", limit: 1.25, measure: apart("effect", "core") },
  { name: "import-client", unit: "× import of Effect", limit: 1.5, measure: apart("effect", "client") },
  { name: "92-first-call", unit: "× HttpClient", limit: 1.5, measure: apart("bare-call", "own-call") }
])

/** The rooms of the house: what each package may import, and which file stands in which of them. */
import { relative, sep } from "node:path"

/**
 * The folders of a package, the lowest first, each with what stands there: a module imports from its own floor and from those below. `index.ts`
 * imports from all. Nothing is asked of a package without floors.
 */
export type Floors = Readonly<Record<string, string>>

export interface Room {
  /** The packages it may import. */
  readonly imports: ReadonlyArray<string>
  /** Whether it may use Node: otherwise it runs in a browser too. */
  readonly node: boolean
  /** Whether it keeps to what Effect promises not to break in a minor release. */
  readonly stable: boolean
  /** Whether others build on its modules: each then shows how. */
  readonly library: boolean
  readonly floors: Floors
}

const core: Floors = {
  text: "quoting, redaction, the text codec of value modules",
  columns: "the decoding engine, which knows nothing of options",
  time: "dates, New York time, the trading calendar",
  symbol: "strikes, option symbols, expirations",
  account: "what an account may see, and how fresh",
  reason: "every failure as data",
  query: "what an endpoint is, what a query is",
  credits: "tariff, estimate, charge, ledger",
  chain: "an option chain's columns and comparisons",
  endpoints: "a file for each endpoint, and the list of them",
  reply: "replies, retries, where they came from",
  plan: "workloads, the choice of a data mode",
  schema: "values of this library as JSON, and back"
}

const client: Floors = {
  config: "what a program sets, and the token",
  policy: "how and on what terms queries are asked; consent to pay",
  error: "what can go wrong",
  account: "the ledger of credits, the guard of the address",
  asking: "a query on its way, and what it shares with others",
  sending: "requests on the wire, replies while they arrive",
  telemetry: "spans, metrics and logs",
  cache: "replies that are kept and answer again, sizes of chains that are remembered",
  pipeline: "one query from its price to its answer",
  endpoints: "the accessors, one row of many",
  client: "the client and its streams"
}

const sandbox: Floors = {
  market: "prices, listings and calendars, made from a seed",
  wire: "what goes over a connection",
  account: "who may ask, and what they were billed",
  request: "what is asked, by whom, and what is refused",
  view: "what the asker may see of the market, and when",
  endpoints: "what each endpoint finds",
  service: "from a request to a reply",
  fault: "what can be made to go wrong",
  server: "the service on a port"
}

const testing: Floors = {
  harness: "laws for any runner, a client over the sandbox, expectations",
  arbitraries: "what is drawn: values, queries, replies, hostile ones",
  laws: "what holds for whatever is drawn",
  model: "stories that client and model must tell alike",
  simulation: "days of desks that ask, under a virtual clock",
  contract: "what a service must keep, asked by price"
}

const sql: Floors = {
  database: "an embedded database, the tables, and what can be wrong with either",
  retries: "how many retries are left to an account, in a database",
  address: "which address of an account may send, in a database",
  ledger: "the ledger of credits in a database, and its history",
  sizes: "sizes of chains in a database"
}

const cluster: Floors = {
  wire: "what goes between a caller and the gateway",
  turns: "whose call is next",
  gateway: "one account's calls, from all machines, in one place",
  runner: "a machine that may send, and how it is doing",
  job: "lists of queries that outlive their process"
}

/** What stands above `commands` is loaded when a command runs, and nothing else imports it: so the program starts without it. */
const cli: Floors = {
  text: "texts that no terminal obeys, columns, amounts and ages",
  failure: "every failure with its exit code and what to do next",
  settings: "the file of settings, the kept token, the keychain, variables",
  output: "data on standard output, in each format",
  views: "how data look to people",
  asking: "the flags, consent and connection of a command that asks",
  commands: "the commands: their flags, help and examples",
  queries: "from the flags of a command to its query and view",
  symbol: "symbols in parts, and what was probably meant",
  plans: "schedules, files of tasks, and what they cost",
  jobs: "what the other commands do",
  ".": "the program"
}

export const rooms: ReadonlyMap<string, Room> = new Map([
  ["core", { imports: [], node: false, stable: true, library: true, floors: core }],
  ["client", { imports: ["core"], node: false, stable: false, library: true, floors: client }],
  ["sandbox", { imports: ["core"], node: true, stable: false, library: true, floors: sandbox }],
  ["testing", { imports: ["core", "client", "sandbox"], node: false, stable: false, library: true, floors: testing }],
  ["sql", { imports: ["core", "client"], node: true, stable: false, library: true, floors: sql }],
  ["cluster", { imports: ["core", "client", "sql"], node: true, stable: false, library: true, floors: cluster }],
  ["cli", {
    imports: ["core", "client", "sandbox", "testing", "sql"],
    node: true,
    stable: false,
    library: false,
    floors: cli
  }]
])

/** A file of a package: `core`, `src`, `columns/Column.ts`. */
export interface Place {
  readonly package: string
  readonly folder: string
  readonly path: string
}

/** Returns where under packages/ a file stands, or undefined when it stands elsewhere. */
export const placeOf = (root: string, file: string): Place | undefined => {
  const [top, name, folder, ...path] = relative(root, file).split(sep)
  return top === "packages" && name !== undefined && folder !== undefined
    ? { package: name, folder, path: path.join("/") }
    : undefined
}

/** True for a module that other packages can import: its name begins with a capital, and that of a module for its package alone does not. */
export const isPublicModule = ({ folder, path }: Place): boolean =>
  folder === "src" && /^[A-Z][^/]*\.ts$/.test(path.split("/").at(-1) ?? "")

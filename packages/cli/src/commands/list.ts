/** All commands, in the order of the help. Only the module of the typed command is loaded; the others need a name and a description. */
import { Array as Arr, Effect } from "effect"
import * as Command from "effect/cli/Command"
import { type Askable, type Example, type Loaded, loaded, type Row } from "../call/command.ts"
import { wrong } from "../failure/failure.ts"
import { Output } from "../output/output.ts"
import * as Flags from "../text/flags.ts"

/** The words of a command as the name of its export: `stock bulk-candles` is `stockBulkCandles`. */
type Export<Words extends string> = Words extends `${infer First} ${infer Rest}` ? `${First}${Capitalize<Export<Rest>>}`
  : Words extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Export<Rest>>}`
  : Words

/** Makes the rows of commands that a module exports, of their descriptions by their words. */
const rowsOf = <Words extends string, Module extends { readonly [Name in Export<Words>]: unknown }>(
  load: () => Promise<Module>,
  descriptions: { readonly [Name in Words]: string }
): ReadonlyArray<Row<Module[Export<Words>]>> =>
  Object.entries<string>(descriptions).map(([name, description]) => ({
    name,
    description,
    load: () => load().then((module) => module[exportOf(name) as Export<Words>])
  }))

const exportOf = (words: string): string => words.replaceAll(/[ -](.)/g, (_, letter: string) => letter.toUpperCase())

const listed = () => import("./listed.ts")

/** The commands that ask a query, each also a command under `estimate`, and a task of a plan. */
export const queryCommands: ReadonlyArray<Row<Askable>> = [
  ...rowsOf(() => import("./options.ts"), {
    "chain": "Fetch an option chain",
    "quote": "Fetch quotes of options"
  }),
  ...rowsOf(listed, {
    "lookup": "Find the symbol of a contract by its description",
    "expirations": "List the expirations of an underlying's options",
    "strikes": "List the strikes of an underlying's options, by expiration"
  }),
  ...rowsOf(() => import("./stock.ts"), {
    "stock quote": "Fetch quotes of stocks",
    "stock prices": "Fetch prices of stocks: the middle between bid and ask",
    "stock candles": "Fetch the candles of one stock: open, high, low, close, volume",
    "stock bulk-candles": "Fetch the candle of one day of many stocks",
    "stock news": "Fetch news about a company",
    "stock earnings": "Fetch the earnings of a company, reported and expected",
    "fund candles": "Fetch the candles of a fund: open, high, low, close"
  }),
  ...rowsOf(listed, { "market status": "Ask on which days the market is open" })
]

/** The commands besides those that ask. */
const others: ReadonlyArray<Row<Loaded>> = [
  ...rowsOf(() => import("./look.ts"), {
    "look":
      "Draw an option chain as a page in your browser: ladder, smile, term structure, open interest and volume, payoff of legs that you choose"
  }),
  ...rowsOf(() => import("./plan.ts"), { "plan": "Price a file of queries on a schedule, without sending them" }),
  ...rowsOf(() => import("./run.ts"), {
    "run": "Fetch the past days of a plan, each once, and keep the tables in a folder"
  }),
  ...rowsOf(() => import("./plan.ts"), { "planner": "Open the page that prices a workload as you type" }),
  ...rowsOf(() => import("./symbol.ts"), {
    "symbol parse": "Print the parts of option symbols",
    "symbol format": "Make an option symbol from its parts",
    "symbol explain": "Say what each part of a symbol means or, if it is wrong, why and what was probably meant"
  }),
  ...rowsOf(() => import("./account.ts"), {
    "account":
      "Show the credits that are left, when the allowance renews, and what the account may see, for free. With --history, show what was spent"
  }),
  ...rowsOf(() => import("./cache.ts"), {
    "cache status":
      "Show where replies are kept, how many there are and how large, of when, of which commands, and what is damaged",
    "cache clear": "Remove all replies that are kept. What was spent stays recorded"
  }),
  ...rowsOf(() => import("./auth.ts"), {
    "auth login":
      "Keep the token of your account: in the keychain of this system, else in a file that only you can read. The command asks for it, or reads it from standard input; never type it on the command line, where others can read it",
    "auth logout": "Remove the token that `auth login` stored",
    "auth status":
      "Say whether there is a token, where it is kept, and whether the service accepts it. The token is never shown"
  }),
  ...rowsOf(() => import("./config.ts"), {
    "config list": "Show every setting, its value and where it comes from",
    "config get": "Print the value of a setting, and nothing where it is not set",
    "config set": "Set a value in the file of settings; its comments stay",
    "config unset": "Remove a value from the file of settings",
    "config path": "Print where the file of settings is, or would be"
  }),
  ...rowsOf(() => import("./doctor.ts"), {
    "doctor":
      "Check settings, token, network, clock and account. It costs no credits. Exits with 1 if something has to be fixed"
  }),
  ...rowsOf(() => import("./sandbox.ts"), {
    "sandbox": "Serve the simulated service on this machine, until Ctrl-C stops it"
  }),
  ...rowsOf(() => import("./mcp.ts"), {
    "mcp":
      "Serve agents over the Model Context Protocol; each call is priced before it is sent, and kept within a budget"
  }),
  ...rowsOf(() => import("./contract.ts"), {
    "contract":
      "Check, clause by clause, whether a service keeps the contract. Exits with 1 if a clause is broken, and with 9 without a verdict: no service answers, the token is not accepted, or no clause holds"
  })
]

/** Makes the command that asks. */
const ask = ({ call, display = {}, examples, flags, savedReply }: Askable): Loaded =>
  loaded({
    flags: { call: flags, display, common: Flags.common },
    examples,
    run: Effect.fnUntraced(function*(input) {
      const { ask, show } = yield* Effect.promise(() => import("../call/ask.ts"))
      const saved = savedReply?.(input.call, input.display)
      yield* saved === undefined ? ask(call(input.call, input.display), input.common) : show(saved, input.common)
    })
  })

const rows: ReadonlyArray<Row<Loaded>> = [
  ...queryCommands.map(({ load, ...row }): Row<Loaded> => ({ ...row, load: () => load().then(ask) })),
  ...queryCommands.map(({ description, load, name }): Row<Loaded> => ({
    name: `estimate ${name}`,
    description: `Price without sending: ${description}`,
    load: () =>
      Promise.all([load(), import("../plans/estimate.ts")]).then(([askable, { estimate }]) => estimate(name, askable))
  })),
  ...others
]

/** What the groups of commands are about; those of `estimate` are about the same. */
const groups: Readonly<Record<string, string>> = {
  stock: "Quotes, prices, candles, news and earnings of stocks",
  fund: "Candles of funds",
  market: "The days on which the market is open",
  estimate:
    "Price a query without sending it: in each mode, for a schedule (--when), against a budget (--budget), for data that are fresh enough (--fresh-within)",
  symbol: "Parse, make and explain option symbols",
  cache: "See and clear the replies that are kept on this machine",
  auth: "Store or remove the token of your account",
  config: "See and change the settings"
}

/** The rows below a prefix, grouped by the next word: one command, or those of a group. */
const below = (words: string) =>
  Arr.groupBy(
    rows.filter(({ name }) => words === "" || name.startsWith(`${words} `)),
    ({ name }) => name.slice(words === "" ? 0 : words.length + 1).split(" ")[0]!
  )

/** Whether a command is loaded: the one that is typed, or all for the wizard and completions, which need the flags of all. */
const isWanted = (typed: ReadonlyArray<string>): (name: string) => boolean => {
  if (typed.some((word) => /^--(?:wizard|completions)\b/.test(word))) return () => true
  let at = ""
  for (const word of typed) {
    const next = `${at} ${word}`.trim()
    if (rows.some(({ name }) => name === next || name.startsWith(`${next} `))) at = next
  }
  return (name) => name === at
}

const exampleOf = (name: string) => ([line, description]: Example) => ({
  command: line.includes("marketdata ") ? line : `marketdata ${name} ${line}`.trimEnd(),
  description
})

/** Refuses `--format svg` for commands other than `look`. */
const noPicture = Effect.gen(function*() {
  if (!(yield* Output).isPicture) return
  const message = "--format svg is of `marketdata look` alone. Nothing was sent."
  return yield* wrong("NoPicture", message, "marketdata look SPX --format svg")
})

const made = Effect.fnUntraced(function*({ description, load, name }: Row<Loaded>, word: string, isWanted: boolean) {
  if (!isWanted) return Command.withDescription(Command.make(word), description)
  const { examples, flags, help, run } = yield* Effect.promise(load)
  return Command.make(word, flags, (input) => name === "look" ? run(input) : Effect.andThen(noPicture, run(input)))
    .pipe(
      Command.withDescription(help ?? description),
      Command.withShortDescription(description),
      Command.withExamples(examples.map(exampleOf(name)))
    )
})

/** Makes the commands below some words. */
const commandsBelow = (words: string, wanted: (name: string) => boolean): Effect.Effect<ReadonlyArray<AnyCommand>> =>
  Effect.forEach(Object.entries(below(words)), ([word, [row, ...rest]]) => {
    const name = `${words} ${word}`.trim()
    if (rest.length === 0 && row.name === name) return made(row, word, wanted(name))
    const group = Command.withDescription(Command.make(word), groups[word]!)
    return Effect.map(commandsBelow(name, wanted), (commands) => Command.withSubcommands(group, commands))
  })

type AnyCommand = Effect.Success<ReturnType<typeof made>>

/** The commands; only the typed one has its flags. */
export const commands = (typed: ReadonlyArray<string>) => commandsBelow("", isWanted(typed))

const inGroups = rows.filter(({ name }) => name.includes(" ") && !name.startsWith("estimate "))

/** The commands of groups by their names, for who types the name alone; those of `estimate` have the same. */
export const places = inGroups.map(({ name }) => ({ name: name.split(" ").at(-1)!, typed: `marketdata ${name}` }))

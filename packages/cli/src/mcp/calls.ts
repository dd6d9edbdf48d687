/** Tools that may spend: each asks by a command, from whose declaration come its arguments, query, price and rows. */
import { DataMode } from "@effect-marketdata/core"
import { Array as Arr, Effect, Option, Record, Schema } from "effect"
import * as Sizes from "../call/sizes.ts"
import { queryCommands } from "../call/queries.ts"
import { wrong } from "../failure/failure.ts"
import * as FlagValues from "../plans/flagValues.ts"
import { toTools } from "./answer.ts"
import * as Given from "./parameters.ts"

/** Defaults of arguments that differ from those of the command. */
const usual = { strikes: 10, dte: 30, countback: 1 }

const leftOut: Readonly<Record<string, string>> = {
  strikes: `; ${usual.strikes} by default`,
  dte: `; ${usual.dte} if neither this nor expiration is given`,
  date: "; 1 credit for each 1,000 contracts, whatever the mode",
  countback: `; of news and earnings ${usual.countback} by default`
}

/** What is said of `mode` where there are cached data, which are the default then. */
const cachedFirst =
  "Which data to ask for; cached by default: minutes old, at most 1 credit, of quote 1 for each contract. live and delayed cost a credit for each contract or symbol"

/** The flag that an argument becomes. */
const flagOf = (name: string): string =>
  ({ strikes: "strike-limit", symbols: "symbol" })[name] ?? name.replaceAll("_", "-")

/** The schema of an argument, from the flag of the command. */
const ruleOf = (name: string, flags: ReadonlyArray<FlagValues.Named>, own?: string) => {
  const { kind, param } = flags.find((flag) => flag.name === flagOf(name))!
  const { description, primitiveType } = FlagValues.singleOf(param)
  const { choiceKeys: choices } = primitiveType as { readonly choiceKeys?: ReadonlyArray<string> }
  const said = Option.getOrElse(description, () => "")
  const rule = { Int: Schema.Int, Finite: Schema.Finite }[primitiveType._tag] ??
    (choices === undefined ? Given.text(said, 40) : Schema.Literals(choices))
  const usually = choices?.includes("cached") ? cachedFirst : said + (leftOut[name] ?? "")
  const told = { description: own ?? toTools(usually) }
  const all: Schema.Top = name === "symbols"
    ? Schema.Array(rule).check(Schema.isMinLength(1), Schema.isMaxLength(50)).annotate(told)
    : rule.annotate(told)
  return kind === "argument" ? all : Schema.optionalKey(all)
}

/** A command that a tool asks by: its flags, and the call that it makes of arguments. */
const commandOf = Effect.fnUntraced(function*(name: string) {
  const { call, flags } = yield* Effect.promise(queryCommands.find((row) => row.name === name)!.load)
  const { named, read } = FlagValues.reader(flags)
  const has = (name: string) => named.some((flag) => flag.name === name)
  const callOf = Effect.fnUntraced(function*(given: Readonly<Record<string, unknown>>) {
    const values = Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[flagOf(name), Arr.ensure(value).map(String)] as const]
    )
    const { input, refused: [refused] } = yield* read(new Map(values))
    const [strange] = values.filter(([name]) => !has(name))
    // A command that takes one symbol would silently take the first of a list.
    const takesOne = (name: string) => named.some((one) => one.name === name && !one.isVariadic)
    const isList = values.some(([name, texts]) => texts.length > 1 && takesOne(name))
    const message = refused?.error.message ?? (strange && `${toTools(`--${strange[0]}`)} says nothing here.`) ??
      (isList ? "symbols must be a list of one symbol here: make a call for each." : undefined)
    return yield* message === undefined ? call(input) : wrong("InvalidArguments", `${message} Nothing was sent.`)
  })
  return { named, callOf, hasCached: has("max-age"), untrusted: name === "stock news" || name === "stock earnings" }
})

/** The arguments of a tool, by the flags of its commands. */
const parametersOf = ({ by, commands, says, takes }: Given.Spending, flags: ReadonlyArray<FlagValues.Named>) => {
  const words = Object.keys(commands)
  const choice = Schema.Literals(words).annotate({ description: `${words[0]} by default` })
  return Schema.Struct({
    ...Object.fromEntries(takes.map((name) => [name, Given.own[name] ?? ruleOf(name, flags, says?.[name])])),
    ...by !== undefined && { [by]: Schema.optionalKey(choice) },
    ...Given.spending
  })
}

const toolOf = Effect.fnUntraced(function*(tool: Given.Paid, about: Given.Spending) {
  const { by = "" } = about
  const commands = yield* Effect.all(Record.map(about.commands, commandOf))
  const [first] = Object.keys(commands)
  /** Makes and prices a call. A live chain, which costs a credit a contract, is limited to as many as its price is for. */
  const priced = Effect.fnUntraced(function*(all: Given.Given, baseUrl: string) {
    const { bytes: _, columns, consent: _1, key: _2, max_credits: _3, preset, ...given } = all
    const { [by]: chosen = first, ...asked } = given
    const { callOf, hasCached, untrusted } = commands[String(chosen)]!
    const shown = columns ?? (preset && Given.presets[preset])
    const usually = tool === "chain_slice" ? Given.presets.overview : undefined
    const dte = asked["expiration"] === undefined ? usual.dte : undefined
    const values = {
      // Without `dte` or a day all expirations would come, and the price would have no bound.
      ...tool === "chain_slice" && { strikes: usual.strikes, dte },
      ...untrusted && { countback: usual.countback },
      ...hasCached && asked["date"] === undefined && { mode: "cached" },
      ...asked,
      // The age of the quotes comes with the column `updated`, at no cost.
      columns: shown && [...new Set([...shown, ...hasCached ? ["updated"] : []])].join()
    }
    const of = Effect.fnUntraced(function*(limit?: number) {
      const call = yield* callOf({ ...values, limit })
      const estimates = yield* Sizes.pricesOf(call, baseUrl)
      return { tool, call, estimates, most: Sizes.boundOf(estimates), shown: shown ?? usually, untrusted }
    })
    const unlimited = yield* of()
    const { call: { query }, most } = unlimited
    const isHeld = query.kind === "chain" && !DataMode.isCached(query.mode) && most > 0 && most < Infinity
    return isHeld ? yield* of(query.historical ? 1000 * most : most) : unlimited
  })
  return { parameters: parametersOf(about, Object.values(commands).flatMap(({ named }) => named)), priced }
})

/** The tools that may spend: the arguments of each, and the function that makes and prices a call. Made once, for all calls. */
export const make = Effect.all(Record.map(Given.paid, (about, tool) => toolOf(tool, about)))

/** A call that is priced: what it asks, the most that it may cost, the columns that are shown, and whether strangers wrote some of its texts. */
export type Priced = Effect.Success<ReturnType<Effect.Success<ReturnType<typeof toolOf>>["priced"]>>

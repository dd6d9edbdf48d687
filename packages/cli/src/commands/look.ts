/** `marketdata look SYMBOL`: a chain as a page that draws it, as one picture, or as a small one in the terminal. */
import { Credits, ForeignText, NewYork, OptionChain, Provenance } from "@effect-marketdata/core"
import { ChainView, Page, Picture, TextChart } from "@effect-marketdata/pictures"
import { Array as Arr, Effect, Path, Result } from "effect"
import * as Flag from "effect/cli/Flag"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type Call, command } from "../call/command.ts"
import { failed, wrong } from "../failure/failure.ts"
import { Typed } from "../failure/names.ts"
import * as Document from "../output/document.ts"
import { typedJson } from "../output/ending.ts"
import { Output } from "../output/output.ts"
import { hasDisplay, OpenPage } from "../output/programs.ts"
import * as Place from "../settings/place.ts"
import { variable } from "../settings/settings.ts"
import * as Flags from "../text/flags.ts"
import { textOf, wrap } from "../text/span.ts"
import * as Report from "../views/report.ts"
import { flags as chainFlags, queryOf } from "./options.ts"

const { columns: _, ...filters } = chainFlags.filters
const { times: _times, ...common } = Flags.common

const flags = {
  call: { ...chainFlags, symbol: Flags.symbol("The underlying, such as SPX"), filters },
  common: { ...common, output: Flags.output("FILE")("Write it to this file: .html is the page, .svg one chart") },
  chart: Flags.usually(Flag.Literals("chart", ChainView.charts), "smile")(
    "Which chart is drawn where it is one: with --terminal, --format svg or a file of that name"
  ),
  open: Flags.isOn("open", true)(
    "Open the page in a browser; --no-open prints where it is, as happens where there is no display"
  ),
  terminal: Flags.isOn("terminal")("Draw one chart here, in the terminal, and write no page")
}

type Input = Flags.Given<typeof flags>

/** The file of the page, checked before anything is sent: the one that is named, or one for the symbol in the folder of the cache. */
const fileOf = Effect.fnUntraced(function*({ common: { output }, call: { symbol } }: Input) {
  const path = yield* Path.Path
  const { isPicture } = yield* Output
  if (output !== undefined && !(isPicture ? /\.svg$/ : /\.(?:html|svg)$/).test(output)) {
    const rule = isPicture ? "a picture with --format svg, e.g." : "a page or a picture, e.g. look.html or"
    const message = `--output ${JSON.stringify(output)} must be ${rule} smile.svg. Nothing was sent.`
    return yield* wrong("UnknownFormat", message)
  }
  if (output !== undefined) return yield* Effect.as(Place.checkFile(output), output)
  const folder = path.join(yield* Place.required(Place.cache), "look")
  const file = path.join(folder, `${symbol.replaceAll(/[^\w.-]/g, "_")}.html`)
  // If the folder cannot be made, `checkFile` says so.
  yield* Effect.ignore(Place.makeFolder(folder))
  return yield* Effect.as(Place.checkFile(file), file)
})

/** Whether the terminal shows ASCII only, by its variables. */
const isAscii = Effect.gen(function*() {
  const [term, ...locales] = yield* Effect.forEach(["TERM", "LC_ALL", "LC_CTYPE", "LANG"], variable)
  const locale = locales.find((locale) => locale !== undefined)
  return term === "dumb" || (locale !== undefined && !/utf-?8/i.test(locale))
})

type Chain = Call<OptionChain.OptionChain>

type Deliver = NonNullable<Chain["deliver"]>

/** Draws what came back, in the form that was asked for. */
const deliver = ({ chart: name, open, terminal }: Input, file: string | undefined, query: Chain["query"]): Deliver =>
  Effect.fnUntraced(function*(chain, { answers, connection, now }) {
    const { canDraw, show, size, write } = yield* Output
    const newest = OptionChain.updatedSpan(chain)?.newest ?? now
    const view = Result.getOrThrow(ChainView.make(chain, {
      // A service may send invalid times, such as milliseconds. The chain was paid for, so it is drawn as of now.
      at: newest >= 0 && newest < 1e11 ? newest : now,
      choosing: "--from, --to and --expiration choose others"
    }))
    const { updated, ...provenance } = Provenance.merge(...Arr.map(answers, ({ provenance }) => provenance))
    const time = updated === undefined ? "at an unknown time" : NewYork.format(updated.newest)
    const quotes = `quotes ${textOf(Report.age(updated, query, now))}`
    const cost = Credits.formatAmount(Report.costOf(answers).charged)
    const { baseUrl, embedded } = connection.service
    const service = embedded ? "synthetic data of the embedded sandbox" : baseUrl
    const source = [Provenance.format({ ...provenance, updated }), quotes, cost, service].join(" \u00b7 ")
    const about = { symbol: ForeignText.line(query.subject), time, source }
    const chart = Result.getOrThrow(ChainView.chart(view, name))
    if (terminal) {
      const { columns } = yield* size
      const drawn = Result.getOrThrow(TextChart.lines(chart, { columns, ascii: yield* isAscii }))
      const spans = drawn.map((line) => line.map(({ means, text }) => means === undefined ? text : { text, means }))
      return yield* show([...spans, ...chart.notes.flatMap((text) => wrap({ text, means: "aside" }, columns))])
    }
    const isPage = file !== undefined && !file.endsWith(".svg")
    const text = yield* Effect.orDie(isPage ? Page.html(view, about) : Effect.fromResult(Picture.svg(chart, about)))
    if (file === undefined) return yield* write(text)
    const written = Effect.mapError(Place.writeOwn(file, Effect.succeed(text)), Place.why)
    const next = "name another with -o FILE.html"
    yield* Effect.mapError(written, (why) => failed("NoFile", `the page cannot be written: ${why}`, next))
    yield* Document.print({ json: { file }, rows: Document.rows(["file"], [[file]]), lines: [file] })
    if (open && canDraw && file.endsWith(".html") && (yield* hasDisplay)) {
      yield* (yield* OpenPage)(pathToFileURL(resolve(file)).href)
    }
  })

/** The filters that choose expirations; without any of them all are asked for, because a term structure needs them. */
const naming = ["expiration", "dte", "from", "to", "month", "year", "weekly", "monthly", "quarterly"] as const

export const look = command({
  examples: [
    ["SPX --mode cached", "The whole chain as a page, for one credit"],
    ["AAPL --mode cached --expiration 2026-12-18 --terminal", "The smile of one expiration, in the terminal"],
    ["AAPL --mode cached --format svg", "The smile as a picture, on standard output"]
  ],
  flags,
  run: Effect.fnUntraced(function*(input) {
    const { common, call } = input
    const { isPicture } = yield* Output
    const format = isPicture ? "--format svg" : typedJson(yield* Typed) ? "--json" : undefined
    const unused = common.output !== undefined ? "--output" : format
    if (input.terminal && unused !== undefined) {
      const message = `${unused} says nothing with --terminal, which draws for people only. Nothing was sent.`
      return yield* wrong("UnusedFlag", message)
    }
    const isPrinted = input.terminal || (isPicture && common.output === undefined)
    const file = isPrinted ? undefined : yield* fileOf(input)
    const { ask } = yield* Effect.promise(() => import("../call/ask.ts"))
    const { fallbackUpTo, filters } = call
    const isNamed = naming.some((name) => filters[name] !== undefined)
    const expiration = isNamed ? filters.expiration : "all"
    const made = Effect.gen(function*() {
      const query = yield* queryOf({ ...call, filters: { ...filters, columns: undefined, expiration } }, true)
      return { query, fallbackUpTo, view: { rows: Document.ofTable }, deliver: deliver(input, file, query) }
    })
    yield* ask(made, { ...common, output: undefined, times: undefined })
  })
})

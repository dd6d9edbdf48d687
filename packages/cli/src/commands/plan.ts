/**
 * `marketdata plan FILE`: what a file of tasks costs, when it costs it, and how it would cost less; and `marketdata planner`: the page that prices a
 * workload while it is composed.
 */
import { Console, Effect, FileSystem, type PlatformError, Stdio } from "effect"
import * as Argument from "effect/cli/Argument"
import { fileURLToPath, pathToFileURL } from "node:url"
import { command } from "../call/command.ts"
import * as Input from "../call/input.ts"
import { failed, wrong } from "../failure/failure.ts"
import { print } from "../output/document.ts"
import { hasDisplay, OpenPage } from "../output/programs.ts"
import { planned, rowsOf } from "../plans/estimate.ts"
import * as PlanFile from "../plans/planFile.ts"
import * as Shown from "../plans/shown.ts"
import * as Place from "../settings/place.ts"
import * as Flags from "../text/flags.ts"

const help =
  `Price a plan: queries on a schedule, from a file in YAML or JSON. Nothing is sent. Each task has a query by the name of its command, the command's flags as keys, and when it is asked:

  allowance: 100000 credits per day
  tasks:
    - chain: SPX
      expiration: all
      contracts: 22718
      when: every 1min on trading days of 2026-11-23..2026-11-27
      fresh-within: 5min
    - stock quote: [AAPL, MSFT, SPY]
      mode: cached
      when: every 30s from 9:30 to 10:00

A schedule is "once", "3 times" or "every 5min", then "at 16:00" or "from 9:30 to 16:00", then "on" a day, a range of days, a month, "trading days of" these, or "the next 5 trading days"; all of it in New York. A task may have a name, fresh-within and may-miss; the plan an allowance, a hit-rate, and an account: paid, trial, free or professional`

/** Prints what a plan costs. */
export const plan = command({
  help,
  examples: [
    [
      "echo \"[{ chain: SPX, contracts: 22718, when: every 1min }]\" | marketdata plan -",
      "What a chain costs every minute of a session, in each mode"
    ],
    [
      "echo \"[{ chain: SPX, mode: cached, when: every 1min }]\" | marketdata plan - --json",
      "As a document for programs"
    ],
    [
      "echo \"[{ chain: AAPL, mode: cached, when: every 5min }, { stock quote: [AAPL, SPY], when: every 30s }]\" | marketdata plan -",
      "Two tasks; a plan of more is easier to write in a file, marketdata plan FILE"
    ]
  ],
  flags: {
    file: Flags.argument("file")("A plan in YAML or JSON: a list of tasks; - reads standard input")
  },
  run: Effect.fnUntraced(function*({ file }) {
    const { plan, priced } = yield* PlanFile.pricedOf(file)
    yield* print({
      json: () => planned(plan, priced),
      rows: rowsOf(priced),
      lines: ({ columns }) => Shown.planned(plan, priced, columns)
    })
  })
})

/** The page: beside the program or, when run from sources, in the folder of the bundle. */
const shipped = ["./planner.html", "../../bundle/planner.html"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url))
)

/** A value as JSON in a script element: no text in it can end the element. */
const escaped = (value: unknown): string => JSON.stringify(value).replaceAll("<", String.raw`\u003c`)

/** The page with the plan of a file in it, if one is named. */
const withPlan = Effect.fnUntraced(function*(page: string, file: string | undefined) {
  if (file === undefined) return page
  const given = `<script type="application/json" id="given">${escaped(yield* PlanFile.valueOf(file))}</script>`
  return page.replace(/(?=<script type="module">)/, () => given)
})

export const planner = command({
  help:
    "Open the planner: a page that shows what a workload costs as you type. It is one file, sends nothing, and works without a network. With FILE it opens that plan, in YAML or JSON; its export is what `marketdata plan` reads",
  examples: [
    ["", "The page, in your browser"],
    ["docs/guide/cli/desk.yaml", "With a plan"],
    ["--output planner.html --no-open", "As a file, to put on a site or to send"]
  ],
  flags: {
    file: Flags.argument("file")("A plan in YAML or JSON; - reads standard input").pipe(
      Argument.withDefault(undefined)
    ),
    output: Flags.output("PAGE")("Write the page to this file; a plan alone goes to a temporary one"),
    open: Flags.isOn("open", true)(
      "Open it in a browser where standard output is a terminal; --no-open prints the address only"
    )
  },
  run: Effect.fnUntraced(function*({ file, open, output }) {
    const files = yield* FileSystem.FileSystem
    const [page] = yield* Effect.filter(shipped, (path) => Effect.orElseSucceed(files.exists(path), () => false))
    if (page === undefined) {
      const why = "the planner page is not beside the program, as where it was compiled into one file"
      return yield* wrong("NoPage", `${why}: install it anew, or build it with \`npm run build\`.`)
    }
    const refused = (path: string) => (error: PlatformError.PlatformError) => {
      const message = `${Input.nameOf(path)} cannot be written: ${Place.why(error)}`
      return failed("PageNotWritten", message, "name another file with --output")
    }
    const text = Effect.flatMap(files.readFileString(page), (text) => withPlan(text, file))
    const isElsewhere = file !== undefined || output !== undefined
    const temporary = files.makeTempDirectory({ prefix: "marketdata-planner-" })
    const path = output ??
      (isElsewhere ? `${yield* Effect.mapError(temporary, refused("a temporary folder"))}/planner.html` : page)
    if (isElsewhere) {
      yield* Place.checkFile(path)
      yield* Effect.catchTag(Place.writeOwn(path, text), "PlatformError", (error) => Effect.fail(refused(path)(error)))
    }
    const address = pathToFileURL(path).href
    yield* Console.log(address)
    if (open && (yield* (yield* Stdio.Stdio).stdoutIsTerminal)) {
      const isOpen = (yield* hasDisplay) && (yield* (yield* OpenPage)(address))
      if (!isOpen) yield* Console.error("No browser was found: open the address above in one.")
    }
  })
})

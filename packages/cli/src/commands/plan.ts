/** `marketdata plan FILE`: what a file of tasks costs, when it costs it, and how it would cost less. */
import * as Plan from "@effect-marketdata/core/Plan"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Argument from "effect/cli/Argument"
import { command } from "../asking/command.ts"
import * as Input from "../asking/input.ts"
import * as Sizes from "../asking/sizes.ts"
import { CommandError, wrong } from "../failure/failure.ts"
import { print } from "../output/document.ts"
import { Output } from "../output/output.ts"
import * as Document from "../plans/document.ts"
import { bySizes, cutting, present, rowsOf, usage } from "../plans/estimate.ts"
import * as PlanFile from "../plans/planFile.ts"
import * as Shown from "../plans/shown.ts"
import * as Settings from "../settings/settings.ts"
import { asking } from "./asking.ts"

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

A schedule is "once", "3 times" or "every 5min", then "at 16:00" or "from 9:30 to 16:00", then "on" a day, a range of days, a month, "trading days of" these, or "the next 5 trading days"; all of it in New York. A task may have a name, fresh-within and may-miss; the plan an allowance and a hit-rate`

/** Larger than any plan that a person writes. */
const mostBytes = 1_048_576

const unreadable = (file: string) => (why: string): CommandError =>
  wrong("PlanUnreadable", `${Input.nameOf(file)}: ${why}`, "see how a plan is written with `marketdata plan --help`")

/** The text of a file, or of standard input, no longer than a plan may be. */
export const textOf = Effect.fnUntraced(function*(file: string) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEachWhile(Input.bytesOf(file, "plan", unreadable(file)), (bytes) =>
    Effect.sync(() => {
      chunks.push(bytes)
      size += bytes.length
      return size <= mostBytes
    }))
  if (size > mostBytes) return yield* unreadable(file)("this is larger than 1 MiB, and no plan is")
  return new TextDecoder().decode(Buffer.concat(chunks))
})

/** Tells what is wrong with a plan. */
export const mistaken = (file: string) => (troubles: PlanFile.Mistakes): CommandError => {
  const [{ column, line, message }] = troubles
  return new CommandError({
    class: "usage",
    reason: "PlanInvalid",
    message: `${Input.nameOf(file)}, line ${line}, column ${column}: ${message}`,
    troubles,
    next: "see how a plan is written with `marketdata plan --help`"
  })
}

/** The allowance of the settings, which holds where the plan has none. */
const configured = Config.all({
  credits: Settings.config("allowance"),
  window: Config.withDefault(Settings.config("allowanceWindow"), "none" as const)
}).pipe(Config.option, Config.map(Option.getOrUndefined))

/** Prints what a plan costs. */
const price = Effect.fnUntraced(function*({ file }: { readonly file: string }) {
  const { size } = yield* Output
  const text = yield* textOf(file)
  const now = yield* present
  const read = yield* Effect.mapError(PlanFile.read(text, { ...now, asking }), mistaken(file))
  const allowance = read.allowance ?? (yield* configured)
  const cut = yield* cutting
  const priced: Array<Plan.Priced> = []
  for (const task of read.tasks) {
    const seen = yield* Sizes.seenOf(task.queries[0], cut.baseUrl)
    priced.push(
      yield* Effect.mapError(
        Effect.fromResult(Plan.price(task, { ...cut, seen, hitRate: read.hitRate })),
        ({ _tag, message }) => usage({ _tag, message: `${Input.nameOf(file)}, ${task.name}: ${message}` })
      )
    )
  }
  const plan = { ...read, allowance }
  yield* print({
    json: Document.planned(plan, priced),
    rows: rowsOf(priced),
    lines: Shown.planned(plan, priced, (yield* size).columns)
  })
}, bySizes)

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
    file: Argument.String("file").pipe(
      Argument.withDescription("A plan in YAML or JSON: a list of tasks; - reads standard input")
    )
  },
  run: price
})

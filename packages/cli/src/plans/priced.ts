/** Reads a plan from a file and prices it, for the commands `plan` and `run`. */
import { Plan } from "@effect-marketdata/core"
import { Config, Effect, Option, Stream } from "effect"
import * as Input from "../call/input.ts"
import * as Sizes from "../call/sizes.ts"
import { type CommandError, wrong } from "../failure/failure.ts"
import * as Settings from "../settings/settings.ts"
import { bySizes, cutting, present, usage } from "./estimate.ts"
import * as PlanFile from "./planFile.ts"
import type { PlannedTask, ReadPlan } from "./shown.ts"

/** Larger than any plan that a person writes. */
const mostBytes = 1_048_576

const unreadable = (file: string) => (why: string): CommandError =>
  wrong("PlanUnreadable", `${Input.nameOf(file)}: ${why}`, "see how a plan is written with `marketdata plan --help`")

/** The text of a file, or of standard input, no longer than a plan may be. */
export const textOf = Effect.fnUntraced(function*(file: string) {
  let size = 0
  const few = Stream.takeWhile(
    Input.bytesOf(file, "plan", unreadable(file)),
    (bytes) => (size += bytes.length) <= mostBytes
  )
  const text = yield* Stream.mkString(Stream.decodeText(few))
  return size > mostBytes ? yield* unreadable(file)("this is larger than 1 MiB, and no plan is") : text
})

/** The failure of a plan with mistakes. */
export const mistaken = (file: string) => (troubles: PlanFile.Mistakes): CommandError => {
  const [{ column, line, message }] = troubles
  const first = `${Input.nameOf(file)}, line ${line}, column ${column}: ${message}`
  return wrong("PlanInvalid", first, "see how a plan is written with `marketdata plan --help`", { troubles })
}

/** The allowance of the settings, for a plan without one. */
const configured = Config.all({
  credits: Settings.config("allowance"),
  window: Config.withDefault(Settings.config("allowanceWindow"), "day" as const)
}).pipe(Config.option, Config.map(Option.getOrUndefined))

/** A task with its prices. */
export interface PricedTask extends Plan.Priced {
  readonly task: PlannedTask
}

/** Reads the text of a plan, and prices its tasks. `file` is its name in messages. */
export const of = Effect.fnUntraced(function*(text: string, file: string) {
  const given = yield* Effect.mapError(PlanFile.read(text, yield* present), mistaken(file))
  const plan: ReadPlan = { ...given, allowance: given.allowance ?? (yield* configured) }
  const cut = yield* cutting
  const priced: Array<PricedTask> = []
  for (const task of plan.tasks) {
    const seen = yield* Sizes.seenOf(task.queries[0], cut.baseUrl)
    const prices = yield* Effect.mapError(
      Effect.fromResult(Plan.price(task, { ...cut, seen, hitRate: plan.hitRate, account: plan.account })),
      ({ _tag, message }) => usage({ _tag, message: `${Input.nameOf(file)}, ${task.name}: ${message}` })
    )
    priced.push({ ...prices, task })
  }
  return { plan, priced }
}, bySizes)

/** Reads the plan of a file, and prices its tasks. */
export const read = (file: string) => Effect.flatMap(textOf(file), (text) => of(text, file))

/** Reads a plan from a file or standard input, and prints what it costs. */
import * as ForeignText from "@effect-marketdata/core/ForeignText"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import type { Askable } from "../asking/askable.ts"
import * as Sizes from "../asking/sizes.ts"
import { CommandError } from "../failure/failure.ts"
import { print } from "../output/document.ts"
import { Output } from "../output/output.ts"
import * as Document from "../plans/document.ts"
import * as Modes from "../plans/modes.ts"
import * as Plan from "../plans/plan.ts"
import * as Rows from "../plans/rows.ts"
import { bySizes, cutting, present, usage } from "../plans/price.ts"
import * as Own from "../settings/own.ts"
import * as Shown from "../plans/shown.ts"
import type { SourceError } from "../plans/source.ts"

/** Larger than any plan that a person writes. */
const mostBytes = 1_048_576

const titleOf = (file: string): string => file === "-" ? "standard input" : ForeignText.line(file, 200)

const unreadable = (file: string, why: string): CommandError =>
  new CommandError({
    class: "usage",
    reason: "PlanUnreadable",
    message: `${titleOf(file)}: ${why}`,
    next: "see how a plan is written with `marketdata plan --help`"
  })

const whyUnreadable: Readonly<Record<string, string>> = {
  NotFound: "there is no such file",
  BadResource: "this is not a file: name the file that holds the plan",
  PermissionDenied: "you may not read this file: change its permissions"
}

/** The bytes of a file, or of standard input, no more than a plan may have. */
const bytesOf = Effect.fnUntraced(function*(file: string) {
  const stream = file === "-"
    ? (yield* Stdio.Stdio).stdin
    : (yield* FileSystem.FileSystem).stream(file, { bytesToRead: mostBytes + 1 })
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEachWhile(stream, (bytes) =>
    Effect.sync(() => {
      chunks.push(bytes)
      size += bytes.length
      return size <= mostBytes
    })).pipe(
      Effect.mapError(({ reason }) =>
        unreadable(file, whyUnreadable[reason._tag] ?? `this cannot be read (${reason._tag})`)
      )
    )
  return size > mostBytes ? yield* unreadable(file, "this is larger than 1 MiB, and no plan is") : chunks
})

const textOf = Effect.fnUntraced(function*(file: string) {
  // A path with a zero byte is one that Node does not even look for.
  if (file === "" || file.includes("\0")) return yield* unreadable(file, "there is no such file")
  const decoder = new TextDecoder()
  return (yield* bytesOf(file)).map((bytes) => decoder.decode(bytes, { stream: true })).join("") + decoder.decode()
})

const mistaken = (file: string, { troubles }: SourceError): CommandError => {
  const [{ column, line, message }] = troubles
  return new CommandError({
    class: "usage",
    reason: "PlanInvalid",
    message: `${titleOf(file)}, line ${line}, column ${column}: ${message}`,
    troubles,
    next: "see how a plan is written with `marketdata plan --help`"
  })
}

/** The allowance of the settings, which holds where the plan has none. */
const configured = Config.all({
  credits: Own.allowance,
  window: Config.withDefault(Own.allowanceWindow, "none" as const)
}).pipe(Config.option, Config.map(Option.getOrUndefined))

/** Prints what a plan costs. */
export const plan = Effect.fnUntraced(function*(file: string, askables: ReadonlyArray<Askable>) {
  const { size } = yield* Output
  const text = yield* textOf(file)
  const now = yield* present
  const read = yield* Effect.catchTag(
    Plan.read(text, { ...now, askables }),
    "SourceError",
    (error) => Effect.fail(mistaken(file, error))
  )
  const allowance = read.allowance ?? (yield* configured)
  const cut = yield* cutting
  const priced: Array<Modes.Priced> = []
  for (const task of read.tasks) {
    const seen = yield* Sizes.seenOf(task.queries[0], cut.baseUrl)
    priced.push(
      yield* Effect.mapError(
        Effect.fromResult(Modes.price({ task, seen }, cut, read.hitRate)),
        (error) => usage({ _tag: error._tag, message: `${titleOf(file)}, ${task.name}: ${error.message}` })
      )
    )
  }
  const plan = { ...read, allowance }
  yield* print({
    json: Document.encodePlanned(Document.planned(plan, priced)),
    rows: Rows.rowsOf(priced),
    lines: Shown.planned(plan, priced, (yield* size).columns)
  })
}, bySizes)

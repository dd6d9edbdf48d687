/** `marketdata cache`: the replies that are kept on this machine, seen and cleared. */
import { ReplyCache } from "@effect-marketdata/client"
import { ForeignText, NewYork } from "@effect-marketdata/core"
import { Effect } from "effect"
import * as Prompt from "effect/cli/Prompt"
import { command } from "../call/command.ts"
import { cacheBytes } from "../call/connection.ts"
import * as Kept from "../call/kept.ts"
import { failed, wrong } from "../failure/failure.ts"
import * as Names from "../failure/names.ts"
import * as Document from "../output/document.ts"
import { Output } from "../output/output.ts"
import * as Person from "../output/person.ts"
import * as Place from "../settings/place.ts"
import * as Flags from "../text/flags.ts"
import * as Grid from "../text/grid.ts"
import { type Line, means } from "../text/span.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"

/** The folder of the cache, also if it is off: it may still hold replies. */
const place = Effect.gen(function*() {
  const { isOn, path } = yield* Kept.pathOf("cache")
  return { isOn, directory: path ?? (yield* Place.nowhere) }
})

const unreadable = (directory: string) => ({ message }: { readonly message: string }) => {
  const why = `the cache ${ForeignText.line(directory)} cannot be used: ${ForeignText.line(message, 300)}`
  return failed("Cache", why, "change its permissions, or name another folder with `marketdata config set cache PATH`")
}

const lineOf = (label: string, time: number | null, now: number): ReadonlyArray<Line> =>
  time === null ? [] : [Report.line(label, `${NewYork.format(time)}, ${Words.ago(now - time)}`)]

/** Whether replies may be removed: by the flag, or by asking the person at the terminal. */
const agreed = Effect.fnUntraced(function*(yes: boolean, directory: string) {
  if (yes) return true
  const { canAsk, format } = yield* Output
  if (canAsk && format === "table") {
    const message = `Remove all replies from ${ForeignText.line(directory, 200)}?`
    return yield* Person.ask(Prompt.Confirm({ message, initial: false }), "Nothing was removed.")
  }
  const message =
    "replies that were paid for are removed only where a person agrees at a terminal. Nothing was removed."
  return yield* wrong("NotConfirmed", message, "in a script type `marketdata cache clear --yes`")
})

const replies = (entries: number): string => Words.count(entries, "reply", "replies")

/** Shows what is kept. */
export const cacheStatus = command({
  examples: [["", "What is kept"], ["--json", "As JSON"], ["--format csv", "A row for each command"]],
  flags: {},
  run: Effect.fnUntraced(function*() {
    const { directory, isOn } = yield* place
    const maxBytes = yield* cacheBytes
    const found = yield* Effect.mapError(ReplyCache.diskStatus(directory), unreadable(directory))
    const { bytes, damaged, entries, newest = null, oldest = null } = found
    const commands = found.endpoints.map(({ endpoint, ...sums }) => ({ command: Names.commandOf(endpoint), ...sums }))
    const now = yield* Words.epochSeconds
    const again = means("warning", `${damaged}: each is asked for again when it is needed`)
    const heads = ["command", { head: "replies", align: "right" }, { head: "size", align: "right" }] as const
    const cells = commands.map(({ bytes, command, entries }) => [command, Words.number(entries), Words.bytes(bytes)])
    yield* Document.print({
      json: { directory, on: isOn, maxBytes, entries, bytes, damaged, oldest, newest, commands },
      rows: Document.records(["command", "entries", "bytes"], commands),
      lines: ({ columns }) => [
        Report.line("cache", `${directory}${isOn ? "" : " (off)"}`),
        Report.line("holds", `${replies(entries)}, ${Words.bytes(bytes)} of at most ${Words.bytes(maxBytes)}`),
        ...lineOf("oldest", oldest, now),
        ...lineOf("newest", newest, now),
        ...damaged === 0 ? [] : [Report.line("damaged", again)],
        ...commands.length === 0 ? [] : ["", ...Grid.format(heads, cells, columns)]
      ]
    })
  })
})

/** Removes what is kept, and the secret that it was kept with. */
export const cacheClear = command({
  examples: [["--yes", "Remove them"], ["--yes --json", "As JSON"], ["--yes --format csv", "As CSV"]],
  flags: { yes: Flags.yes("Do not ask, as in a script") },
  run: Effect.fnUntraced(function*({ yes }) {
    const { directory } = yield* place
    const isAgreed = yield* agreed(yes, directory)
    const { bytes, entries } = isAgreed
      ? yield* Effect.mapError(ReplyCache.clearDisk(directory), unreadable(directory))
      : { bytes: 0, entries: 0 }
    const removed = `${replies(entries)} removed, ${Words.bytes(bytes)}, from ${directory}`
    const rows = Document.rows(["directory", "entries", "bytes"], [[directory, entries, bytes]])
    const lines = [isAgreed ? removed : "nothing was removed"]
    yield* Document.print({ json: { directory, removed: { entries, bytes } }, rows, lines })
  })
})

/** `marketdata planner`: the page that prices a workload while it is composed. */
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { Console, Effect, FileSystem, Option, Stdio } from "effect"
import { fileURLToPath, pathToFileURL } from "node:url"
import { command } from "../asking/command.ts"
import * as Input from "../asking/input.ts"
import { hasDisplay, OpenPage } from "../output/programs.ts"
import { wrong } from "../failure/failure.ts"
import { present } from "../plans/estimate.ts"
import * as PlanFile from "../plans/planFile.ts"
import { mistaken, textOf } from "../plans/priced.ts"
import * as Flags from "../text/flags.ts"
import { asking } from "./asking.ts"

/** The page beside the program; where the sources run, it is where the bundle is made. */
const shipped = ["./planner.html", "../../bundle/planner.html"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url))
)

/** A value as a script that is data may hold it: no text in it ends the script. */
const escaped = (value: unknown): string => JSON.stringify(value).replaceAll("<", String.raw`\u003c`)

/** The page with the plan of a file in it, which is checked as `marketdata plan` does. */
const withPlan = Effect.fnUntraced(function*(page: string, file: string) {
  const text = yield* textOf(file)
  yield* Effect.mapError(PlanFile.read(text, { ...yield* present, asking }), mistaken(file))
  const value = yield* Effect.mapError(PlanFile.valueOf(text), mistaken(file))
  const given = `<script type="application/json" id="given">${escaped(value)}</script>`
  return page.replace(/(?=<script type="module">)/, () => given)
})

export const planner = command({
  help:
    "Open the planner: a page that shows what a workload costs while you compose it. It is one file, asks nobody, and works without a network. With FILE it opens that plan, in YAML or JSON; its export is what `marketdata plan` reads",
  examples: [
    ["", "The page, in your browser"],
    ["docs/guide/cli/desk.yaml", "With a plan"],
    ["--output planner.html --no-open", "As a file, to put on a site or to send"]
  ],
  flags: {
    file: Argument.String("file").pipe(
      Argument.withDescription("A plan in YAML or JSON; - reads standard input"),
      Argument.optional
    ),
    output: Flags.text("output", "PAGE", "Write the page to this file; a plan alone goes to a temporary one").pipe(
      Flag.withAlias("o")
    ),
    open: Flags.isOn(
      "open",
      "Open it in a browser where standard output is a terminal; --no-open prints the address only",
      true
    )
  },
  run: Effect.fnUntraced(function*({ file, open, output }) {
    const files = yield* FileSystem.FileSystem
    const there = yield* Effect.filter(shipped, (path) => Effect.orElseSucceed(files.exists(path), () => false))
    const [page] = there
    if (page === undefined) {
      return yield* wrong(
        "NoPage",
        "the planner page is not beside the program: install it anew, or build it with `npm run build`."
      )
    }
    const refused = (path: string) => (error: { readonly message: string }) =>
      wrong(
        "PageNotWritten",
        `${Input.nameOf(path)} cannot be written: ${error.message}`,
        "name another file with --output"
      )
    const write = Effect.fnUntraced(function*(path: string) {
      const text = yield* files.readFileString(page)
      yield* files.writeFileString(path, Option.isNone(file) ? text : yield* withPlan(text, file.value))
      return path
    })
    const isElsewhere = Option.isSome(file) || Option.isSome(output)
    const path = Option.isSome(output)
      ? output.value
      : isElsewhere
      ? `${yield* Effect.mapError(
        files.makeTempDirectory({ prefix: "marketdata-planner-" }),
        refused("a temporary folder")
      )}/planner.html`
      : page
    if (isElsewhere) {
      yield* Effect.mapError(write(path), (error) => error._tag === "PlatformError" ? refused(path)(error) : error)
    }
    const address = pathToFileURL(path).href
    yield* Console.log(address)
    if (open && (yield* (yield* Stdio.Stdio).stdoutIsTerminal)) {
      const isOpen = (yield* hasDisplay) && (yield* (yield* OpenPage)(address))
      if (!isOpen) yield* Console.error("No browser was found: open the address above in one.")
    }
  })
})

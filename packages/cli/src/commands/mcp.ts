/** `marketdata mcp`: a server of the Model Context Protocol, by which an agent asks for data within a budget. */
import { Effect } from "effect"
import { command } from "../call/command.ts"
import { wrong } from "../failure/failure.ts"
import * as Flags from "../text/flags.ts"

const credits = (name: string, value: number) => Flags.usually(Flags.atLeast(name, 0, String(value), "CREDITS"), value)

/** The default port. */
const usualPort = 8765

export const mcp = command({
  help:
    "Serve the Model Context Protocol, by which an agent asks for option chains, quotes and candles: over standard input and output or, with --http, to " +
    "programs of this machine. Every call is priced before it is sent, and held to the least of the budgets",
  examples: [
    ["", "For an agent that starts it"],
    ["--budget 20 --ask-above 5", "At most 20 credits, and no call above 5 before the user agrees"],
    ["--http --port 8765", "For agents that connect to http://127.0.0.1:8765/mcp"]
  ],
  flags: {
    budget: credits("budget", 100)("The most that may be spent until this program ends"),
    askAbove: credits("ask-above", 10)("The price of a call above which the user is asked"),
    day: Flags.credits("budget-per-day")("The most that all such programs may spend in a day together, by the ledger"),
    job: Flags.text("job", "NAME")(
      "A name for the work that this program is started for: its budget and its keys outlive the program"
    ),
    jobBudget: Flags.credits("budget-per-job")(
      "The most that programs with the same --job may spend together, by the ledger"
    ),
    http: Flags.isOn("http")("Serve HTTP on 127.0.0.1 in place of standard input and output"),
    port: Flags.described(Flags.port("8765"))(
      `With --http: the port to listen on, 0 for a free one; ${usualPort} by default`
    ),
    ...Flags.sandbox
  },
  run: Effect.fnUntraced(function*({ askAbove, budget, day, http, job, jobBudget, plan, port, seed }) {
    if (jobBudget !== undefined && job === undefined) {
      const example = "--job smile --budget-per-job 50"
      return yield* wrong("UnusedFlag", `--budget-per-job says nothing without --job, e.g. ${example}`)
    }
    // The ledger takes a name of at most 100 characters for a budget: with a longer one each call would fail.
    if (job !== undefined && job.length > 92) {
      return yield* wrong("InvalidArguments", "--job must be a name of at most 92 characters, e.g. --job smile")
    }
    if (port !== undefined && !http) {
      return yield* wrong("UnusedFlag", "--port says nothing without --http, e.g. --http --port 8765")
    }
    const { serve } = yield* Effect.promise(() => import("../mcp/serve.ts"))
    const named = job === undefined ? undefined : { name: job, most: jobBudget }
    const options = { session: budget, askAbove, day, job: named, sandbox: { plan, seed } }
    return yield* serve(options, http ? port ?? usualPort : undefined)
  })
})

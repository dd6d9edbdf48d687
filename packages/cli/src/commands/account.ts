/** `marketdata account`: what the service says of the account that asks, and what this machine has spent of it. */
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as MarketData from "@effect-marketdata/client/MarketData"
import * as AccountStatus from "@effect-marketdata/core/AccountStatus"
import * as NewYork from "@effect-marketdata/core/NewYork"
import { InvalidQuery } from "@effect-marketdata/core/Reason"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { command } from "../asking/command.ts"
import * as Connection from "../asking/connection.ts"
import * as Asking from "../asking/flags.ts"
import * as Kept from "../asking/kept.ts"
import * as Ledger from "../asking/ledger.ts"
import * as Document from "../output/document.ts"
import { Output } from "../output/output.ts"
import * as Flags from "../text/flags.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import { entitlement, noCredits } from "../asking/accountStatus.ts"

const history = {
  since: Flags.text(
    "since",
    "DAY",
    "From this day on in New York, as YYYY-MM-DD, today, yesterday or \"5 days ago\"; with --history"
  ),
  until: Flags.text("until", "DAY", "Up to this day, which counts; with --history"),
  by: Flag.Literals("by", ["request", "query", "program", "day"]).pipe(
    Flags.defaultTo("A row for each request, or the sums by query, by who asked, or by day; with --history", "request")
  )
}

type History = Command.Command.Config.Infer<typeof history>

/** The account, when its credits are full again by the figures of the reply, and what the commands of this machine have spent of them. */
const ask = Effect.gen(function*() {
  const { description, service } = yield* Connection.Connection
  const { data } = yield* MarketData.run(AccountStatus.query)
  const { standing } = yield* CreditLedger.CreditLedger.use(({ balance }) => balance)
  const ledger = yield* Ledger.read(service)
  return { description, service, data, ledger, reset: standing === undefined ? undefined : standing.reset }
})

/** Flags of the history choose nothing where the account is asked. */
const isNotHistory = Effect.fnUntraced(function*({ by, since, until }: History) {
  for (const [flag, value] of [["--since", Option.getOrUndefined(since)], ["--until", Option.getOrUndefined(until)]]) {
    if (value !== undefined) return yield* forHistory(flag!, value)
  }
  if (by !== "request") return yield* forHistory("--by", by)
})

const forHistory = (flag: string, value: string) =>
  Effect.fail(InvalidQuery.of(flag, value, { rule: "is for the history only", example: `--history ${flag} ${value}` }))

/** Prints the account. */
const show = Effect.fnUntraced(function*(sandbox: Connection.SandboxOptions, history: History) {
  yield* isNotHistory(history)
  const { data, description, ledger, reset, service } = yield* Effect.scoped(Effect.provide(
    ask,
    Connection.client.pipe(
      Layer.provideMerge(noCredits),
      Layer.provideMerge(Connection.layer(sandbox)),
      Layer.merge(Kept.Troubles.layer)
    )
  ))
  const { format, note } = yield* Output
  if (format === "table") yield* note([description])
  yield* Document.print({
    json: { service, account: data, reset: reset ?? null, ledger: ledger ?? null },
    rows: Document.rows(["creditsRemaining", "creditsLimit", "reset", "optionsData"], [[
      data.creditsRemaining,
      data.creditsLimit,
      reset ?? null,
      data.optionsData
    ]]),
    lines: [
      Report.line("credits", `${Words.number(data.creditsRemaining)} of ${Words.credits(data.creditsLimit)} left`),
      ...reset === undefined ? [] : [Report.line("full again", NewYork.format(reset))],
      Report.line("options", entitlement(data)),
      ...ledger === undefined ? [] : [Report.line("ledger", Ledger.describe(ledger))]
    ]
  })
})

export const loaded = command({
  examples: [
    ["", "Credits and entitlement"],
    ["--history --since \"7 days ago\" --by query", "What was spent, on what"],
    ["--plan free", "Of the free account of the embedded sandbox"]
  ],
  flags: {
    ...Asking.sandbox,
    isHistory: Flags.isOn(
      "history",
      "Show what this machine has spent at the service: on what, when, and who asked. It sends nothing"
    ),
    history
  },
  run: ({ history, isHistory, ...sandbox }) =>
    isHistory
      ? Effect.flatMap(Effect.promise(() => import("./history.ts")), ({ run }) => run(history))
      : show(sandbox, history)
})

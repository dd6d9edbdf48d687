/** `marketdata run PLAN -o DIR`: asks what a plan of past days prices, each query once, and keeps the tables in a folder. */
import * as CacheFallback from "@effect-marketdata/client/CacheFallback"
import * as CreditLedger from "@effect-marketdata/client/CreditLedger"
import * as Credits from "@effect-marketdata/core/Credits"
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { randomUUID } from "node:crypto"
import { sayWhatWasSpent } from "../asking/ask.ts"
import * as Cache from "../asking/cache.ts"
import { command } from "../asking/command.ts"
import * as Connection from "../asking/connection.ts"
import { consent } from "../asking/consent.ts"
import * as Asking from "../asking/flags.ts"
import * as Kept from "../asking/kept.ts"
import * as Ledger from "../asking/ledger.ts"
import * as Progress from "../asking/progress.ts"
import * as Sizes from "../asking/sizes.ts"
import * as Failure from "../failure/failure.ts"
import { CommandError, wrong } from "../failure/failure.ts"
import { Output } from "../output/output.ts"
import { bySizes } from "../plans/estimate.ts"
import * as Priced from "../plans/priced.ts"
import * as Days from "../runs/days.ts"
import * as Folder from "../runs/folder.ts"
import * as Keeping from "../runs/keeping.ts"
import type * as Manifest from "../runs/manifest.ts"
import * as Summary from "../runs/summary.ts"
import { variableOf } from "../settings/settings.ts"
import * as Flags from "../text/flags.ts"
import * as Words from "../text/words.ts"
import * as Report from "../views/report.ts"
import { asking } from "./asking.ts"

const flags = {
  file: Argument.String("plan").pipe(
    Argument.withDescription(
      "A plan of past days in YAML or JSON, as `marketdata plan` prices it; - reads standard input"
    )
  ),
  output: Flag.String("output").pipe(
    Flag.withAlias("o"),
    Flag.withMetavar("DIR"),
    Flag.withDescription("The folder of the tables and of their manifest; what is there already is not asked again")
  ),
  dryRun: Flags.isOn("dry-run", "Say what is there, what would be asked and what it may cost, and send nothing"),
  budget: Flags.credits("budget", "The most credits that this run may cost, retries included"),
  yes: Flags.yes("Send it whatever it costs"),
  wait: Flags.isOn(
    "wait",
    "Wait where an allowance is used up until it renews; --no-wait ends there, and the same command goes on later",
    true
  ),
  again: Flags.oneOf(
    "again",
    ["lost", "empty"],
    "Ask again for days whose answer was lost, and pay for them again; or for those that the service had no data for"
  ),
  files: Flag.Literals("files", ["parquet", "arrow", "csv", "jsonl"]).pipe(
    Flags.defaultTo("The format of the tables", "parquet")
  ),
  ...Asking.sandbox
}

type Input = Command.Command.Config.Infer<typeof flags>

/** How many days are asked at once: each holds a whole chain in memory. */
const atOnce = 4

/** How long what is under way has to come back after Ctrl-C; the program ends by itself soon after. */
const mostAfterStop = "3 seconds"

/** The allowance that a plan names, in place of the settings. */
const allowing = ({ allowance }: Priced.Read["plan"]) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  allowance === undefined ? effect : Effect.flatMap(ConfigProvider.ConfigProvider, (settings) =>
    Effect.provideService(
      effect,
      ConfigProvider.ConfigProvider,
      ConfigProvider.orElse(
        ConfigProvider.fromEnvRecord({
          [variableOf("allowance")]: String(allowance.credits),
          [variableOf("allowanceWindow")]: allowance.window
        }),
        settings
      )
    ))

/** Waits until a time by the clock that can be set, which may be set meanwhile. */
const until = (time: number) =>
  Effect.gen(function*() {
    for (;;) {
      const left = time - (yield* Words.epochSeconds)
      if (left <= 0) return
      yield* Effect.sleep(`${Math.min(60, left)} seconds`)
    }
  })

/** Asks for the days that are open, and gives what became of them with the failure that ended it before its end. */
const ask = Effect.fnUntraced(
  function*(held: Folder.Held, { manifest, open }: Folder.Standing, root: string, input: Input) {
    const { isJson, note } = yield* Output
    const done: Array<Manifest.Entry> = []
    let [rows, told, isStopped]: [number, number | undefined, boolean] = [0, undefined, false]
    let failure: CommandError | undefined
    const stopped = yield* Deferred.make<void>()
    const wait: Keeping.Work["wait"] = (error, renews) =>
      Effect.gen(function*() {
        if (!input.wait) return yield* error
        if (told !== renews && !isJson) {
          told = renews
          const until = `until ${NewYork.format(renews)}, when credits are there again`
          yield* note([Report.line("waiting", `${until}; after Ctrl-C the same command goes on`)])
        }
        yield* Effect.raceFirst(until(renews), Effect.andThen(Deferred.await(stopped), error))
      })
    const again = Option.getOrUndefined(input.again)
    const work = { ...held, again, root, run: randomUUID(), entries: manifest.entries, wait }
    const one = (day: Days.Day) =>
      Effect.match(Keeping.keep(day, work), {
        onFailure: (error) => {
          failure ??= Failure.of(error)
        },
        onSuccess: (entry) => {
          done.push(entry)
          rows += entry.rows ?? 0
        }
      })
    const all = Effect.forEach(
      open,
      (day) => Effect.suspend(() => isStopped || failure !== undefined ? Effect.void : one(day)),
      { concurrency: atOnce, discard: true }
    )
    const asking = yield* Effect.forkScoped(all)
    // What is under way is paid for: at Ctrl-C it has a while to come back.
    const ended = Effect.onInterrupt(Fiber.join(asking), () => {
      isStopped = true
      const grace = Effect.raceFirst(Effect.interruptible(Fiber.await(asking)), Effect.sleep(mostAfterStop))
      return Effect.andThen(Deferred.succeed(stopped, undefined), Effect.andThen(grace, Fiber.interrupt(asking)))
    })
    yield* Progress.beside(ended, (passed) =>
      Effect.map(
        Ledger.balance,
        ({ charged }) => Summary.progress({ charged, done: done.length, of: open.length, passed, rows })
      ))
    return { done, failure, spent: yield* Ledger.balance }
  }
)

/** The ledger of this run, in which every step is taken in the folder's claims as well. */
const claiming = ({ claims }: Folder.Held) =>
  Layer.effect(
    CreditLedger.CreditLedger,
    Effect.map(CreditLedger.CreditLedger, (own) => Ledger.both(own, { ledger: claims, spared: (step) => step }))
  )

/** Asks for what is open under the consent to its price, and gives what became of it. */
const send = Effect.fnUntraced(
  function*(standing: Folder.Standing, most: number, root: string, head: Folder.Head, input: Input) {
    const { isJson, note } = yield* Output
    const held = yield* Folder.hold(root, standing, head)
    return yield* Effect.gen(function*() {
      const { description } = yield* Connection.Connection
      if (!isJson) yield* note([description, Report.line("estimate", Summary.price(standing.open))])
      return yield* Effect.onInterrupt(ask(held, standing, root, input), () => sayWhatWasSpent)
    }).pipe(Effect.provide(
      Connection.client.pipe(
        Layer.provide(Cache.layer(false)),
        Layer.provideMerge(Layer.provide(claiming(held), Ledger.layer(most))),
        Layer.provideMerge(Connection.layer({ seed: input.seed, plan: input.plan })),
        Layer.provideMerge(Kept.Troubles.layer),
        Layer.merge(CacheFallback.layerUpTo(0))
      )
    ))
  },
  Effect.scoped
)

/** Asks for what is open, once its price is allowed. */
const pay = Effect.fnUntraced(function*(
  standing: Folder.Standing,
  root: string,
  { head, input, plan, service }: {
    readonly head: Folder.Head
    readonly input: Input
    readonly plan: Priced.Read["plan"]
    readonly service: Connection.Connection["Service"]["service"]
  }
) {
  const { open } = standing
  const estimates = open.map(({ estimate }) => estimate)
  const dearest = estimates.reduce((most, estimate) => Math.max(most, Credits.bound(estimate)), 0)
  if (plan.allowance !== undefined && dearest > plan.allowance.credits) {
    return yield* wrong(
      "AllowanceTooSmall",
      `a query of the plan may cost ${
        dearest === Infinity ? "any number of credits" : Words.credits(dearest)
      }, and the whole allowance is ${
        Words.credits(plan.allowance.credits)
      }: it would never be sent. Nothing was sent.`,
      "bound it in the plan, e.g. with `contracts`, or raise the allowance"
    )
  }
  const [first, ...others] = open.map(({ query }) => query)
  const most = yield* consent(
    { name: `the plan (${Words.count(open.length, "query", "queries")})`, queries: [first!, ...others], estimates },
    { budget: input.budget, yes: input.yes, fallbackUpTo: 0 },
    false,
    Ledger.left(service)
  )
  return yield* Effect.provide(send(standing, most, root, head, input), Sizes.layer({ ...service, isReadOnly: false }))
})

/** Runs a plan. */
const runPlan = Effect.fnUntraced(function*(input: Input) {
  const service = yield* Connection.asked
  const { plan, priced } = yield* bySizes(Priced.read(input.file, asking))
  const days = yield* Days.of(priced, input.files)
  const resolved = (yield* Path.Path).resolve(input.output)
  const root = yield* Effect.orElseSucceed((yield* FileSystem.FileSystem).realPath(resolved), () => resolved)
  const head = {
    service: service.embedded ? `the embedded sandbox (seed ${input.seed}, ${input.plan} plan)` : service.baseUrl,
    files: input.files
  }
  const standing = yield* Folder.standing(root, days, { ...head, again: Option.getOrUndefined(input.again) })
  const { done, failure, spent } = input.dryRun || standing.open.length === 0
    ? { done: [], failure: undefined, spent: undefined }
    : yield* allowing(plan)(pay(standing, root, { head, input, plan, service }))
  const answered = new Set(done.map(({ file }) => file))
  const entries = [...standing.kept, ...standing.over, ...done]
  yield* Summary.print({
    root,
    service,
    days,
    open: standing.open.filter(({ file }) => !answered.has(file)),
    entries,
    done,
    spent
  })
  if (failure !== undefined) return yield* failure
  const lost = entries.filter(({ state }) => state === "lost").length
  if (lost > 0 && !input.dryRun) {
    return yield* new CommandError({
      class: "budget",
      reason: "AlreadySent",
      message: `${Words.count(lost, "answer")} of ${
        Words.number(days.length)
      } are lost: their requests were sent, and are not sent again without your word.`,
      next: "to pay for them again, type the same command with --again lost"
    })
  }
})

const help =
  `Ask for what a plan of past days costs, each query once, and keep the tables in a folder. It takes the plans of \`marketdata plan\`, with a list of symbols, and days as a schedule names them, where one could stand:

  allowance: 10000 credits per day
  tasks:
    - chain: [SPX, AAPL]
      date: trading days of 2026-01-02..today
      contracts: 25000

The price is told before, and needs the consent that every price needs. Each table is a file such as chain/underlying=SPX/date=2026-11-20/part.parquet, whole or not there, and manifest.jsonl says what became of each query and what it cost. Stop it at any time: the same command goes on where it stood, and pays for nothing twice`

export const run = command({
  help,
  examples: [
    [
      "echo \"[{ chain: AAPL, date: 2026-11-18..2026-11-19, contracts: 3000 }]\" | marketdata run - -o chains",
      "Two days of a chain, as Parquet"
    ],
    [
      "echo \"[{ chain: AAPL, date: 2026-11-12..2026-11-19, contracts: 3000 }]\" | marketdata run - -o chains --dry-run",
      "What is there already, what would be asked, and what it may cost"
    ],
    [
      "echo \"[{ stock candles: [AAPL, MSFT], from: 2026-11-02, to: 2026-11-13 }]\" | marketdata run - -o candles --files csv",
      "Candles of two stocks, as CSV"
    ]
  ],
  flags,
  run: runPlan
})

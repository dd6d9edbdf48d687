/** What goes wrong in a story: crashes, hand-overs, partitions, outages. */
import type { Chance } from "@effect-marketdata/testing/Chance"
import type { SeededRuntime } from "@effect-marketdata/testing/SeededRuntime"
import * as Effect from "effect/Effect"
import type { Audit } from "./audit.ts"
import type { Database } from "./database.ts"
import type { Machine } from "./machine.ts"
import type { Network } from "./network.ts"

export interface Stage {
  readonly audit: Audit
  readonly chance: Chance
  readonly runtime: SeededRuntime
  readonly network: Network
  readonly database: Database
  readonly runners: ReadonlyArray<Machine>
  readonly callers: ReadonlyArray<Machine>
  /** When the last trouble is over. */
  readonly until: number
}

/** The names of all troubles. */
export const names = [
  "crash of a runner",
  "crash of a runner that has just sent",
  "hand-over",
  "cut off from the database",
  "cut off from all",
  "cut off from callers",
  "outage of the database",
  "crash of a caller"
] as const

const second = 1000

/** Makes trouble until it is time to stop, and then mends everything. */
export const make = (stage: Stage): Effect.Effect<void> => {
  const { audit, chance, database, network, runtime, until } = stage
  const trouble = Effect.whileLoop({
    while: () => runtime.now() < until,
    body: () =>
      Effect.andThen(
        Effect.sleep(chance.weigh([[2, chance.below(8)], [3, chance.below(30)], [1, chance.below(60)]]) * second + 1),
        Effect.sync(() => {
          if (runtime.now() < until) strike(stage)
        })
      ),
    step: () => {}
  })
  const mended = Effect.sync(() => {
    audit.atNextRequest(() => {})
    network.mend()
    database.out(0)
  })
  return Effect.andThen(trouble, mended)
}

/** The runner that sent last. */
const senderOf = ({ audit, runners }: Stage): Machine | undefined =>
  runners.find(({ name }) => audit.sender()?.startsWith(`${name}.`) === true)

const strike = (stage: Stage): void => {
  const { audit, callers, chance, database, network, runners, runtime } = stage
  // Mostly it is the one that sends.
  const sender = senderOf(stage)
  const runner = sender !== undefined && chance.is(0.6) ? sender : chance.pick(runners)
  const lasting = chance.pick([1, 4, 8, 15, 60]) * second
  chance.weigh<() => void>([
    [3, () => {
      audit.trouble("crash of a runner", runner.name)
      runner.kill(lasting)
    }],
    [3, () =>
      audit.atNextRequest(() => {
        const sender = senderOf(stage)
        runtime.post(() => {
          audit.trouble("crash of a runner that has just sent", sender?.name ?? "")
          sender?.kill(lasting)
        }, chance.pick([0, 0, 1, 5, 20, 40, 200]))
      })],
    [2, () => {
      audit.trouble("hand-over", runner.name)
      runner.stop(lasting)
    }],
    [3, () => {
      audit.trouble("cut off from the database", runner.name)
      network.cut(runner.name, "database", lasting)
    }],
    [1, () => {
      audit.trouble("cut off from all", runner.name)
      for (const { name } of [...runners, ...callers]) network.cut(runner.name, name, lasting)
      network.cut(runner.name, "database", lasting)
    }],
    [1, () => {
      audit.trouble("cut off from callers", runner.name)
      for (const { name } of callers) network.cut(runner.name, name, lasting)
    }],
    [1, () => {
      audit.trouble("outage of the database", "")
      database.out(lasting)
    }],
    [1, () => {
      const caller = chance.pick(callers)
      audit.trouble("crash of a caller", caller.name)
      caller.kill(lasting)
      audit.forget(caller.name)
    }]
  ])()
}

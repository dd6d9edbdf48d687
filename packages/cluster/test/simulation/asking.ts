/** What the program of a caller does: it asks until it is time to stop, and once more when all is mended. */
import { MarketData, Policies, RetryPolicy } from "@effect-marketdata/client"
import * as Gateway from "@effect-marketdata/cluster/Gateway"
import { CalendarDate, Query } from "@effect-marketdata/core"
import type { Chance } from "@effect-marketdata/testing/Chance"
import { Effect, Fiber, Result } from "effect"
import type { Audit } from "./audit.ts"
import * as Programs from "./programs.ts"

const second = 1000
const minute = 60 * second

/** As long as the rule of addresses may keep the account from the only runner that is left, and a takeover. */
export const longest = 5 * minute + 30 * second

/** As long as three attempts take of which each waits for a reply that does not come. */
export const leftBehind = 4 * minute

/** The first day of what is asked for: no two calls ask for the same. */
const firstDay = CalendarDate.makeUnsafe(2010, 1, 4)

/**
 * What callers have in common.
 *
 * - `patience`: how long they wait for an answer, in milliseconds
 * - `isOver`: whether it is time to stop; `isMended`: whether everything runs again, and no call is open
 * - `done`: what the gateway did when a caller had been answered in the end
 */
export interface Callers {
  readonly audit: Audit
  readonly chance: Chance
  readonly patience: number
  readonly world: Programs.World
  readonly isOver: () => boolean
  readonly isMended: () => boolean
  readonly done: Map<string, Gateway.Status>
  asked: number
}

/**
 * How a call is made: for how long its caller waits before it goes away, if it does, whether it is the last one, and the call that was answered of which
 * it asks for the same.
 */
interface How {
  readonly goesAfter?: number | undefined
  readonly isLast: boolean
  readonly again?: number | undefined
}

/** Asks for what no call has asked for, or for what one was answered with. */
const ask = (callers: Callers, caller: string, { again, goesAfter, isLast }: How) =>
  Effect.suspend(() => {
    const { audit, chance, world } = callers
    const number = again ?? callers.asked++
    const from = CalendarDate.addDays(firstDay, number)
    const attempts = isLast ? 1 : chance.pick([1, 1, 3])
    const call = audit.begin({
      number,
      from: CalendarDate.format(from),
      caller,
      patience: isLast ? longest : callers.patience,
      attempts,
      isLast,
      isThrifty: caller === Programs.thrifty && world.budget !== undefined,
      mayGo: goesAfter !== undefined
    })
    const query = Result.getOrThrow(Query.stockCandles("D", "AAPL", { from, to: CalendarDate.addDays(from, 5) }))
    return MarketData.run(query).pipe(
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ attempts })),
      Effect.provideService(Policies.IpRule, {
        whenHeld: isLast || chance.is(0.5) ? "wait" : "fail",
        heldBy: "addressBlock"
      }),
      Effect.onExit((exit) => Effect.sync(() => audit.end(call, exit)))
    )
  })

/** Asks, and some time does not wait for the answer. */
const one = Effect.fnUntraced(function*(callers: Callers, caller: string) {
  const { audit, chance, world } = callers
  const again = world.shares && chance.is(0.3) ? audit.answered() : undefined
  const goesAfter = chance.is(0.08) ? chance.pick([1, 30, 100, 1000]) : undefined
  const fiber = yield* Effect.forkChild(Effect.exit(ask(callers, caller, { goesAfter, isLast: false, again })))
  if (goesAfter !== undefined) {
    yield* Effect.sleep(goesAfter)
    yield* Fiber.interrupt(fiber)
  }
  yield* Fiber.await(fiber)
})

export const program = (callers: Callers, caller: string) =>
  Effect.gen(function*() {
    const { chance, done, isMended, isOver } = callers
    const pause = () => chance.weigh([[3, 0], [3, chance.below(2 * second)], [3, chance.below(12 * second)]])
    while (!isOver()) {
      yield* Effect.sleep(pause())
      yield* Effect.forkChild(one(callers, caller))
    }
    while (!isMended()) yield* Effect.sleep(second)
    const gateway = Gateway.layer({ account: Programs.account, caller, patience: longest })
    yield* Effect.exit(Effect.provide(ask(callers, caller, { isLast: true }), gateway))
    // A call of a caller that was cut off may run until the time of its attempts is over.
    const isEmpty = ({ running, waiting }: Gateway.Status): boolean => running + waiting === 0
    const look = Effect.delay(Gateway.status(Programs.account), second)
    done.set(caller, yield* Effect.repeat(look, { until: isEmpty, times: leftBehind / second }))
    return yield* Effect.never
  })

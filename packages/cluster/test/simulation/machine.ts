/** A machine whose program is started again when it ends, and killed if it does not end in time, as under a supervisor. */
import type { Chance } from "@effect-marketdata/testing/Chance"
import type { SeededRuntime } from "@effect-marketdata/testing/SeededRuntime"
import { Effect, type Fiber } from "effect"
import type { Host, Network } from "./network.ts"

export type Machine = ReturnType<typeof start>

/** How long a supervisor waits when a program ends by itself, in milliseconds. */
const restart = 2000

/** How long a program may take to end that is told to, in milliseconds: what is under way ends first. Kubernetes waits as long. */
export const grace = 30_000

/** Starts a machine; `life` counts its programs from 1 on. `onOverdue` hears of a program that is killed because it does not end. */
export const start = (
  { ahead, chance, name, network, onOverdue, program, runtime }: {
    readonly name: string
    readonly ahead: number
    readonly chance: Chance
    readonly network: Network
    readonly runtime: SeededRuntime
    readonly program: (host: Host, life: number) => Effect.Effect<unknown, unknown>
    readonly onOverdue: (host: Host) => void
  }
) => {
  let lives = 0
  let isOver = false
  let current: { readonly host: Host; readonly fiber: Fiber.Fiber<unknown, unknown>; pause: number } | undefined
  let next = () => {}

  const begin = (): void => {
    if (isOver || current !== undefined) return
    const host = network.host(name, ahead)
    const fiber = host.process.fork(program(host, ++lives))
    const mine = { host, fiber, pause: restart }
    current = mine
    fiber.addObserver(() => {
      if (current !== mine) return
      // What is left of a program that has ended ends with its process.
      runtime.post(() => host.kill())
      current = undefined
      again(mine.pause)
    })
  }
  const again = (pause: number): void => {
    next()
    next = runtime.post(begin, pause + chance.below(50) + 1)
  }
  /** Ends it at once, as kill -9 does; it starts again after a number of milliseconds. */
  const kill = (pause: number): void => {
    current?.host.kill()
    current = undefined
    again(pause)
  }
  /** Ends it in order. */
  const stop = (pause: number): void => {
    const told = current
    if (told === undefined) return
    told.pause = pause
    told.host.process.post(() => told.fiber.interruptUnsafe())
    runtime.post(() => {
      if (current !== told) return
      onOverdue(told.host)
      kill(told.pause)
    }, grace)
  }
  begin()
  return {
    name,
    /** Whether there is a program now. */
    isRunning: () => current !== undefined,
    kill,
    stop,
    /** Stops it for good. */
    end: () => {
      isOver = true
      stop(restart)
    }
  }
}

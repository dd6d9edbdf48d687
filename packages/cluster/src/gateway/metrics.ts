import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Room } from "../turns/room.ts"

/** The metrics of the gateway of one account. */
export const make = (account: string, room: Room) => {
  const attributes = { account }
  const running = Metric.gauge("marketdata.gateway.running", { description: "Calls that run.", attributes })
  const waiting = Metric.gauge("marketdata.gateway.waiting", { description: "Calls that wait for a turn.", attributes })
  const refused = Metric.counter("marketdata.gateway.refused", {
    description: "Calls that were refused because too many wait.",
    attributes,
    incremental: true
  })
  const update = Effect.flatMap(
    room.state,
    (state) => Effect.andThen(Metric.update(running, state.running), Metric.update(waiting, state.waiting))
  )
  return { update, refuse: Metric.update(refused, 1) }
}

/** Calls from other programs about an account that this runner does not serve: they are refused before anything is made for the account. */
import * as Reply from "effect/cluster/Reply"
import { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Serving from "../gateway/serving.ts"
import * as Connections from "../wire/connections.ts"
import * as Protocol from "../wire/Protocol.ts"

const ask = Protocol.Gateway.protocol.requests.get("Ask")!

/** The cluster as other programs see it. */
export const layer: Layer.Layer<Sharding, never, Sharding | Connections.Connections> = Layer.effect(
  Sharding,
  Effect.gen(function*() {
    const sharding = yield* Sharding
    const connections = yield* Connections.Connections
    return Sharding.of({
      ...sharding,
      send: (message) => {
        const { address } = message.envelope
        const { serves } = connections
        if (address.entityType !== Protocol.Gateway.type || serves === undefined || address.entityId === serves) {
          return sharding.send(message)
        }
        if (message._tag !== "IncomingRequest") return Effect.void
        const { requestId, tag } = message.envelope
        return Effect.gen(function*() {
          const id = yield* sharding.getSnowflake
          const failure = yield* Serving.foreign(address.entityId, serves)
          return yield* message.respond(
            tag === "Ask"
              ? new Reply.ReplyWithContext({
                rpc: ask,
                context: Context.empty() as Context.Context<unknown>,
                reply: new Reply.WithExit({ id, requestId, exit: Exit.fail(failure) })
              })
              : Reply.ReplyWithContext.fromDefect({ id, requestId, defect: `this runner serves another account` })
          )
        }).pipe(Effect.orDie)
      }
    })
  })
)

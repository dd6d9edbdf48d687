import * as Faults from "@effect-marketdata/sandbox/Faults"
import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
import type * as SandboxReply from "@effect-marketdata/sandbox/SandboxReply"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as LocalResponse from "../harness/localResponse.ts"
import type { Chance } from "./chance.ts"
import type { Machine } from "./machine.ts"
import * as Mishap from "./mishap.ts"

/**
 * A request and what became of it. `billed` is what the service's reply said, also where it was lost; `servedAt` is when the service
 * was done with it, `read` that the client has had the whole reply.
 */
export interface Exchange {
  readonly desk: string
  readonly call: number
  readonly target: string
  readonly sentAt: number
  readonly mishap: Mishap.Mishap | undefined
  status: number | undefined
  billed: number
  servedAt: number
  read: boolean
}

/** The number of the call for which something is sent; 0 for none. */
export const CurrentCall: Context.Reference<number> = Context.Reference<number>(
  "@effect-marketdata/testing/simulation/CurrentCall",
  { defaultValue: () => 0 }
)

/**
 * Everything that goes between clients and the service.
 *
 * - `clientAt`: an HTTP client whose requests come from an address
 * - `billed`: what the service has billed in all
 * - `calm`: while it is set nothing goes wrong
 */
export interface Wire {
  readonly clientAt: (desk: string, address: string) => HttpClient.HttpClient
  readonly billed: Effect.Effect<number>
  calm: boolean
}

/** How long a request is on its way when nothing goes wrong. */
export const calmMillis = 5

/** Lays the wire to a service. `sent` is told of each request, and `served` of each that the service is done with. */
export const make = Effect.fnUntraced(function*({ chance, machine, onSent, onServed, sandbox }: {
  readonly chance: Chance
  readonly machine: Machine
  readonly sandbox: Layer.Layer<Sandbox.Sandbox>
  readonly onSent: (exchange: Exchange) => void
  readonly onServed: (exchange: Exchange) => void
}): Effect.fn.Return<Wire, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const service = Context.get(yield* Layer.buildWithScope(sandbox, scope), Sandbox.Sandbox)
  const exchanges = new WeakMap<SandboxReply.SandboxRequest, Exchange>()
  const watched = Sandbox.Sandbox.of({
    ...service,
    handle: (request) =>
      Effect.map(service.handle(request), (reply) => {
        const exchange = exchanges.get(request)
        if (exchange !== undefined) {
          exchange.billed = Number(reply.headers["x-api-ratelimit-consumed"] ?? 0)
          exchange.status = reply.status
        }
        return reply
      })
  })
  const suffering = new Map<string, Sandbox.Sandbox["Service"]>()
  const sufferingFrom = Effect.fnUntraced(function*(kind: Faults.Kind) {
    const key = JSON.stringify(kind)
    const known = suffering.get(key)
    if (known !== undefined) return known
    const layer = Faults.layer({ seed: chance.below(2 ** 31), faults: [{ kind }] }).pipe(
      Layer.provide(Layer.succeed(Sandbox.Sandbox, watched))
    )
    const made = Context.get(yield* Layer.buildWithScope(layer, scope), Sandbox.Sandbox)
    suffering.set(key, made)
    return made
  })

  const serve = (request: SandboxReply.SandboxRequest, mishap: Mishap.Mishap | undefined) => {
    if (mishap?._tag === "Proxy") {
      return Effect.succeed({ status: mishap.status, headers: { "content-type": "text/plain" }, body: "a proxy" })
    }
    return mishap?._tag === "Fault"
      ? Effect.flatMap(sufferingFrom(mishap.kind), (sandbox) => sandbox.handle(request))
      : watched.handle(request)
  }

  /** Writes a request down, and says what the service does about it: also when nobody waits for it any more, and bills it. */
  const dispatch = (
    request: HttpClientRequest.HttpClientRequest,
    { address, asked, call, desk }: Pick<Exchange, "desk" | "call"> & {
      readonly address: string
      readonly asked: string
    }
  ) => {
    const mishap = wire.calm ? undefined : Mishap.draw(chance, asked)
    const target = mishap?._tag === "Mangling" ? Mishap.mangle(asked) : asked
    const sent: SandboxReply.SandboxRequest = { method: request.method, target, headers: request.headers, address }
    const exchange: Exchange = {
      desk,
      call,
      target: asked,
      sentAt: machine.now(),
      mishap,
      status: undefined,
      billed: 0,
      servedAt: -Infinity,
      read: false
    }
    exchanges.set(sent, exchange)
    onSent(exchange)
    const work = Effect.exit(serve(sent, mishap)).pipe(
      Effect.delay(wire.calm ? calmMillis : chance.pick([0, 1, 20, 150])),
      Effect.ensuring(Effect.sync(() => onServed(exchange)))
    )
    return { exchange, work }
  }

  const wire: Wire = {
    calm: false,
    billed: service.billed,
    clientAt: (desk, address) =>
      HttpClient.make((request, url) =>
        Effect.flatMap(CurrentCall, (call) =>
          // What is on its way cannot be called back.
          Effect.uninterruptibleMask((restore) => {
            const { exchange, work } = dispatch(request, { desk, address, call, asked: url.pathname + url.search })
            return Effect.flatMap(Effect.forkDetach(work), (fiber) =>
              Effect.flatMap(
                restore(Fiber.join(fiber)),
                (exit) => {
                  if (Exit.isFailure(exit)) return LocalResponse.lose(request, exit.cause)
                  exchange.status = exit.value.status
                  return Effect.succeed(LocalResponse.make(request, exit.value, () => void (exchange.read = true)))
                }
              ))
          }))
      )
  }
  return wire
})

/**
 * The sandbox's own pages below `/sandbox/`, which the service does not have: its faults, its clock, and the requests and charges of an account.
 * They answer clients on this machine only, and show an account only its own data.
 *
 * | request                      | what it does                                                                            |
 * | ---------------------------- | --------------------------------------------------------------------------------------- |
 * | `GET /sandbox/faults`        | the faults that are left                                                                |
 * | `PUT /sandbox/faults`        | replaces the script: `[{ "count": 1, "kind": { "_tag": "Status", "status": 503 } }]`     |
 * | `DELETE /sandbox/faults`     | removes all faults                                                                      |
 * | `GET /sandbox/clock`         | the sandbox's time                                                                      |
 * | `PUT /sandbox/clock`         | sets it: `{ "at": 1795194000 }`, in epoch seconds of the years 2000 to 2095              |
 * | `GET /sandbox/statement`     | what the account of the bearer token has spent in the open window, request by request   |
 * | `GET /sandbox/requests`      | the last requests of that account, 1000 by default                                      |
 *
 * @example
 * ```ts
 * import * as AdminApi from "@effect-marketdata/sandbox/AdminApi"
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as Effect from "effect/Effect"
 *
 * const request = { method: "GET", target: "/sandbox/statement", headers: {}, address: "127.0.0.1", body: "" }
 * const status = Effect.flatMap(AdminApi.make, (api) => Effect.map(api.handle(request), (reply) => reply.status))
 *
 * await Effect.runPromise(Effect.provide(status, Sandbox.layer())) // => 401
 * ```
 *
 * @since 0.1.0
 */
import * as NewYork from "@effect-marketdata/core/NewYork"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Billing from "../account/Billing.ts"
import * as Faults from "../fault/Faults.ts"
import { Sandbox } from "../service/Sandbox.ts"
import { SandboxClock } from "../view/SandboxClock.ts"
import * as SandboxReply from "../wire/SandboxReply.ts"
import * as WebServer from "./webServer.ts"

/**
 * A request with its body.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdminRequest extends SandboxReply.SandboxRequest {
  readonly body: string
}

/**
 * The pages.
 *
 * - `has`: returns whether a target is one of them
 * - `handle`: answers a request for one
 *
 * @category models
 * @since 0.1.0
 */
export interface AdminApi {
  readonly has: (target: string) => boolean
  readonly handle: (request: AdminRequest) => Effect.Effect<SandboxReply.SandboxReply>
}

type Reply = SandboxReply.SandboxReply

const ok = (value: unknown): Reply => SandboxReply.json(200, JSON.stringify(value))

const notThere = (what: string, layer: string): Effect.Effect<Reply> =>
  Effect.succeed(SandboxReply.failure(404, `This sandbox has no ${what}: provide ${layer} to its server.`))

const isNot = (what: string) => ({ message }: { readonly message: string }): Effect.Effect<Reply> =>
  Effect.succeed(SandboxReply.failure(400, `This is not ${what}: ${message}`))

/** A reader of bodies, which refuses what it does not know. */
const reader = <A>(schema: Schema.Codec<A>) =>
  Schema.decodeUnknownResult(Schema.fromJsonString(schema), { onExcessProperty: "error" })

const readScript = reader(Faults.Script)

const readClock = reader(Schema.Struct({ at: Schema.Finite }))

const bearer = ({ headers }: AdminRequest): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers["authorization"] ?? "")?.[1]

const withoutToken = SandboxReply.failure(
  401,
  "Send the account's token as a bearer token: it sees itself and no other."
)

/** An entry as its own account sees it: whose it is goes without saying. */
const shown = ({ credits, status, target, time }: Billing.Entry) => ({
  time,
  newYork: NewYork.format(time),
  target,
  status,
  credits
})

type Handler = (request: AdminRequest) => Effect.Effect<Reply>

/**
 * Makes the pages of a sandbox, with those of its faults and of its clock if it has them.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<AdminApi, never, Sandbox> = Effect.gen(function*() {
  const sandbox = yield* Sandbox
  const faults = yield* Effect.serviceOption(Faults.Faults)
  const clock = yield* Effect.serviceOption(SandboxClock)

  const ofFaults = (use: (faults: Faults.Faults["Service"]) => Effect.Effect<Reply>) =>
    Option.match(faults, { onNone: () => notThere("faults", "Faults.layer"), onSome: use })
  const setScript = (script: ReadonlyArray<Faults.Fault>) =>
    ofFaults(({ set }) => Effect.as(set(script), ok({ faults: script })))
  const time = Option.match(clock, {
    onNone: () => notThere("clock of its own", "SandboxClock.layer"),
    onSome: ({ now, pace }) => Effect.map(now, (at) => ok({ pace, at, newYork: NewYork.format(at) }))
  })
  const ofAccount = (tell: (statement: Billing.Statement) => object): Handler => (request) => {
    const token = bearer(request)
    if (token === undefined) return Effect.succeed(withoutToken)
    return Effect.map(sandbox.statement(token), (statement) => ok(tell(statement)))
  }

  const pages: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
    "/sandbox/faults": {
      GET: () => ofFaults(({ script }) => Effect.map(script, (faults) => ok({ faults }))),
      PUT: ({ body }) =>
        Result.match(readScript(body), { onFailure: isNot("a script of faults"), onSuccess: setScript }),
      DELETE: () => setScript([])
    },
    "/sandbox/clock": {
      GET: () => time,
      PUT: ({ body }) =>
        Result.match(readClock(body), {
          onFailure: isNot("a time"),
          onSuccess: ({ at }) =>
            Option.match(clock, {
              onNone: () => time,
              onSome: ({ set }) => Effect.matchEffect(set(at), { onFailure: isNot("a time"), onSuccess: () => time })
            })
        })
    },
    "/sandbox/statement": {
      GET: ofAccount(({ entries, ...sums }) => {
        const inWindow = entries.filter(({ time }) => sums.opened <= time && time < sums.resets)
        return { ...sums, entries: inWindow.map(shown) }
      })
    },
    "/sandbox/requests": {
      GET: ofAccount(({ entries }) => ({ requests: entries.map(shown) }))
    }
  }

  return {
    has: (target) => Object.hasOwn(pages, target),
    handle: (request) => {
      const methods = pages[request.target] ?? {}
      const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
      if (!isFromHere(request)) {
        return Effect.succeed(SandboxReply.failure(403, "These pages answer programs of this machine only."))
      }
      if (handler === undefined) {
        const refusal = SandboxReply.failure(405, "Method not allowed.")
        return Effect.succeed({ ...refusal, headers: { ...refusal.headers, allow: Object.keys(methods).join(", ") } })
      }
      return handler(request)
    }
  }
})

/** Whether a request is of this machine and not of a web page, which could send a form, or make its own name resolve to this machine. */
const isFromHere = ({ address, headers }: AdminRequest): boolean =>
  WebServer.isLoopback(address) &&
  WebServer.isLoopback(WebServer.hostOf(headers["host"] ?? "localhost")) &&
  (headers["origin"] === undefined || headers["origin"] === `http://${headers["host"]}`)

/**
 * The service as a small state machine: time, accounts, addresses, credits and the cache, and what the contract says of every request in
 * every state. It shares no code with the sandbox, only core's rules. Random stories are played to a subject, which is a service or a
 * client, and to the model; if the two differ, the shortest such story is reported.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@effect-marketdata/sandbox/Sandbox"
 * import * as Model from "@effect-marketdata/testing/Model"
 * import * as Effect from "effect/Effect"
 *
 * const held = await Effect.runPromise(Model.check(Model.ofService(Sandbox.layer), { seed: 1, runs: 5 }))
 * held.runs // => 5
 * ```
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import { Difference, type Subject, type World } from "./playing.ts"
import * as Service from "./service.ts"
import { setting } from "./service.ts"
import { commands } from "./stories.ts"

/**
 * A query of a story, and who asks it from where.
 *
 * @category models
 * @since 0.1.0
 */
export type { Ask } from "./service.ts"

/**
 * The result of one request: the status, the credits that it cost, and how many rows the reply had; undefined if that is not known. `target` is the path
 * and the parameters of the request: without them the model cannot tell in which mode a client falls back.
 *
 * @category models
 * @since 0.1.0
 */
export type { Reply } from "./service.ts"

/**
 * What stories are played to, what it answers, where its ledger stands, and a story as far as it has been played.
 *
 * @category models
 * @since 0.1.0
 */
export type { Balance, Observation, Subject, World } from "./playing.ts"

/**
 * How a service has to be set up for the model: its accounts by their tokens, the symbols that are cached only after a request for
 * fresh data, and the time at which stories begin, in epoch seconds.
 *
 * @category constants
 * @since 0.1.0
 */
export { setting } from "./service.ts"

/**
 * Generates stories, for `fc.asyncModelRun` over `initial`.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export { commands } from "./stories.ts"

/**
 * Make subjects in this process: a service, which is the sandbox or something around it, or a client in front of one, with a client for each
 * account and address and a ledger of its own.
 *
 * @category constructors
 * @since 0.1.0
 */
export { type ClientOptions, ofClient, ofService } from "./subjects.ts"

/**
 * The state in which every story begins.
 *
 * @category models
 * @since 0.1.0
 */
export const initial = (): World => ({ service: Service.at(setting.at), clients: new Map(), story: [] })

/**
 * How the model is checked.
 *
 * - `runs`: how many stories, 100 by default; `longest`: how many steps one has at most, 12 by default
 * - `seed`, `path`, `replayPath`: those of a failure, to reproduce it
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  readonly runs?: number | undefined
  readonly longest?: number | undefined
  readonly seed?: number | undefined
  readonly path?: string | undefined
  readonly replayPath?: string | undefined
}

/**
 * The model held in a number of stories.
 *
 * @category models
 * @since 0.1.0
 */
export interface Held {
  readonly runs: number
  readonly seed: number
}

/**
 * A story in which the subject differs from the model: the shortest that was found, step by step in words, and how its last step ended.
 *
 * @category errors
 * @since 0.1.0
 */
export class ModelBroken extends Data.TaggedError("ModelBroken")<{
  readonly story: ReadonlyArray<string>
  readonly complaint: string
  readonly seed: number
  readonly path: string
  readonly replayPath: string
}> {
  override get message(): string {
    return [
      ...this.story.map((step, at) => `${at + 1}. ${step}`),
      this.complaint,
      `see it again: { seed: ${this.seed}, path: "${this.path}", replayPath: "${this.replayPath}" }`
    ].join("\n")
  }
}

/**
 * Plays stories to a subject, and looks for the shortest in which it differs from the model. A new subject is made for every story, and its time
 * begins at `setting.at`.
 *
 * @category running
 * @since 0.1.0
 */
export const check = <R>(
  subject: Effect.Effect<Subject, never, R | Scope.Scope>,
  options: Options = {}
): Effect.Effect<Held, ModelBroken, Exclude<R, Scope.Scope>> =>
  Effect.flatMap(
    Effect.context<Exclude<R, Scope.Scope>>(),
    (context) => Effect.flatMap(Effect.promise(() => attempt(subject, context, options)), Effect.fromResult)
  )

const attempt = async <R>(
  subject: Effect.Effect<Subject, never, R | Scope.Scope>,
  context: Context.Context<Exclude<R, Scope.Scope>>,
  { longest, path, replayPath, runs = 100, seed }: Options
): Promise<Result.Result<Held, ModelBroken>> => {
  const run = Effect.runPromiseWith(context)
  const kind = await run(Effect.scoped(Effect.map(subject, ({ kind }) => kind)))
  const property = fc.asyncProperty(commands(kind, { longest, replayPath }), async (story) => {
    const scope = await run(Scope.make())
    try {
      const real = await run(
        Effect.provideService(subject, Scope.Scope, scope) as Effect.Effect<Subject, never, Exclude<R, Scope.Scope>>
      )
      await fc.asyncModelRun(() => ({ model: initial(), real }), story)
    } finally {
      await run(Scope.close(scope, Exit.void))
    }
  })
  const details = await fc.check(property, {
    numRuns: runs,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path })
  })
  if (details.counterexample === null) return Result.succeed({ runs: details.numRuns, seed: details.seed })
  const error: unknown = details.errorInstance
  return Result.fail(
    new ModelBroken({
      story: error instanceof Difference ? error.story : [],
      complaint: error instanceof Error ? error.message : String(error),
      seed: details.seed,
      path: details.counterexamplePath ?? "",
      replayPath: /replayPath="(.*?)"/.exec(fc.stringify(details.counterexample[0]))?.[1] ?? ""
    })
  )
}

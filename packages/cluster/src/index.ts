/**
 * Many machines, one account.
 *
 * @module @effect-marketdata/cluster
 * @since 0.1.0
 */
export * as Bytes from "./wire/Bytes.ts"
export * as Gateway from "./gateway/Gateway.ts"
export * as Health from "./runner/Health.ts"
export * as Job from "./job/Job.ts"
export * as JobError from "./job/JobError.ts"
export * as JobSink from "./job/JobSink.ts"
export * as Protocol from "./wire/Protocol.ts"
export * as Runner from "./runner/Runner.ts"
export * as Turns from "./turns/Turns.ts"

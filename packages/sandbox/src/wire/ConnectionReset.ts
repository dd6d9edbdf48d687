/**
 * A connection that broke: no reply, or half of one. Nobody who asks the sandbox can recover from it, so that it is a defect of `handle`,
 * and of a body that is being read; the carrier makes of it what its transport knows: the server closes the socket, the
 * client in this process fails with its transport error.
 *
 * @example
 * ```ts
 * import { ConnectionReset } from "@effect-marketdata/sandbox/ConnectionReset"
 *
 * new ConnectionReset({ when: "before the reply" }).message // => "the connection was reset before the reply"
 * ```
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"

/**
 * The connection was reset, before any byte of a reply or within its body.
 *
 * @category errors
 * @since 0.1.0
 */
export class ConnectionReset extends Data.TaggedError("ConnectionReset")<{
  readonly when: "before the reply" | "within the body"
}> {
  override get message(): string {
    return `the connection was reset ${this.when}`
  }
}

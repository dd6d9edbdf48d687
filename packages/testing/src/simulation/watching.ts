import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

/** Is told where a text was written, and the text. */
export type Seek = (where: string, text: string) => void

/** Tells every text of spans and logs, and gives spans numbers in place of random ids. */
export const watching = (seek: Seek): Context.Context<never> => {
  let spans = 0
  return Context.make(
    Tracer.Tracer,
    Tracer.make({ span: (options) => new WatchedSpan(options, seek, ++spans) })
  ).pipe(Context.add(
    Logger.CurrentLoggers,
    new Set([Logger.make(({ cause, message }) => seek("a log", `${String(message)} ${Cause.pretty(cause)}`))])
  ))
}

class WatchedSpan extends Tracer.NativeSpan {
  private readonly seek: Seek
  private readonly number: number
  constructor(
    options: ConstructorParameters<typeof Tracer.NativeSpan>[0],
    seek: Seek,
    number: number
  ) {
    super(options)
    this.seek = seek
    this.number = number
    seek("the name of a span", options.name)
  }
  // The ids go out with the requests, and come back in replies: they must not be others in every run.
  override get spanId(): string {
    return this.number.toString(16).padStart(16, "0")
  }
  override get traceId(): string {
    return Option.getOrUndefined(this.parent)?.traceId ?? this.number.toString(16).padStart(32, "0")
  }
  override attribute(key: string, value: unknown): void {
    this.seek("an attribute of a span", `${key} ${String(value)}`)
    super.attribute(key, value)
  }
  override event(name: string, startTime: bigint, attributes?: Record<string, unknown>): void {
    this.seek("an event of a span", `${name} ${JSON.stringify(attributes)}`)
    super.event(name, startTime, attributes)
  }
}

import * as Result from "effect/Result"
import * as DataMode from "../account/DataMode.ts"
import * as MaxAge from "../time/MaxAge.ts"
import type { InvalidQuery } from "../reason/Reason.ts"
import * as Parameter from "./parameter.ts"
import * as Rules from "./rules.ts"
import * as Untyped from "../text/untyped.ts"

/** A mode and its greatest age, parsed. */
export interface Read {
  readonly mode: DataMode.DataMode
  readonly maxAge: MaxAge.MaxAge | undefined
}

/** Every mode, with the greatest age that it has. */
const modes: { readonly [Tag in DataMode.DataMode["_tag"]]: (maxAge: MaxAge.MaxAge | undefined) => DataMode.DataMode } =
  {
    Live: () => DataMode.live,
    Delayed: () => DataMode.delayed,
    Cached: (maxAge) => DataMode.cached({ maxAge }),
    CachedOrLive: (maxAge) => DataMode.cachedOrLive({ maxAge }),
    Eod: () => DataMode.eod,
    Historical: () => DataMode.historical
  }

const fields = {
  _tag: Parameter.choice(Object.keys(modes) as ReadonlyArray<DataMode.DataMode["_tag"]>),
  maxAge: (_: string, input: unknown) => Parameter.parsedBy(MaxAge.parse)("maxAge", input)
}

/**
 * Reads a mode: a value of `DataMode`, or its name as the contract spells it (clause 8.2-modes), which is what JSON, URLs and untyped code
 * have. A greatest age belongs to cached modes only (clause 4.1-maxage-cached-only).
 */
export const read: Parameter.Reader<Read> = (name, input) =>
  Result.gen(function*() {
    if (Untyped.entries(input) === undefined) {
      const mode = typeof input === "string" ? DataMode.fromParameter(input) : undefined
      return mode === undefined ? yield* Parameter.refuse(name, input, Rules.mode) : { mode, maxAge: undefined }
    }
    const { _tag, maxAge } = yield* Parameter.readOptions(name, input, fields, `${name}.`)
    if (_tag === undefined) return yield* Parameter.refuse(name, input, Rules.mode)
    const mode = modes[_tag](maxAge)
    return maxAge === undefined || DataMode.isCached(mode)
      ? { mode, maxAge }
      : yield* Parameter.refuse("maxAge", MaxAge.format(maxAge), Rules.maxAgeUncached)
  })

/**
 * Checks the mode of a query that may have been changed since it was made. A name is refused as well: all that looks at a query's mode
 * looks at its tag.
 */
export const check = (mode: unknown): Result.Result<void, InvalidQuery> => {
  if (mode === undefined) return Result.succeed(undefined)
  return DataMode.isDataMode(mode)
    ? Result.map(read("mode", mode), () => undefined)
    : Parameter.refuse("mode", mode, Rules.mode)
}

import type { Fault } from "../fault.ts"

const mode = "packages/core/src/account/DataMode.ts"
const maxAge = "packages/core/src/time/MaxAge.ts"

/** What the rules about modes and ages could get wrong. */
export const faults: ReadonlyArray<Fault> = [
  { clause: "8.2-modes", file: mode, find: `CachedOrLive: "cached",`, replace: `CachedOrLive: "live",` },
  { clause: "8.2-modes", file: mode, find: `["cache", cached()],`, replace: "" },
  {
    clause: "8.2-modes",
    file: mode,
    find: "mode !== undefined && known.includes(parameter(mode)) ? mode : undefined",
    replace: "known.length > 0 ? mode : undefined"
  },
  {
    clause: "4.1-maxage-cached-only",
    file: mode,
    find: `export const live: Live = { _tag: "Live" }`,
    replace: `export const live = { _tag: "Live", maxAge: undefined } as unknown as Live`
  },
  {
    clause: "8.3-maxage-forms",
    file: maxAge,
    find: `resolution._tag === "Unique" ? resolution.epochSeconds : resolution.later`,
    replace: `resolution._tag === "Unique" ? resolution.epochSeconds : resolution.earlier`
  },
  { clause: "8.3-maxage-forms", file: maxAge, find: "isRepeated ? 2 * 3600 : secondOfDay", replace: "secondOfDay" },
  { clause: "8.3-maxage-forms", file: maxAge, find: "Number(moment[2] ?? 0)", replace: "Number(moment[2] ?? 16)" },
  {
    clause: "8.3-maxage-forms",
    file: maxAge,
    find: "minutes: Math.floor(minutes)",
    replace: "minutes: Math.ceil(minutes)"
  },
  {
    clause: "8.3-maxage-forms",
    file: maxAge,
    find: `if (moment[5] !== undefined) return Result.fail("HasOffset")`,
    replace: ""
  },
  {
    clause: "8.3-age",
    file: maxAge,
    find: "if (self === undefined) return true",
    replace: "if (self === undefined) return false"
  }
]

/**
 * What others may leave in the place of a file or a folder, for fast-check: what never ends, is a link, is damaged, is somebody else's or belongs
 * elsewhere.
 */
import * as fc from "fast-check"
import { execFileSync, spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

/** What lies in a place: its bytes are spoilt at `at` by `change`. */
export interface Hostile<Place extends string> {
  readonly kind: keyof typeof kinds
  readonly place: Place
  readonly at: number
  readonly change: number
}

/** Whose files must stay as they are. */
type Stranger = Readonly<Record<"folder" | "file", string>>

/** A user that is nobody's, by number. */
const other = 54_321

const isRoot = process.geteuid?.() === 0

type Put = (path: string, whole: Uint8Array, hostile: Hostile<string>, stranger: Stranger) => void

const write = (of: (whole: Uint8Array, hostile: Hostile<string>) => Uint8Array): Put => (path, whole, hostile) =>
  Fs.writeFileSync(path, of(whole, hostile))

/** Puts what was there back, with something about it changed. */
const back = (path: string, whole: Uint8Array): void => {
  if (whole.length > 0) Fs.writeFileSync(path, whole)
  else Fs.mkdirSync(path)
}

export const kinds = {
  fifo: (path) => void execFileSync("mkfifo", [path]),
  device: (path) => isRoot ? void execFileSync("mknod", [path, "c", "1", "5"]) : Fs.symlinkSync("/dev/zero", path),
  endless: (path) => Fs.symlinkSync("/dev/zero", path),
  linkToFile: (path, _, __, { file }) => Fs.symlinkSync(file, path),
  linkToFolder: (path, _, __, { folder }) => Fs.symlinkSync(folder, path),
  linkToSame: (path, _, __, { folder }) => Fs.symlinkSync(join(folder, basename(path)), path),
  loop: (path) => Fs.symlinkSync(path, path),
  nowhere: (path) => Fs.symlinkSync(`${path}.none`, path),
  hardLink: (path, _, __, { file }) => Fs.linkSync(file, path),
  folder: (path) => void Fs.mkdirSync(join(path, "more"), { recursive: true }),
  sparse: (path, whole) => {
    Fs.writeFileSync(path, whole)
    Fs.truncateSync(path, 1_900_000_000)
  },
  empty: write(() => new Uint8Array(0)),
  cut: write((whole, { at }) => whole.subarray(0, at % (whole.length + 1))),
  longer: write((whole, { change }) => new Uint8Array([...whole, change])),
  flipped: write((whole, { at, change }) =>
    whole.map((byte, index) => index === at % whole.length ? byte ^ change : byte)
  ),
  garbage: write((_, { at, change }) => new Uint8Array(at % 70_000).fill(change)),
  foreign: (path, whole) => {
    back(path, whole)
    if (isRoot) Fs.chownSync(path, other, other)
  },
  closed: (path, whole) => {
    back(path, whole)
    Fs.chmodSync(path, 0)
  },
  open: (path, whole) => {
    back(path, whole)
    Fs.chmodSync(path, 0o777)
  },
  gone: () => {}
} satisfies Readonly<Record<string, Put>>

/** The names of kinds, or of places. */
export const names = <Of extends object>(of: Of) => Object.keys(of) as Array<keyof Of & string>

/** Anything hostile in any of some places. */
export const hostileIn = <Place extends string>(places: ReadonlyArray<Place>): fc.Arbitrary<Hostile<Place>> =>
  fc.record({
    kind: fc.constantFrom(...names(kinds)),
    place: fc.constantFrom(...places),
    at: fc.nat(),
    change: fc.integer({ min: 1, max: 255 })
  })

/** One of a kind in a place. */
export const made = <Place extends string>(kind: keyof typeof kinds, place: Place): Hostile<Place> => ({
  kind,
  place,
  at: 60,
  change: 1
})

/** Lays it where a path leads. */
export const lay = (path: string, one: Hostile<string>, stranger: Stranger): void => {
  const whole = Fs.existsSync(path) && Fs.statSync(path).isFile() ? Fs.readFileSync(path) : new Uint8Array(0)
  Fs.rmSync(path, { recursive: true, force: true })
  kinds[one.kind](path, whole, one, stranger)
}

/** What a folder holds, down to times and modes. */
export const stateOf = (folder: string): string =>
  JSON.stringify(
    Fs.readdirSync(folder).toSorted().map((name) => {
      const { mode, mtimeMs, size, uid } = Fs.lstatSync(join(folder, name))
      return [name, mode, mtimeMs, size, uid]
    })
  )

/** What came of playing one: what went wrong, and how long the slowest step took in milliseconds. */
export interface Came {
  readonly problems: ReadonlyArray<string>
  readonly slowest: number
}

/** Plays some, one after the other, each in a folder of its own. */
export const playAll = async <Place extends string>(
  all: Iterable<Hostile<Place>>,
  playOne: (one: Hostile<Place>, base: string) => Promise<Came>
) => {
  const problems: Array<string> = []
  let [played, slowest] = [0, 0]
  for (const one of all) {
    const base = Fs.mkdtempSync(join(tmpdir(), "hostile-"))
    try {
      const came = await playOne(one, base)
      played++
      problems.push(
        ...came.problems.map((problem) => `${one.kind} as ${one.place} (${one.at}, ${one.change}): ${problem}`)
      )
      // Until then nothing was compiled.
      if (played > 1) slowest = Math.max(slowest, came.slowest)
    } finally {
      // Nobody but root removes what may not be listed.
      spawnSync("chmod", ["-R", "u+rwX", base])
      Fs.rmSync(base, { recursive: true, force: true })
    }
  }
  return { played, problems, slowest, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) }
}

/** Draws until some milliseconds are over, one at least. */
export const drawnFor = function*<Place extends string>(
  hostile: fc.Arbitrary<Hostile<Place>>,
  seed: number,
  milliseconds: number
) {
  const began = performance.now()
  for (let number = 0; number === 0 || performance.now() - began < milliseconds; number++) {
    yield fc.sample(hostile, { seed: seed + number, numRuns: 1 })[0]!
  }
}

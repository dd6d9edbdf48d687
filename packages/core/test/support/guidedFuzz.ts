/**
 * Looks for replies that lead the decoder somewhere new: a state in which it meets a kind of byte that it has not met there, or a loop that
 * stops for another reason. Such replies are kept, and changed again. Each is read in every way, and compared with the oracle.
 */
import { compare } from "./differential.ts"
import { document, mutate, subjects } from "./documents.ts"
import { listen } from "./probes.ts"
import * as Random from "./random.ts"

/** How far a run has come. */
export interface Progress {
  readonly executions: number
  readonly accepted: number
  readonly corpus: number
  readonly pairs: number
  readonly heapMegabytes: number
}

/** Longer replies say nothing that shorter ones do not, and take longer. */
const longest = 4096

/** The heap and the buffers that are in use may not pass this. */
const mostMegabytes = 512

const named: Readonly<Record<string, string>> = Object.fromEntries(
  [..."\"\\/,:[]{}-+.0eEtfnub "].map((character) => [character.charCodeAt(0), character])
)

/** The kinds of byte that a reader of JSON might tell apart. */
const classOf = (byte: number): string =>
  named[byte] ??
    (byte >= 49 && byte <= 57
      ? "digit"
      : byte === 10 || byte === 13 || byte === 9
      ? "blank"
      : byte < 32
      ? byte === 0 ? "zero" : "control"
      : byte < 127
      ? "other"
      : byte === 0xff
      ? "ones"
      : byte >= 0xc0
      ? "lead"
      : "continuation")

/** Joins the beginning of one reply and the end of another. */
const crossed = ({ below }: Random.Random, a: Uint8Array, b: Uint8Array): Uint8Array =>
  Uint8Array.of(...a.subarray(0, below(a.length + 1)), ...b.subarray(below(b.length + 1)))

/** Runs until `isOver`, which is told the executions so far; throws at the first difference, crash, endless loop or leak, with the reply that shows it. */
export const run = (seed: number, isOver: (executions: number) => boolean, report: (progress: Progress) => void) => {
  const random = Random.make(seed)
  const { below, chance, pick } = random
  const pairs = new Set<string>()
  const corpus = subjects.map((subject) => ({ subject, bytes: new TextEncoder().encode(document(random, subject)) }))
  let executions = 0
  let accepted = 0
  let steps = 0
  let allowed = Infinity
  let isNew = false
  const meet = (pair: string): void => {
    if (pairs.has(pair)) return
    pairs.add(pair)
    isNew = true
  }
  listen((place, byte) => {
    if (++steps > allowed) throw new Error(`more than ${allowed} steps: an endless loop?`)
    meet(`${place} × ${classOf(byte)}`)
  })
  const progress = (): Progress => {
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    const heapMegabytes = Math.round((heapUsed + arrayBuffers) / 1e6)
    return { executions, accepted, corpus: corpus.length, pairs: pairs.size, heapMegabytes }
  }
  while (!isOver(executions)) {
    // Half of the time one of the newest: what leads somewhere new is near to what did.
    const entry = chance(0.5) ? pick(corpus) : corpus[corpus.length - 1 - below(Math.min(corpus.length, 20))]!
    const subject = chance(0.9) ? entry.subject : pick(subjects)
    const source = chance(0.1)
      ? crossed(random, entry.bytes, pick(corpus).bytes)
      : chance(0.3)
      ? new TextEncoder().encode(document(random, subject))
      : entry.bytes
    const bytes = mutate(random, source).subarray(0, longest)
    steps = 0
    // Read four times, each byte in a piece of its own at worst, and a few steps a piece.
    allowed = 4 * 8 * (bytes.length + 16)
    isNew = false
    try {
      const error = compare(random, subject, bytes)
      if (error === undefined) accepted++
      else {
        const { code, column = "" } = JSON.parse(error)
        const storage = Object.hasOwn(subject.spec, column) ? subject.spec[column]!.kind.storage._tag : "no column"
        meet(`${code} in ${storage}`)
      }
    } catch (error) {
      const input = Buffer.from(bytes).toString("base64")
      throw new Error(
        `execution ${executions} of seed ${seed}, subject ${subjects.indexOf(subject)}, base64 ${input}`,
        { cause: error }
      )
    }
    executions++
    if (isNew) corpus.push({ subject, bytes: bytes.slice() })
    if (executions % 10_000 === 0) {
      const now = progress()
      report(now)
      if (now.heapMegabytes > mostMegabytes) throw new Error(`${now.heapMegabytes} MB in use: a leak?`)
    }
  }
  return progress()
}

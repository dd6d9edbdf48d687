/** The verdicts of earlier trials. One counts as long as neither its fault nor any source or test has changed. */
import { createHash } from "node:crypto"
import type { Fault } from "../faults/fault.ts"
import * as Kept from "./kept.ts"
import type { Verdict } from "./trial.ts"

/** Verdicts by fault, all on sources of one fingerprint. */
export type Verdicts = ReadonlyMap<string, Verdict>

/** Names a fault by its content. */
export const keyOf = ({ broken, clause, declaration, file, from, index, package: own }: Fault): string =>
  createHash("sha256").update(JSON.stringify([own, clause, file, declaration, broken, from, index])).digest("hex")

interface Stored {
  readonly fingerprint: string
  readonly verdicts: Readonly<Record<string, Verdict>>
}

const path = ".conformance/faults.json"

/** Reads the verdicts that hold for sources of this fingerprint. */
export const read = (root: string, fingerprint: string): Verdicts => {
  const stored = Kept.read<Stored>(root, path)
  return new Map(stored?.fingerprint === fingerprint ? Object.entries(stored.verdicts) : [])
}

export const write = (root: string, fingerprint: string, verdicts: Verdicts): void =>
  Kept.write(root, path, { fingerprint, verdicts: Object.fromEntries(verdicts) } satisfies Stored)

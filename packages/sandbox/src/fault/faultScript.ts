import type { Fault, Kind } from "./fault.ts"
import * as SeededNoise from "../market/SeededNoise.ts"

/** What is still to strike, and how often chance was asked. */
export interface FaultScript {
  readonly seed: number
  readonly draws: number
  readonly faults: ReadonlyArray<Fault>
}

/** A script at its beginning. */
export const make = (seed: number, faults: ReadonlyArray<Fault>): FaultScript => ({
  seed,
  draws: 0,
  faults: live(faults)
})

/** Another script; chance goes on where it was. */
export const replace = (self: FaultScript, faults: ReadonlyArray<Fault>): FaultScript => ({
  ...self,
  faults: live(faults)
})

/** What is still to strike. */
export const remaining = ({ faults }: FaultScript): ReadonlyArray<Fault> => faults

const live = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> => faults.filter(({ count }) => count !== 0)

/** What strikes a request, with a number of its own for what chance decides about it. */
export interface Drawn {
  readonly kind: Kind
  readonly seed: number
}

/** Draws what strikes a request: the first fault that does, which is then used up by one. */
export const draw = (self: FaultScript, target: string): readonly [Drawn | undefined, FaultScript] => {
  let draws = self.draws
  for (const [at, fault] of self.faults.entries()) {
    if (fault.match !== undefined && !target.startsWith(fault.match)) continue
    const seed = SeededNoise.mix(self.seed, draws++)
    if (SeededNoise.unit(seed) >= (fault.probability ?? 1)) continue
    const used = fault.count === undefined ? fault : { ...fault, count: fault.count - 1 }
    return [{ kind: fault.kind, seed }, { ...self, draws, faults: live(self.faults.with(at, used)) }]
  }
  return [undefined, { ...self, draws }]
}

/** The network between simulated machines: what goes over it takes a while, and links can be cut. */
import type { Chance } from "@effect-marketdata/testing/Chance"
import type { Process, SeededRuntime } from "@effect-marketdata/testing/SeededRuntime"

/** A machine while it runs. A machine that is started again is another host of the same name. */
export interface Host {
  readonly name: string
  readonly process: Process
  /** Ends it at once; what others have open to it breaks. */
  readonly kill: () => void
  /** What happens elsewhere when it is killed. */
  readonly onKill: Set<() => void>
}

/**
 * - `carry`: runs a task at another host when it has arrived there, not before a time, and says when that is. What is sent while the link is cut arrives when
 *   it is mended, as TCP sends it again
 * - `cut`: cuts the link between two machines for a number of milliseconds
 */
export interface Network {
  readonly host: (name: string, ahead?: number) => Host
  readonly carry: (from: Host, to: Host, task: () => void, notBefore?: number) => number
  readonly cut: (one: string, other: string, milliseconds: number) => void
  readonly mend: () => void
}

const linkOf = (one: string, other: string): string => one < other ? `${one} ${other}` : `${other} ${one}`

export const make = ({ chance, runtime }: { readonly chance: Chance; readonly runtime: SeededRuntime }): Network => {
  const cuts = new Map<string, number>()
  return {
    host: (name, ahead = 0) => {
      const process = runtime.process({ ahead })
      const onKill = new Set<() => void>()
      const kill = () => {
        process.kill()
        for (const tell of onKill) tell()
      }
      return { name, process, kill, onKill }
    },
    carry: (from, to, task, notBefore = 0) => {
      const now = runtime.now()
      const mended = cuts.get(linkOf(from.name, to.name)) ?? 0
      const latency = chance.weigh([[6, 0], [6, 1], [2, 3], [1, 30]])
      const arrives = Math.max(notBefore, (mended > now ? mended + chance.below(300) : now) + latency)
      to.process.post(task, arrives - now)
      return arrives
    },
    cut: (one, other, milliseconds) => void cuts.set(linkOf(one, other), runtime.now() + milliseconds),
    mend: () => cuts.clear()
  }
}

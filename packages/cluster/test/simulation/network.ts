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

export type Network = ReturnType<typeof make>

const linkOf = (one: string, other: string): string => one < other ? `${one} ${other}` : `${other} ${one}`

export const make = ({ chance, runtime }: { readonly chance: Chance; readonly runtime: SeededRuntime }) => {
  const cuts = new Map<string, number>()
  return {
    host: (name: string, ahead = 0): Host => {
      const process = runtime.process({ ahead })
      const onKill = new Set<() => void>()
      const kill = () => {
        process.kill()
        for (const tell of onKill) tell()
      }
      return { name, process, kill, onKill }
    },
    /**
     * Runs a task at another host when it has arrived there, not before a time, and says when that is. What is sent while the link is cut arrives when it
     * is mended, as TCP sends it again.
     */
    carry: (from: Host, to: Host, task: () => void, notBefore = 0) => {
      const now = runtime.now()
      const mended = cuts.get(linkOf(from.name, to.name)) ?? 0
      const latency = chance.weigh([[6, 0], [6, 1], [2, 3], [1, 30]])
      const arrives = Math.max(notBefore, (mended > now ? mended + chance.below(300) : now) + latency)
      to.process.post(task, arrives - now)
      return arrives
    },
    /** Cuts the link between two machines. */
    cut: (one: string, other: string, milliseconds: number) =>
      void cuts.set(linkOf(one, other), runtime.now() + milliseconds),
    mend: () => cuts.clear()
  }
}

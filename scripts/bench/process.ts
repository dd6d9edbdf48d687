/** Runs the processes of a bench: each is `worker.ts` in the folder of the bench. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fromSource } from "../shared/script.ts"

/** What runs a worker. */
export interface Worker {
  readonly node?: string
  readonly flags?: ReadonlyArray<string>
  /** The program, or the bench that has it. */
  readonly program: string
}

const start = (
  { flags = [fromSource], node = process.execPath, program }: Worker,
  args: ReadonlyArray<string | number>
): ChildProcess => {
  const path = program.includes(".") ? program : join(import.meta.dirname, program, "worker.ts")
  return spawn(node, [...flags, path, ...args.map(String)], { stdio: ["ignore", "pipe", "inherit"] })
}

const answerOf = async <A>(child: ChildProcess): Promise<A> => {
  for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line)
  throw new Error("the process of the bench ended without a figure")
}

/** Runs a process to its end, and returns what it measured. */
export const ask = <A>(worker: Worker, ...args: ReadonlyArray<string | number>): Promise<A> =>
  answerOf(start(worker, args))

/** Starts a process that serves, and returns its port. It ends with the block that started it. */
export const serve = async (worker: Worker, ...args: ReadonlyArray<string | number>) => {
  const server = start(worker, args)
  return { port: await answerOf<number>(server), [Symbol.dispose]: () => void server.kill() }
}

/** Measures several times beside a server of prepared replies, by its port. */
export const besideReplies = async <A>(times: number, measure: (port: number) => Promise<A>) => {
  using server = await serve({ program: "call" }, "serve")
  return await repeat(times, () => measure(server.port))
}

/** Measures several times, one after the other. */
export const repeat = async <A>(times: number, measure: () => Promise<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for (let time = 0; time < times; time++) all.push(await measure())
  return all
}

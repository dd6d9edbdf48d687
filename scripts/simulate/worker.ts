/**
 * Simulates the seeds that it is sent, one after the other, and sends back their reports.
 */
import { parentPort } from "node:worker_threads"
import { subjects } from "./subjects.ts"

/** One seed of a subject; days are for trading desks. */
export interface Task {
  readonly subject: keyof typeof subjects
  readonly seed: number
  readonly days: number
}

// Failures are what a simulation is full of: nobody reads where each of them was made.
Error.stackTraceLimit = 0

parentPort?.on(
  "message",
  async ({ days, seed, subject }: Task) => parentPort?.postMessage(await subjects[subject].run(seed, days), [])
)

/**
 * Simulates the seeds that it is sent, one after the other, and sends back their reports.
 */
import * as Simulation from "@effect-marketdata/testing/Simulation"
import { parentPort } from "node:worker_threads"

/** The days of one seed. */
export interface Task {
  readonly seed: number
  readonly days: number
}

// Failures are what a simulation is full of: nobody reads where each of them was made.
Error.stackTraceLimit = 0

parentPort?.on("message", (task: Task) => parentPort?.postMessage(Simulation.run(task), []))

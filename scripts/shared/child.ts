/** Forked processes that answer one message at a time. */
import type { ChildProcess, Serializable } from "node:child_process"

/** Sends a message, and waits for the answer; fails where the process has died. */
export const ask = <Answer>(child: ChildProcess, message: Serializable): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const died = (code: number | null, signal: string | null): void =>
      reject(new Error(`the process died: ${signal ?? `exit code ${code}`}`))
    if (!child.connected) return died(child.exitCode, child.signalCode)
    child.once("exit", died)
    child.once("message", (answer: Answer) => {
      child.off("exit", died)
      resolve(answer)
    })
    child.send(message)
  })

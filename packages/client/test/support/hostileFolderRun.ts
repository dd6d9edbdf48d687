/** Plays hostile folders in a process of its own for some milliseconds, and prints what came of it. Its arguments: seed, milliseconds. */
import { writeSync } from "node:fs"
import { hostile, play } from "./hostileFolder.ts"
import { drawnFor } from "./hostileKinds.ts"

const [seed = 0, milliseconds = 0] = process.argv.slice(2).map(Number)

writeSync(1, JSON.stringify(await play(drawnFor(hostile, seed, milliseconds))))

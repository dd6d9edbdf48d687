/** `npm start`: the command line with its arguments, or without any the main job: a whole chain from the sandbox. */
const mainJob = ["chain", "SPX", "--expiration", "all", "--mode", "cached"]

if (process.argv.length === 2) process.argv.push(...mainJob)

await import("../packages/cli/bundle/marketdata.js")

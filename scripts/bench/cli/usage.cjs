// Loaded before a program: tells on the fourth stream, when it ends, how many milliseconds of the processor it took.
const { writeSync } = require("node:fs")

process.on("exit", () => {
  const { systemCPUTime, userCPUTime } = process.resourceUsage()
  writeSync(3, String((systemCPUTime + userCPUTime) / 1000))
})

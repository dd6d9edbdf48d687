/**
 * Compares `Eastern` with the time-zone data of this Node: every hour from 1970 to 2099, and the seconds around every transition.
 * The tests compare a sample; this is run by hand, takes some seconds, prints counts and exits with 1 where anything differs:
 *
 *     node --conditions=@effect-marketdata/source scripts/verify-eastern.ts
 */
import * as Eastern from "@effect-marketdata/core/Eastern"

const clock = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short"
})

const expected = (epochSeconds: number): string =>
  clock.format(epochSeconds * 1000).replace(/^(\d\d)\/(\d\d)\/(\d{4}), /, "$3-$1-$2 ")

const differences: Array<string> = []

const compare = (epochSeconds: number): void => {
  const received = Eastern.format(epochSeconds)
  const wanted = expected(epochSeconds)
  if (received !== wanted) differences.push(`${epochSeconds}: Eastern says ${received}, Node says ${wanted}`)
}

const start = Date.UTC(1970, 0, 1) / 1000
const end = Date.UTC(2100, 0, 1) / 1000
let hours = 0
let transitions = 0
for (let hour = start; hour < end; hour += 3600) {
  compare(hour)
  hours++
  if (Eastern.offsetSeconds(hour) === Eastern.offsetSeconds(hour - 1)) continue
  transitions++
  for (const distance of [-3601, -3600, -3599, -1, 1, 3599, 3600, 3601]) compare(hour + distance)
}

console.log(`Node ${process.versions.node}, time-zone data ${process.versions["tz"] ?? "unknown"}`)
console.log(`${hours} hours, ${transitions} transitions, ${differences.length} differences`)
for (const difference of differences.slice(0, 10)) console.log(difference)
if (differences.length > 0) process.exitCode = 1

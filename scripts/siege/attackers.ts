/**
 * The process of the attackers: `node attackers.ts PORT SIZE`. Opens the connections of every attack, opens another for each
 * that the server ends, and goes on until its standard input ends; then it prints how many connections there were of each, as JSON.
 */
import { text } from "node:stream/consumers"
import * as Net from "node:net"
import { all, type Attack } from "./attacks.ts"

/** What came of an attack: connections made, those that the server answered, and those that it ended. */
export interface Tally {
  readonly name: string
  opened: number
  answered: number
  ended: number
}

const [port = "0", size = "1"] = process.argv.slice(2)

/** Soon, but not at once: a connection that is refused is no reason to burn this processor, which the server shares. */
const pause = 200

const connect = (attack: Attack, tally: Tally): void => {
  const socket = Net.connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true })
  let everySecond: NodeJS.Timeout | undefined
  socket.once("connect", () => {
    tally.opened++
    const again = attack.begin(socket)
    if (again !== undefined) everySecond = setInterval(() => void (socket.writable && again()), 1000)
  })
  if (attack.isDeaf === true) socket.pause()
  else socket.resume().once("data", () => tally.answered++)
  socket.once("end", () => socket.destroy())
  socket.on("error", () => {})
  socket.once("close", () => {
    clearInterval(everySecond)
    tally.ended++
    setTimeout(connect, pause, attack, tally)
  })
}

const tallies = all.map((attack) => {
  const tally: Tally = { name: attack.name, opened: 0, answered: 0, ended: 0 }
  const count = Math.max(1, Math.round(attack.connections * Number(size)))
  for (let at = 0; at < count; at++) connect(attack, tally)
  return tally
})

await text(process.stdin)
process.stdout.write(JSON.stringify(tallies), () => process.exit(0))

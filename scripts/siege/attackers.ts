/**
 * The process of the attackers: `node attackers.ts PORT SIZE [NAME]`. Opens the connections of every attack or of the one named, opens another for each that the server ends, and goes on
 * until its standard input ends; then it prints how many connections there were of each, as JSON.
 */
import * as Net from "node:net"
import { all, type Attack } from "./attacks.ts"

/** What came of an attack: connections made, those that the server answered, and those that it ended. */
export interface Tally {
  readonly name: string
  opened: number
  answered: number
  ended: number
}

const [port = "0", size = "1", only] = process.argv.slice(2)
const open = new Set<Net.Socket>()
let goesOn = true

/** Soon, but not at once: a connection that is refused is no reason to burn this processor, which the server shares. */
const pause = 200

const attack = ({ begin, isDeaf = false }: Attack, tally: Tally): void => {
  if (!goesOn) return
  const socket = Net.connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true })
  let everySecond: NodeJS.Timeout | undefined
  let isAnswered = false
  open.add(socket)
  if (isDeaf) socket.pause()
  socket.once("connect", () => {
    tally.opened++
    const again = begin(socket)
    if (again !== undefined) everySecond = setInterval(() => void (socket.writable && again()), 1000)
  })
  if (!isDeaf) {
    socket.on("data", () => {
      if (!isAnswered) tally.answered++
      isAnswered = true
    })
  }
  socket.once("end", () => socket.destroy())
  socket.on("error", () => {})
  socket.once("close", () => {
    clearInterval(everySecond)
    open.delete(socket)
    if (!goesOn) return
    tally.ended++
    setTimeout(attack, pause, { begin, isDeaf }, tally)
  })
}

const tallies = all.filter(({ name }) => only === undefined || name === only).map((one) => {
  const tally: Tally = { name: one.name, opened: 0, answered: 0, ended: 0 }
  const count = Math.max(1, Math.round(one.connections * Number(size)))
  for (let at = 0; at < count; at++) attack(one, tally)
  return tally
})

process.stdin.resume()
process.stdin.once("end", () => {
  goesOn = false
  process.stdout.write(JSON.stringify(tallies), () => process.exit(0))
})

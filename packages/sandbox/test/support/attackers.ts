/**
 * The thread of the attackers: opens the connections of every attack, another for each that the server ends, and goes on until it is asked what came of
 * them. An attack is a way to wear a server out over one connection.
 */
import * as Net from "node:net"
import { parentPort, workerData } from "node:worker_threads"

/** One way: what it sends first, and what it does as long as the connection lasts. */
interface Attack {
  readonly name: string
  /** How many connections of it there are at a time, in a siege of size 1. */
  readonly connections: number
  /** Runs once it is connected; returns what is to be done every second, where there is something. */
  readonly begin: (socket: Net.Socket) => (() => unknown) | undefined
  /** Set where it does not read what comes. */
  readonly isDeaf?: boolean
}

const host = "Host: 127.0.0.1"
const start = `GET / HTTP/1.1\r\n${host}\r\n`
const ask = (target: string, ...fields: ReadonlyArray<string>): string =>
  [`GET ${target} HTTP/1.1`, host, "Authorization: Bearer sandbox-paid", ...fields, "", ""].join("\r\n")

/** A chain of 4 MB: all expirations, all strikes, all columns. */
const wholeChain = "/v1/options/chain/SPX/?mode=cached&expiration=all"

const megabyte = 1_000_000

/** A megabyte of header fields. */
const filler = Buffer.from(`x-filler: ${"x".repeat(1010)}\r\n`.repeat(Math.ceil(megabyte / 1022)))

/** Sends something first, and something else every second. An empty line before a request means nothing, but shows whether the connection is still there. */
const send = (first: string, again = "\r\n"): Attack["begin"] => (socket) => {
  socket.write(first)
  return () => socket.write(again)
}

/** Asks for more than what the system holds for a reader that does not come, and takes a kilobyte every second. */
const readSlowly = (request: string): Attack["begin"] => (socket) => {
  const again = send(request.repeat(50))(socket)
  return () => {
    socket.read(1024)
    again?.()
  }
}

/** Sends twenty megabytes of header fields, as fast as they are taken. */
const flood: Attack["begin"] = (socket) => {
  socket.write(start)
  let left = 20
  const more = (): void => {
    while (left-- > 0 && !socket.destroyed) if (!socket.write(filler)) return void socket.once("drain", more)
  }
  more()
  return undefined
}

const attacks: ReadonlyArray<Attack> = [
  { name: "slowloris", connections: 300, begin: send(start, "x-a: b\r\n") },
  { name: "silent connections", connections: 300, begin: () => undefined },
  { name: "half requests", connections: 100, begin: (socket) => void socket.end(`${start}x-a`) },
  { name: "slow readers", connections: 20, isDeaf: true, begin: readSlowly(ask(wholeChain)) },
  {
    name: "slow readers of gzip",
    connections: 20,
    isDeaf: true,
    begin: readSlowly(ask(wholeChain, "Accept-Encoding: gzip"))
  },
  { name: "deaf readers of many replies", connections: 10, isDeaf: true, begin: send(ask(wholeChain).repeat(1000)) },
  { name: "20 MB of header fields", connections: 20, begin: flood },
  { name: "1 MB of header fields, held", connections: 100, begin: send(start + filler.toString(), "x-a: b\r\n") },
  { name: "1 MB of request line, held", connections: 50, begin: send(`GET /${"x".repeat(megabyte)}`, "x") },
  {
    name: "slow bodies",
    connections: 100,
    begin: send(`PUT /sandbox/faults HTTP/1.1\r\n${host}\r\nContent-Length: 60000\r\n\r\n`, " ")
  }
]

/** What came of an attack: connections made, those that the server answered, and those that it ended. */
export interface Tally {
  readonly name: string
  opened: number
  answered: number
  ended: number
}

/** What the attackers are told: the port of the server, and how many times all connections they open. */
export interface Task {
  readonly port: number
  readonly size: number
}

const { port, size }: Task = workerData

/** Soon, but not at once: a connection that is refused is not a reason to burn this processor, which the server shares. */
const pause = 200

const connect = (attack: Attack, tally: Tally): void => {
  const socket = Net.connect({ port, host: "127.0.0.1", allowHalfOpen: true })
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

const tallies = attacks.map((attack) => {
  const tally: Tally = { name: attack.name, opened: 0, answered: 0, ended: 0 }
  const count = Math.max(1, Math.round(attack.connections * size))
  for (let at = 0; at < count; at++) connect(attack, tally)
  return tally
})

parentPort?.on("message", () => parentPort?.postMessage(tallies, []))

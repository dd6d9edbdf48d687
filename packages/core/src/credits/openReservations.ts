import type { Reservation } from "./ledgerState.ts"
import * as Reservations from "./reservation.ts"

/** This many ids make a block. */
const blockIds = 16

const numberOf = (id: number): number => Math.floor(id / blockIds)

type Entry = readonly [id: number, reservation: Reservation]

/** Reservations whose ids lie together, by id; what they come to is added up where it is asked for, and once. */
class Block {
  readonly number: number
  readonly entries: ReadonlyArray<Entry>
  // Whether somebody asked does not show: a ledger is a value, equal to another that came to the same.
  #outstanding: number | undefined
  #inFlight: number | undefined

  constructor(number: number, entries: ReadonlyArray<Entry>) {
    this.number = number
    this.entries = entries
  }

  /** What is set aside and not used yet, without that which has no bound. */
  get outstanding(): number {
    return this.#outstanding ??= Reservations.sum(
      this.entries,
      ([, reservation]) => Reservations.outstanding(reservation)
    )
  }

  /** What the requests in flight may cost together; without end where one of them has no bound. */
  get inFlight(): number {
    return this.#inFlight ??= Reservations.others(this.entries, undefined)
  }
}

const idOf = ([id]: Entry): number => id

const blockNumberOf = ({ number }: Block): number => number

/** Where a key is in a sorted list, or belongs. The search begins at the end, because the latest reservations are used most. */
const placeOf = <A>(list: ReadonlyArray<A>, keyOf: (member: A) => number, key: number): number => {
  let place = list.length
  while (place > 0 && keyOf(list[place - 1]!) >= key) place--
  return place
}

const find = <A>(list: ReadonlyArray<A>, keyOf: (member: A) => number, key: number): A | undefined => {
  const member = list[placeOf(list, keyOf, key)]
  return member !== undefined && keyOf(member) === key ? member : undefined
}

/** The same list with another member under a key, or with none. */
const put = <A>(
  list: ReadonlyArray<A>,
  keyOf: (member: A) => number,
  key: number,
  member: A | undefined
): ReadonlyArray<A> => {
  const place = placeOf(list, keyOf, key)
  const present = list[place]
  const before = present !== undefined && keyOf(present) === key ? 1 : 0
  return member === undefined ? list.toSpliced(place, before) : list.toSpliced(place, before, member)
}

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
    const blocks: Array<Block> = []
    let entries: Array<Entry> = []
    for (const entry of [...reservations].toSorted(([one], [other]) => one - other)) {
      const number = numberOf(entry[0])
      if (blocks.at(-1)?.number !== number) blocks.push(new Block(number, entries = []))
      entries.push(entry)
    }
    return new OpenReservations(blocks)
  }

  get size(): number {
    return this.blocks.reduce((size, { entries }) => size + entries.length, 0)
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
    return this.changed(id, [id, reservation])
  }

  /** The same without a reservation. */
  without(id: number): OpenReservations {
    return this.changed(id, undefined)
  }

  get(id: number): Reservation | undefined {
    const block = find(this.blocks, blockNumberOf, numberOf(id))
    return block && find(block.entries, idOf, id)?.[1]
  }

  has(id: number): boolean {
    return this.get(id) !== undefined
  }

  forEach(each: (value: Reservation, id: number, map: ReadonlyMap<number, Reservation>) => void): void {
    for (const [id, reservation] of this) each(reservation, id, this)
  }

  *entries(): MapIterator<[number, Reservation]> {
    for (const { entries } of this.blocks) for (const [id, reservation] of entries) yield [id, reservation]
  }

  *keys(): MapIterator<number> {
    for (const { entries } of this.blocks) for (const [id] of entries) yield id
  }

  *values(): MapIterator<Reservation> {
    for (const { entries } of this.blocks) for (const [, reservation] of entries) yield reservation
  }

  [Symbol.iterator](): MapIterator<[number, Reservation]> {
    return this.entries()
  }

  private changed(id: number, entry: Entry | undefined): OpenReservations {
    const number = numberOf(id)
    const entries = put(find(this.blocks, blockNumberOf, number)?.entries ?? [], idOf, id, entry)
    const block = entries.length === 0 ? undefined : new Block(number, entries)
    return new OpenReservations(put(this.blocks, blockNumberOf, number, block))
  }
}

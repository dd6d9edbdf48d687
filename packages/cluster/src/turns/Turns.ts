/**
 * Whose call is next. A number of calls run at once; the others wait in a room with a number of seats, and their callers take turns: one call each, round
 * robin, however many calls each has waiting. If the room is full, the caller with the most waiting calls gives up a seat to a caller that has
 * fewer. So no caller waits longer because another asks a thousand times.
 *
 * The state is a value that is replaced. It knows no time, and runs nothing: it says what is to run.
 *
 * @example
 * ```ts
 * import * as Turns from "@effect-marketdata/cluster/Turns"
 *
 * let turns = Turns.make({ places: 1, seats: 3 })
 * for (const [call, caller] of ["a", "a", "a", "b"].entries()) {
 *   const entered = Turns.enter(turns, caller, call)
 *   if (entered._tag !== "Refused") turns = entered.turns
 * }
 * const first = Turns.leave(turns)
 * const second = Turns.leave(first.turns)
 * const third = Turns.leave(second.turns)
 * const order = [first.next, second.next, third.next]
 * order // => [1, 3, 2]
 * ```
 *
 * @see {@link Gateway} for the calls that take turns
 * @since 0.1.0
 */

/**
 * The state: how many calls run and how many wait, of how many that may. Callers stand in the order of their turns, each with its waiting
 * calls, the oldest first.
 *
 * @category models
 * @since 0.1.0
 */
export interface Turns {
  readonly places: number
  readonly seats: number
  readonly running: number
  readonly seated: number
  readonly waiting: ReadonlyMap<string, ReadonlyArray<number>>
}

/**
 * Makes the state in which no call runs or waits.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = ({ places, seats }: { readonly places: number; readonly seats: number }): Turns => ({
  places,
  seats,
  running: 0,
  seated: 0,
  waiting: new Map()
})

/**
 * What happens to a call that comes in: it runs, waits or is refused. If it waits, another call may have lost its seat: `unseated`.
 *
 * @category models
 * @since 0.1.0
 */
export type Entered =
  | { readonly _tag: "Runs"; readonly turns: Turns }
  | { readonly _tag: "Waits"; readonly turns: Turns; readonly unseated: number | undefined }
  | { readonly _tag: "Refused" }

/**
 * A call comes in. A call is identified by its number.
 *
 * @category transitions
 * @since 0.1.0
 */
export const enter = (self: Turns, caller: string, call: number): Entered => {
  if (self.running < self.places) return { _tag: "Runs", turns: { ...self, running: self.running + 1 } }
  if (self.seated < self.seats) return { _tag: "Waits", turns: seat(self, caller, call), unseated: undefined }
  const most = greediest(self)
  if (most === undefined || waitingOf(self, caller).length + 1 >= most.calls.length) return { _tag: "Refused" }
  const unseated = most.calls.at(-1)!
  return { _tag: "Waits", turns: seat(cancel(self, most.caller, unseated), caller, call), unseated }
}

/**
 * A call that ran is over. `next` is the one that runs in its place, if any waits.
 *
 * @category transitions
 * @since 0.1.0
 */
export const leave = (self: Turns): { readonly turns: Turns; readonly next: number | undefined } => {
  const [first] = self.waiting
  if (first === undefined) return { turns: { ...self, running: self.running - 1 }, next: undefined }
  const [caller, [next, ...others]] = first
  const waiting = new Map(self.waiting)
  // Who had a turn stands at the end.
  waiting.delete(caller)
  if (others.length > 0) waiting.set(caller, others)
  return { turns: { ...self, seated: self.seated - 1, waiting }, next }
}

/**
 * A call that waits goes away. Nothing changes if it does not wait.
 *
 * @category transitions
 * @since 0.1.0
 */
export const cancel = (self: Turns, caller: string, call: number): Turns => {
  const own = waitingOf(self, caller)
  const others = own.filter((waiting) => waiting !== call)
  if (others.length === own.length) return self
  const waiting = new Map(self.waiting)
  if (others.length === 0) waiting.delete(caller)
  else waiting.set(caller, others)
  return { ...self, seated: self.seated - 1, waiting }
}

/**
 * Returns the calls of one caller that wait, the oldest first.
 *
 * @category getters
 * @since 0.1.0
 */
export const waitingOf = (self: Turns, caller: string): ReadonlyArray<number> => self.waiting.get(caller) ?? []

const seat = (self: Turns, caller: string, call: number): Turns => ({
  ...self,
  seated: self.seated + 1,
  waiting: new Map(self.waiting).set(caller, [...waitingOf(self, caller), call])
})

/** The caller with the most calls waiting, and these calls. */
const greediest = ({ waiting }: Turns) => {
  let most: { readonly caller: string; readonly calls: ReadonlyArray<number> } | undefined
  for (const [caller, calls] of waiting) if (calls.length > (most?.calls.length ?? 0)) most = { caller, calls }
  return most
}

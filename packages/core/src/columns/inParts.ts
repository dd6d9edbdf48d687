/** Work that is done in parts, so that a program with other things to do is not held up by all of it at once. */
export type Work<A> = Generator<void, A>

/** Does all of it. */
export const whole = <A>(work: Work<A>): A => {
  for (;;) {
    const part = work.next()
    if (part.done === true) return part.value
  }
}

/** Work as a decoder offers it: part by part, and what is left of it at once. */
export const of = <A>(work: Work<A>): { readonly advance: () => boolean; readonly end: () => A } => {
  let done: { readonly value: A } | undefined
  return {
    advance: () => {
      const part = done === undefined ? work.next() : undefined
      if (part?.done === true) done = part
      return done === undefined
    },
    end: () => (done ??= { value: whole(work) }).value
  }
}

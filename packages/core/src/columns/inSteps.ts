/** Work that is done in steps, so that a program with other things to do is not held up by all of it at once. */
export type Work<A> = Generator<void, A>

/** Does all of it. */
export const whole = <A>(work: Work<A>): A => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Work as a decoder offers it: step by step, and what is left of it at once. */
export const of = <A>(work: Work<A>): { readonly advance: () => boolean; readonly end: () => A } => {
  let done: { readonly value: A } | undefined
  return {
    advance: () => {
      const step = done === undefined ? work.next() : undefined
      if (step?.done === true) done = step
      return done === undefined
    },
    end: () => (done ??= { value: whole(work) }).value
  }
}

/** A stage of the median decode, in milliseconds, with its floor and its share of the whole. */
export interface Stage {
  readonly stage: string
  readonly milliseconds: number
  readonly floor: number
  readonly share: number
}

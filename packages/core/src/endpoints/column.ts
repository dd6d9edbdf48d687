/** The columns that many tables have: a kind, and whether null may stand there. */
import { dictionary, number } from "../columns/ColumnKind.ts"

/** A number that every row should have: null is a finding. */
export const quantity = { kind: number, null: "finding" } as const

/** A number that may be null. */
export const nullable = { kind: number, null: "nullable" } as const

/** A number without which nobody knows what its row is about. */
export const identity = { kind: number, null: "identity" } as const

/** The ticker that a row is about. */
export const ticker = { kind: dictionary, null: "identity" } as const

/** A text that may be null. */
export const nullableText = { kind: dictionary, null: "nullable" } as const

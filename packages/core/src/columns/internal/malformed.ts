import type { Code } from "../DecodeError.ts"

/**
 * What is wrong at a position of the input. Thrown where the bytes are read, in the depth of a scan, and caught once by the decoder,
 * which adds column, row and offset: the scanners stay free of results that are good nearly always.
 */
export class Malformed extends Error {
  readonly code: Code
  readonly position: number
  readonly expected: string
  readonly received: string
  /** The field that is wrong, where it is not the one whose value is being read. */
  readonly column: string | undefined

  constructor(code: Code, position: number, expected: string, received: string, column?: string) {
    super(code)
    this.code = code
    this.position = position
    this.expected = expected
    this.received = received
    this.column = column
  }
}

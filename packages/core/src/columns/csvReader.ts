import * as Result from "effect/Result"
import * as Byte from "./internal/byte.ts"
import { maxFields } from "./internal/objectReader.ts"
import { type Code, DecodeError } from "./DecodeError.ts"

/** What of a table in CSV its rows are counted and dated by; the table itself stays a text. */
export interface CsvRead {
  readonly text: string
  readonly rows: number
  /** How many rows have something in one of the columns that were asked for, and whether all of those are there. */
  readonly filled: number
  readonly isWhole: boolean
  /** The numbers of the column of instants. */
  readonly oldest: number
  readonly newest: number
}

/** Which columns are looked at, and how many rows are taken. */
export interface CsvOptions {
  readonly filled: ReadonlyArray<string>
  readonly instants: string
  readonly maxRows: number
}

/** Where in a cell the reader is. */
type State = "start" | "plain" | "return" | "quoted" | "quote" | "quotedReturn"

const lineFeed = 10
const carriageReturn = 13

/** The names of all columns take less. */
const maxHeaderBytes = 65_536

/** Instants take less; what is longer is not one. */
const maxInstantBytes = 64

const expectedTable = "CSV: a line with the names of the columns, and a line for each row"

/**
 * Reads a table in CSV while its bytes arrive. It looks at each byte once, and keeps the text, the names of the columns, and of a row no more than
 * one cell.
 */
export class CsvReader {
  private readonly options: CsvOptions
  private readonly decoder = new TextDecoder("utf-8", { fatal: true })
  private text = ""
  private failure: DecodeError | undefined
  private state: State = "start"
  /** How many bytes have come, and whether one of them says something. */
  private size = 0
  private isBlank = true
  private names: Array<string> | undefined
  private header: Array<string> = []
  private headerBytes = 0
  private filledColumns: ReadonlySet<number> = new Set()
  private instantColumn = -1
  private rows = 0
  private cells = 0
  private isEmpty = true
  private isFilled = false
  private filled = 0
  /** The cell that is being read, as far as anybody wants to know it. */
  private cell: Array<number> = []
  private oldest = Infinity
  private newest = -Infinity

  constructor(options: CsvOptions) {
    this.options = options
  }

  /** Takes the next bytes. Answers false once no byte can change the outcome. */
  push(bytes: Uint8Array): boolean {
    if (this.failure !== undefined) return false
    try {
      this.text += this.decoder.decode(bytes, { stream: true })
    } catch {
      return this.refuseBytes()
    }
    for (let at = 0; at < bytes.length && this.failure === undefined; at++) this.take(bytes[at]!)
    return this.failure === undefined
  }

  end(): Result.Result<CsvRead, DecodeError> {
    if (this.failure === undefined) this.finish()
    if (this.failure !== undefined) return Result.fail(this.failure)
    return Result.succeed({
      text: this.text,
      rows: this.rows,
      filled: this.filled,
      isWhole: this.filledColumns.size === this.options.filled.length,
      oldest: this.oldest,
      newest: this.newest
    })
  }

  private finish(): void {
    try {
      this.text += this.decoder.decode()
    } catch {
      this.refuseBytes()
      return
    }
    if (this.isBlank) this.refuse("UnexpectedEnd", expectedTable, "nothing")
    else if (this.state === "quoted" || this.state === "quotedReturn") {
      this.refuse("UnexpectedEnd", "the end of a quoted cell", "the end")
    } else if (this.state !== "start" || this.cells > 0) {
      if (this.state === "return") this.add(carriageReturn)
      this.endCell()
      this.endRecord()
    }
  }

  private take(byte: number): void {
    // A byte order mark says nothing.
    if (this.size++ < byteOrderMark.length && byte === byteOrderMark[this.size - 1]) return
    if (this.isBlank && !isBlank(byte)) {
      this.isBlank = false
      if (byte === Byte.openBrace || byte === Byte.openBracket || byte === lessThan) {
        return this.refuse("UnexpectedToken", expectedTable, String.fromCharCode(byte))
      }
    }
    switch (this.state) {
      case "return":
        if (byte === lineFeed) return this.endLine()
        this.add(carriageReturn)
        break
      case "start":
        if (byte === Byte.quote) return this.go("quoted")
        break
      case "plain":
        break
      case "quoted":
        return byte === Byte.quote ? this.go("quote") : this.add(byte)
      case "quote":
        if (byte === Byte.quote) {
          this.add(byte)
          return this.go("quoted")
        }
        if (byte === carriageReturn) return this.go("quotedReturn")
        if (byte === Byte.comma) return this.endCell()
        if (byte === lineFeed) return this.endLine()
        return this.refuse("UnexpectedEnd", "the end of a quoted cell", "more of it")
      case "quotedReturn":
        return byte === lineFeed
          ? this.endLine()
          : this.refuse("UnexpectedEnd", "the end of a quoted cell", "more of it")
    }
    if (byte === Byte.comma) return this.endCell()
    if (byte === lineFeed) return this.endLine()
    if (byte === carriageReturn) return this.go("return")
    this.add(byte)
    this.state = "plain"
  }

  private go(state: State): void {
    this.state = state
  }

  private add(byte: number): void {
    this.isEmpty = false
    if (this.names === undefined) {
      if (++this.headerBytes > maxHeaderBytes) {
        return this.refuse("TooManyFields", `names of at most ${maxHeaderBytes} bytes`, "more")
      }
      this.cell.push(byte)
    } else if (this.cells === this.instantColumn && this.cell.length <= maxInstantBytes) this.cell.push(byte)
  }

  private endCell(): void {
    const { names } = this
    if (names === undefined) {
      if (this.header.length === maxFields) return this.refuse("TooManyFields", `at most ${maxFields} fields`, "more")
      this.header.push(this.cellText())
    } else {
      if (this.cells === this.instantColumn && !this.isEmpty) this.noteInstant(Number(this.cellText()))
      if (!this.isEmpty && this.filledColumns.has(this.cells)) this.isFilled = true
    }
    this.cells++
    this.isEmpty = true
    this.cell = []
    this.state = "start"
    if (names !== undefined && this.cells > names.length) this.refuseLength(`more than ${names.length}`)
  }

  private endLine(): void {
    this.endCell()
    this.endRecord()
  }

  private endRecord(): void {
    if (this.failure !== undefined) return
    const { cells, names } = this
    this.cells = 0
    if (names === undefined) return this.begin()
    if (cells < names.length) return this.refuseLength(String(cells))
    if (this.rows === this.options.maxRows) {
      return this.refuse("TooManyRows", `at most ${this.options.maxRows} rows`, "another one", this.rows)
    }
    this.rows++
    if (this.isFilled) this.filled++
    this.isFilled = false
  }

  /** Begins the rows: from now on it is known where which column is. */
  private begin(): void {
    const { filled, instants } = this.options
    this.names = this.header
    this.filledColumns = new Set(filled.map((name) => this.header.indexOf(name)).filter((column) => column >= 0))
    this.instantColumn = this.header.indexOf(instants)
  }

  private noteInstant(instant: number): void {
    if (instant < this.oldest) this.oldest = instant
    if (instant > this.newest) this.newest = instant
  }

  private cellText(): string {
    return this.cell.length > maxInstantBytes && this.names !== undefined
      ? "none"
      : new TextDecoder().decode(Uint8Array.from(this.cell))
  }

  private refuseLength(received: string): void {
    this.refuse("LengthMismatch", `${this.names?.length} cells`, received, this.rows)
  }

  private refuseBytes(): false {
    this.refuse("InvalidUtf8", "UTF-8 text", "other bytes")
    return false
  }

  private refuse(code: Code, expected: string, received: string, index?: number): void {
    this.failure = new DecodeError({ code, column: undefined, index, offset: undefined, expected, received })
  }
}

const isBlank = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= carriageReturn)

const lessThan = 60
const byteOrderMark = [0xef, 0xbb, 0xbf]

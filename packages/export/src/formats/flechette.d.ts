/**
 * The parts of `@uwdata/flechette` 2.6.0 that write messages of Arrow IPC one at a time; its own `tableToIPC` holds all of them until the last. It comes
 * without types of these. Its version is exact, so that they are what they were.
 */
declare module "@uwdata/flechette/src/constants.js" {
  export const EOS: Uint8Array<ArrayBuffer>
  export const MAGIC: Uint8Array<ArrayBuffer>
  export const MessageHeader: { readonly Schema: 1; readonly DictionaryBatch: 2; readonly RecordBatch: 3 }
  export const TimeUnit: { readonly SECOND: 0 }
}

declare module "@uwdata/flechette/src/data-types.js" {
  export interface DataType {
    readonly typeId: number
  }
  export const bool: () => DataType
  export const decimal: (precision: number, scale: number) => DataType
  export const dictionary: (type: DataType, indexType: DataType, ordered: boolean, id: number) => DataType
  export const float64: () => DataType
  export const int32: () => DataType
  export const uint8: () => DataType
  export const uint16: () => DataType
  export const uint32: () => DataType
  export const timestamp: (unit: 0, timezone: string) => DataType
  export const utf8: () => DataType
}

declare module "@uwdata/flechette/src/encode/builder.js" {
  export class Builder {
    constructor(sink: { readonly write: (bytes: Uint8Array<ArrayBuffer>) => void })
    addBuffer(bytes: Uint8Array<ArrayBuffer>): number
  }
}

declare module "@uwdata/flechette/src/encode/schema.js" {
  import type { Builder } from "@uwdata/flechette/src/encode/builder.js"
  import type { DataType } from "@uwdata/flechette/src/data-types.js"
  export interface Field {
    readonly name: string
    readonly nullable: boolean
    readonly type: DataType
    readonly metadata: ReadonlyMap<string, string>
  }
  export interface Schema {
    readonly fields: ReadonlyArray<Field>
    readonly metadata: ReadonlyMap<string, string>
  }
  export const encodeSchema: (builder: Builder, schema: Schema) => number
}

declare module "@uwdata/flechette/src/encode/record-batch.js" {
  import type { Builder } from "@uwdata/flechette/src/encode/builder.js"
  export interface Batch {
    readonly byteLength: number
    readonly nodes: ReadonlyArray<{ readonly length: number; readonly nullCount: number }>
    readonly regions: ReadonlyArray<{ readonly offset: number; readonly length: number }>
    readonly variadic: ReadonlyArray<number>
  }
  export const encodeRecordBatch: (builder: Builder, batch: Batch) => number
}

declare module "@uwdata/flechette/src/encode/dictionary-batch.js" {
  import type { Builder } from "@uwdata/flechette/src/encode/builder.js"
  import type { Batch } from "@uwdata/flechette/src/encode/record-batch.js"
  export const encodeDictionaryBatch: (
    builder: Builder,
    dictionary: { readonly id: number; readonly isDelta: boolean; readonly data: Batch }
  ) => number
}

declare module "@uwdata/flechette/src/encode/message.js" {
  import type { Builder } from "@uwdata/flechette/src/encode/builder.js"
  export interface Block {
    readonly offset: number
    readonly metadataLength: number
    readonly bodyLength: number
  }
  export const writeMessage: (
    builder: Builder,
    type: 1 | 2 | 3,
    header: number,
    bodyLength: number,
    blocks?: Array<Block>
  ) => void
}

declare module "@uwdata/flechette/src/encode/footer.js" {
  import type { Builder } from "@uwdata/flechette/src/encode/builder.js"
  import type { Block } from "@uwdata/flechette/src/encode/message.js"
  import type { Schema } from "@uwdata/flechette/src/encode/schema.js"
  export const writeFooter: (
    builder: Builder,
    schema: Schema,
    dictionaries: ReadonlyArray<Block>,
    records: ReadonlyArray<Block>
  ) => void
}

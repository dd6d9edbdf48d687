/** Replies that are like the one before: their data are read once. */
import * as LastReplies from "@effect-marketdata/core/LastReplies"
import type * as Reply from "@effect-marketdata/core/Reply"
import * as Platform from "../config/platform.ts"

/** Reads a reply to the query of a name, or finds that it is the last one. */
export type Rereading = <Data>(name: string, reader: Reply.Reader<Data>) => Reply.Reader<Data>

/** Keeps the last replies of a client. Without room for any, each is read as it comes. */
export const rereading = (maxBytes: number): Rereading => {
  if (maxBytes === 0) return (_, reader) => reader
  const replies = LastReplies.make({ maxBytes, isEqual: Platform.isEqual })
  return (name, reader) => LastReplies.reader(replies, name, reader)
}

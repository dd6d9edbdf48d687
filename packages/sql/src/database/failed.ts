import type { SqlError } from "effect/sql/SqlError"
import { DatabaseError, Unusable } from "./DatabaseError.ts"

/** What was wrong, in the words of the database. */
export const detailOf = ({ message, reason }: SqlError): string => {
  const { cause } = reason
  const words = cause instanceof Error ? cause.message : ""
  const said = reason.message ?? message
  return words === "" || said.includes(words) ? said : `${said}: ${words}`
}

/** A failure of the database as an error of this package. */
export const fromSql = (error: SqlError): DatabaseError =>
  new DatabaseError({ reason: new Unusable({ detail: detailOf(error) }) })

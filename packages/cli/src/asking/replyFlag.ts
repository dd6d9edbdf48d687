/** The flag of commands that show saved replies too. */
import * as Flag from "effect/cli/Flag"

export const replyFlag = {
  reply: Flag.String("reply").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Show a reply that was saved from the service, and ask nothing; - reads standard input"),
    Flag.optional
  )
}

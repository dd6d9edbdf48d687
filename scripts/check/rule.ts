/** What every check is: a reason to exist, and a verdict on the repository at `root`. */
export interface Rule {
  /** What goes wrong without the rule, in one sentence. */
  readonly why: string
  /** With `write`, what the rule compares is written first. */
  readonly run: (root: string, write?: boolean) => Verdict | Promise<Verdict>
}

/**
 * The verdict of a rule: it holds if there are no problems. Notes are printed in either case. `notChecked` says why it could not be checked here: it has then
 * neither passed nor failed.
 */
export interface Verdict {
  readonly problems: ReadonlyArray<string>
  readonly notes?: ReadonlyArray<string>
  readonly notChecked?: string
}

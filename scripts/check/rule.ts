/** What every check is: a reason to exist, and a verdict on the repository at `root`. */
export interface Rule {
  /** What goes wrong in a repository that does not have it, in one sentence. */
  readonly why: string
  /** With `write`, what the rule compares is written first. */
  readonly run: (root: string, write?: boolean) => Verdict | Promise<Verdict>
}

/**
 * No problems means that the rule holds. Notes are worth a line whether it holds or not. `notChecked` says why nobody can tell here whether it
 * does: a rule that was not checked has neither passed nor failed.
 */
export interface Verdict {
  readonly problems: ReadonlyArray<string>
  readonly notes?: ReadonlyArray<string>
  readonly notChecked?: string
}

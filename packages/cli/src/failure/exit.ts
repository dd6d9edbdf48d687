/** The classes of failure and the exit code of each. Scripts depend on the numbers: none is ever used for something else. */

/** A class of failure. */
export type Class = keyof typeof classes

/** What each class is, and the code that the program exits with. */
export const classes = {
  failed: { code: 1, meaning: "a check failed, or the program broke by a mistake of its own" },
  usage: { code: 2, meaning: "the command line, the query, a file or a setting is wrong" },
  budget: { code: 3, meaning: "it may cost more than you allowed, so it was not sent" },
  notFound: { code: 4, meaning: "the service knows no such symbol, or has no data for it" },
  noCachedData: { code: 5, meaning: "the service has nothing in its cache; nothing was charged" },
  account: { code: 6, meaning: "the token, the plan, the credits or the address of the account does not allow it" },
  transport: { code: 7, meaning: "the service cannot be reached, or did not answer in time" },
  service: { code: 8, meaning: "the service failed, or its reply cannot be read" },
  noVerdict: { code: 9, meaning: "`contract` could not find out whether the service keeps the contract" },
  interrupted: { code: 130, meaning: "stopped by Ctrl-C" },
  terminated: { code: 143, meaning: "stopped by the system, with SIGTERM" }
} as const

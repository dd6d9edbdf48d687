/** The address of the service that commands ask. A token is kept with it, and sent to no other. */
import { Config } from "effect"
import { variableOf } from "./settings.ts"

/** A service: the one that settings name, or the embedded sandbox, of which nothing is stored. */
export interface Service {
  readonly baseUrl: string
  readonly embedded: boolean
}

/** The service where no setting names another. */
export const publicAddress = "https://api.marketdata.app"

/**
 * The address as it is compared and shown: scheme and host in lower case, without a default port and a slash at the end, and without user, query and
 * fragment, which may hold a secret. What is not an address is refused where it is used.
 */
export const normal = (address: string): string => {
  const url = URL.parse(address)
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:"
  return isWeb ? `${url.origin}${url.pathname}`.replace(/\/+$/, "") : "(no http address)"
}

/** The address that the settings name; it is checked where it is used. */
export const address: Config.Config<string> = Config.String(variableOf("baseUrl")).pipe(
  Config.withDefault(publicAddress),
  Config.map(normal)
)

/** Whether an address is of this machine, where another sandbox may answer tomorrow. */
export const isHere = (address: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(URL.parse(address)?.hostname ?? "")

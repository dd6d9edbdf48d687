/**
 * All modules of the sandbox by name.
 *
 * @since 0.1.0
 */
export * as Accounts from "./Accounts.ts"
export * as AdminApi from "./AdminApi.ts"
export * as Billing from "./Billing.ts"
export * as Cache from "./Cache.ts"
export * as ConnectionReset from "./ConnectionReset.ts"
export * as Faults from "./Faults.ts"
export * as Routes from "./Routes.ts"
export * as Sandbox from "./Sandbox.ts"
export * as SandboxClock from "./SandboxClock.ts"
export * as SandboxReply from "./SandboxReply.ts"
export * as SandboxServer from "./SandboxServer.ts"
export * as StartPage from "./StartPage.ts"
export * as Market from "./market/Market.ts"

/**
 * All modules of the command line by name.
 *
 * @since 0.1.0
 */
export * as ChainCommand from "./ChainCommand.ts"
export * as ChainReport from "./ChainReport.ts"
export * as ChainTable from "./ChainTable.ts"
export * as Connection from "./Connection.ts"
export * as ContractCommand from "./ContractCommand.ts"
export * as Defect from "./Defect.ts"
export * as Main from "./Main.ts"
export * as SafeConsole from "./SafeConsole.ts"
export * as SandboxCommand from "./SandboxCommand.ts"
export * as SavedReply from "./SavedReply.ts"

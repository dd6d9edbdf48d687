export * as Main from "./Main.ts"

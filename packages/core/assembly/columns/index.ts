export { choices } from "./choices"
export { numbers } from "./numbers"
export { texts } from "./texts"

export { scan } from "./scan"

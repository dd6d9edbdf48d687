import { assert, describe, it } from "@effect/vitest"
import { inspect } from "./secrets.ts"

// Put together here, so that this file itself holds none of them.
const token = ["kZ8sQ2pL0xV7nB4m", "T1rY6wE3uI5oA9sD"].join("")
const folder = (name: string) => ["", name, "project"].join("/")
const body = Array.from({ length: 6 }, () => "MIIEpAIBAAKCAQEA04up8hoqzS1APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1a")
const key = ["-----BEGIN RSA PRIVATE", " KEY-----"].join("") + `\n${body.join("\n")}\n` +
  ["-----END RSA PRIVATE", " KEY-----"].join("")

describe("secrets", () => {
  it.each([
    ["found GitHub Token", ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_")],
    ["found private key", key],
    ["an account's token", `Authorization: ${["Bearer", token].join(" ")}`],
    ["an account's token", ["MARKETDATA_TOKEN", token].join("=")],
    ["a JSON web token", ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", "dozjgNryP4J3jVmNHl0w5N"].join(".")],
    ["a path of one machine", `import "${folder("root")}/a.ts"`],
    ["a path of one machine", `file://${folder("home")}/a.ts`],
    ["the address of a registry", "registry=https://registry.example/", ".npmrc"]
  ])("finds %s, once, and does not repeat it", async (says, text, file = "docs/guide.md") => {
    const [finding = "", ...others] = await inspect(file, text)
    assert.isTrue(finding.startsWith(`${file}:1 ${says}`), finding)
    assert.notInclude(finding, text.slice(8, 20))
    assert.deepStrictEqual(others, [])
  })

  it.each([
    "Authorization: Bearer the-token-of-the-first-account",
    "MARKETDATA_TOKEN=your-token-from-the-dashboard",
    `Redacted.make("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")`,
    `https://example.com${folder("home")} packages${folder("work")}`
  ])("leaves placeholders, and the paths of a site or of a package, alone: %s", async (text) => {
    assert.deepStrictEqual(await inspect("docs/guide.md", text), [])
  })
})

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
    [`a token of GitHub's`, ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_"), /:1 found GitHub Token/],
    ["a private key", key, /:1 found private key/],
    ["a bearer token", `Authorization: ${["Bearer", token].join(" ")}`, /:1 a bearer token$/],
    ["an account's token", ["MARKETDATA_TOKEN", token].join("="), /:1 an account's token$/],
    ["an AWS access key", ["AKIA", "IOSFODNN7QXAMPLF"].join(""), /:1 an AWS access key$/],
    [
      "a JSON web token",
      ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", "dozjgNryP4J3jVmNHl0w5N"].join("."),
      /:1 a JSON web token$/
    ],
    ["a path of root's", `import "${folder("root")}/a.ts"`, /:1 a path of one machine$/],
    ["a file's address", `file://${folder("home")}/a.ts`, /:1 a path of one machine$/]
  ])("finds %s, once, and does not repeat it", async (_, text, says) => {
    const [finding = "", ...others] = await inspect("docs/guide.md", text)
    assert.match(finding, says)
    assert.notInclude(finding, text.slice(8, 20))
    assert.deepStrictEqual(others, [])
  })

  it("finds where packages came from", async () => {
    const found = await inspect(".npmrc", "registry=https://registry.example/")
    assert.deepStrictEqual(found, [".npmrc:1 the address of a registry"])
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

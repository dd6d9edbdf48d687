import { assert, describe, it } from "@effect/vitest"
import { inspect } from "./secrets.ts"

// Put together here, so that this file itself holds none of them.
const token = ["kZ8sQ2pL0xV7nB4m", "T1rY6wE3uI5oA9sD"].join("")
const folder = (name: string) => ["", name, "project"].join("/")

const findings = (text: string, file = "docs/guide.md") => inspect(file, text)

describe("secrets", () => {
  it("finds what Secretlint knows, and does not repeat it", async () => {
    const [finding = "", ...others] = await findings(`\n${["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_")}`)
    assert.match(finding, /^docs\/guide\.md:2 found GitHub Token/)
    assert.notInclude(finding, "wWPw5k4a")
    assert.deepStrictEqual(others, [])
  })

  it("finds a private key", async () => {
    const body = Array.from({ length: 6 }, () => "MIIEpAIBAAKCAQEA04up8hoqzS1APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1a")
    const key = [
      ["-----BEGIN RSA", "PRIVATE KEY-----"].join(" "),
      ...body,
      ["-----END RSA", "PRIVATE KEY-----"].join(" ")
    ]
    assert.lengthOf(await findings(key.join("\n")), 1)
  })

  it("finds tokens in their usual places", async () => {
    assert.deepStrictEqual(await findings(`Authorization: ${["Bearer", token].join(" ")}`), [
      "docs/guide.md:1 a bearer token"
    ])
    assert.deepStrictEqual(await findings(["MARKETDATA_TOKEN", token].join("=")), [
      "docs/guide.md:1 an account's token"
    ])
    assert.deepStrictEqual(await findings(["AKIA", "IOSFODNN7QXAMPLF"].join("")), ["docs/guide.md:1 an AWS access key"])
    const jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", "dozjgNryP4J3jVmNHl0w5N"].join(".")
    assert.deepStrictEqual(await findings(jwt), ["docs/guide.md:1 a JSON web token"])
  })

  it("leaves placeholders alone", async () => {
    assert.deepStrictEqual(await findings("Authorization: Bearer the-token-of-the-first-account"), [])
    assert.deepStrictEqual(await findings("MARKETDATA_TOKEN=your-token-from-the-dashboard"), [])
    assert.deepStrictEqual(await findings(`Redacted.make("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")`), [])
  })

  it("finds the paths of a machine, not those of a site or of a package", async () => {
    assert.deepStrictEqual(await findings(`import "${folder("root")}/a.ts"`), ["docs/guide.md:1 a path of one machine"])
    assert.deepStrictEqual(await findings(`file://${folder("home")}/a.ts`), ["docs/guide.md:1 a path of one machine"])
    assert.deepStrictEqual(await findings(`https://example.com${folder("home")} packages${folder("work")}`), [])
  })

  it("finds where packages came from", async () => {
    assert.deepStrictEqual(await findings("registry=https://registry.example/", ".npmrc"), [
      ".npmrc:1 the address of a registry"
    ])
  })
})

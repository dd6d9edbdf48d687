import type { Fault } from "../fault.ts"

const core = (module: string) => `packages/core/src/${module}.ts`
const client = (module: string) => `packages/client/src/${module}.ts`

/** What the client could get wrong in asking. */
export const faults: ReadonlyArray<Fault> = [
  {
    clause: "1-base-url",
    file: core("HttpRequest"),
    find: `const target = base[2]!.replace(/\\/+$/, "") + Query.target(query)`,
    replace: `const target = Query.target(query)`
  },
  {
    clause: "4-get",
    file: client("internal/transport"),
    find: "HttpClientRequest.get(HttpRequest.url(request))",
    replace: "HttpClientRequest.post(HttpRequest.url(request))"
  },
  {
    clause: "4.1-path",
    file: core("endpoints/OptionChainEndpoint"),
    find: "`/v1/options/chain/${segment}/`",
    replace: "`/v1/options/chains/${segment}/`"
  },
  {
    clause: "4.1-params",
    file: core("Query"),
    find: `parameters.push(["mode", DataMode.parameter(self.mode)])`,
    replace: `parameters.push(["feed", DataMode.parameter(self.mode)])`
  },
  {
    clause: "8.3-maxage-forms",
    file: core("MaxAge"),
    find: "`${self.minutes}min`",
    replace: "`${self.minutes}m`"
  },
  {
    clause: "5.1-token-everywhere",
    file: client("internal/transport"),
    find: "return token === undefined ? plain : HttpClientRequest.bearerToken(plain, token)",
    replace: "return token !== undefined ? plain : HttpClientRequest.bearerToken(plain, \"\")"
  },
  {
    clause: "5.2-obtain",
    file: core("Reason"),
    find: "sign in to its dashboard and request one, it comes by e-mail",
    replace: "set one"
  },
  {
    clause: "5.3-header",
    file: client("internal/transport"),
    find: "/^[\\x21-\\x7e]+$/",
    replace: "/^/"
  },
  {
    clause: "5.4-header-default",
    file: client("internal/transport"),
    find: "const plain = HttpClientRequest.acceptJson(HttpClientRequest.get(HttpRequest.url(request)))",
    replace:
      "const plain = HttpClientRequest.acceptJson(HttpClientRequest.get(HttpRequest.url(request) + \"?token=x\"))"
  },
  {
    clause: "8.3-fallback",
    file: client("internal/pipeline"),
    find: "Effect.fail(new Reason.NoLiveData())",
    replace: "Effect.fail(new Reason.NoCachedData())"
  }
]

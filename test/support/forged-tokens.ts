import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { CLIENT, type TestProvider } from './oidc-provider.ts'
import type { Surfer } from './single-sign-on.ts'

type Forge = (nonce: string) => Promise<string>
type Page = Awaited<ReturnType<Surfer['go']>>

/** Somebody who has taken over a provider: its keys, and what it answers for a code. */
export interface Forger {
  /** A token of the provider with some claims other than usual. */
  token(claims?: JWTPayload, header?: Readonly<Record<string, unknown>>): Promise<string>
  /** Comes back to the site with a code for which the provider answers with this token. */
  comeBack(surfer: Surfer, id: string, forge: Forge): Promise<Page>
  /** The same after a sign-in that has started: the browser was led to this address. */
  answer(surfer: Surfer, address: string, forge: Forge): Promise<Page>
  /** The addresses and bodies of what was sent to the token endpoint. */
  readonly codes: string[]
}

/** Answers in place of a provider with a key of its own. */
export async function forgeFor(provider: TestProvider): Promise<Forger> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'forged', alg: 'RS256', use: 'sig' }
  let idToken = ''
  const codes: string[] = []
  provider.stand = (request, response) => {
    const { pathname } = new URL(request.url ?? '', provider.origin)
    const send = (value: unknown): true => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(value))
      return true
    }
    if (pathname.endsWith('/jwks')) return send({ keys: [jwk] })
    if (pathname.endsWith('/me')) return send({ sub: decodeJwt(idToken).sub })
    if (!pathname.endsWith('/token')) return false
    request.on('data', (chunk: Buffer) => codes.push(String(chunk)))
    return send({ access_token: 'an access token', token_type: 'Bearer', expires_in: 60, id_token: idToken })
  }
  const token: Forger['token'] = (claims = {}, header = {}) => {
    const seconds = Math.floor(Date.now() / 1000)
    const usual = { iss: provider.issuer, aud: CLIENT.id, sub: 'ada', iat: seconds, exp: seconds + 60 }
    return new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'forged', ...header })
      .sign(privateKey)
  }
  const answer: Forger['answer'] = async (surfer, address, forge) => {
    const asked = new URL(address).searchParams
    idToken = await forge(asked.get('nonce') ?? '')
    const back = { code: 'a code', state: asked.get('state') ?? '', iss: provider.issuer }
    return surfer.go(`${asked.get('redirect_uri')}?${new URLSearchParams(back)}`)
  }
  return {
    codes,
    token,
    answer,
    comeBack: async (surfer, id, forge) => answer(surfer, (await surfer.ask(`/admin/oidc/${id}`)).to ?? '', forge),
  }
}

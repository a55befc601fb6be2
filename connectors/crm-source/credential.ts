import { PredioError } from '../../schemas/errors.ts'
import { type Partner, resolveSecret } from '../partners.ts'

/** The header that proves who we are (contract 5). The secret stands nowhere else, least of all in a URL. */
export class Credential {
  readonly #auth: Partner['auth']
  readonly #variables: NodeJS.ProcessEnv
  #secret: string

  /** @throws CONFIG_INVALID when the reference leads to nothing, or to what no header can carry */
  constructor(auth: Partner['auth'], variables: NodeJS.ProcessEnv) {
    this.#auth = auth
    this.#variables = variables
    this.#secret = resolveSecret(auth.secret, variables)
  }

  get header(): Readonly<Record<string, string>> {
    return 'scheme' in this.#auth ? { authorization: `Bearer ${this.#secret}` } : { [this.#auth.header]: this.#secret }
  }

  /** After a refusal: a rotated secret may stand in the file by now. One that cannot be read leaves us what we have. */
  renew(): 'renewed' | 'same' | 'unreadable' {
    try {
      const secret = resolveSecret(this.#auth.secret, this.#variables)
      if (secret === this.#secret) return 'same'
      this.#secret = secret
      return 'renewed'
    } catch (error) {
      if (PredioError.is(error)) return 'unreadable'
      throw error
    }
  }
}

import { execFileSync } from 'node:child_process'

/**
 * A certificate for `localhost`, `crm.acme.example` and 127.0.0.1, made now and good for a day, so that no private key
 * lies in the repository.
 */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '1']
  const names = 'subjectAltName=DNS:localhost,DNS:crm.acme.example,IP:127.0.0.1'
  const output = ['-subj', '/CN=localhost', '-addext', names, '-keyout', '-', '-out', '-']
  const pem = execFileSync('openssl', ['req', '-x509', ...options, ...output], { encoding: 'utf8', stdio: 'pipe' })
  const at = pem.indexOf('-----BEGIN CERTIFICATE-----')
  return { key: pem.slice(0, at), cert: pem.slice(at) }
}

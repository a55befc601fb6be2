/** A partner with nothing but what must be said. */
export const ACME = {
  id: 'acme',
  base_url: 'https://crm.acme.example',
  auth: { header: 'x-api-key', secret: 'env:ACME_API_KEY' },
}

export const fileOf = (...partners: readonly unknown[]): string => JSON.stringify({ partners })

/** Only acme, with other fields. */
export const fileOfAcme = (changes: object): string => fileOf({ ...ACME, ...changes })

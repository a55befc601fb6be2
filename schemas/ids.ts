import { createHash } from 'node:crypto'

/** Longest `external_id` that we can key and store, in UTF-8 bytes (assumption A12). */
export const EXTERNAL_ID_MAX_BYTES = 255

/** An id that is text, short enough and free of control characters, so it can neither forge a key nor break a log line. */
export function isUsableExternalId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.isWellFormed() &&
    !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(value) &&
    (value.length <= EXTERNAL_ID_MAX_BYTES / 3 || Buffer.byteLength(value) <= EXTERNAL_ID_MAX_BYTES)
  )
}

/**
 * Record key of a property in every topic: `partner/external_id`. A partner id holds no slash, so the first one parts them.
 *
 * @param externalId as the partner sent it; where it is unusable the key carries a hash of the body (assumption A12)
 */
export function recordKey(partner: string, externalId: unknown, body: string): string {
  return isUsableExternalId(externalId)
    ? `${partner}/${externalId}`
    : `${partner}/sha256:${createHash('sha256').update(body).digest('hex')}`
}

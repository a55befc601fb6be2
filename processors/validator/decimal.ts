/**
 * An amount as decimal text without an exponent: `1e21` is `1000000000000000000000`, `1e-7` is `0.0000001`. The digits are
 * those of String(number), the shortest that read back as the same number.
 *
 * @param amount finite, 0 or more
 */
export function decimalText(amount: number): string {
  const text = String(amount)
  const [mantissa = '', exponent] = text.split('e')
  if (exponent === undefined) return text
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  // Where the point goes, counted from the left of the digits.
  const point = whole.length + Number(exponent)
  return point <= 0 ? `0.${'0'.repeat(-point)}${digits}` : digits.padEnd(point, '0')
}

import { describe, expect, test } from 'vitest'
import { unusableIdText } from '../../../connectors/crm-source/records.ts'

const nested = (open: string, close: string): unknown => JSON.parse(`${open.repeat(200_000)}0${close.repeat(200_000)}`)

describe('unusableIdText: what the dead-letter topic keeps of a deleted id that is none', () => {
  test.each([
    { name: 'a number', id: 7, text: '7' },
    { name: 'null', id: null, text: 'null' },
    { name: 'text with a line feed', id: 'a\nb', text: '"a\\nb"' },
    { name: 'an object', id: { external_id: 'A' }, text: '{"external_id":"A"}' },
    { name: 'very long text, cut', id: 'x'.repeat(20_000), text: `"${'x'.repeat(9_999)}` },
    {
      name: 'arrays nested beyond the stack: one bad id must not fail every cycle (S11)',
      id: nested('[', ']'),
      text: '[...]',
    },
    { name: 'objects, too', id: nested('{"a":', '}'), text: '{...}' },
  ])('$name', ({ id, text }) => {
    expect(unusableIdText(id)).toBe(text)
  })
})

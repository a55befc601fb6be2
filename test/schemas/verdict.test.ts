import { expect, test } from 'vitest'
import { type Reason, type Route, routeOf, type Severity } from '../../schemas/verdict.ts'

const reason = (severity: Severity): Reason => ({ code: 'c', severity, field: '', message_es: 's', message_en: 's' })

test.each<{ name: string; severities: Severity[]; route: Route }>([
  { name: 'no reason', severities: [], route: 'accepted' },
  { name: 'WARN holds nothing back (contract 1.4)', severities: ['WARN', 'WARN'], route: 'accepted' },
  { name: 'DRAFT', severities: ['DRAFT'], route: 'draft' },
  { name: 'DRAFT behind WARN', severities: ['WARN', 'DRAFT'], route: 'draft' },
  { name: 'BLOCK', severities: ['BLOCK'], route: 'rejected' },
  { name: 'BLOCK behind DRAFT', severities: ['DRAFT', 'BLOCK'], route: 'rejected' },
  { name: 'BLOCK before everything', severities: ['BLOCK', 'DRAFT', 'WARN'], route: 'rejected' },
])('$name: $route', ({ severities, route }) => {
  expect(routeOf(severities.map(reason))).toBe(route)
})

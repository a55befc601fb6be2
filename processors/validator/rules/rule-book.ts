import { createHash } from 'node:crypto'
import { PredioError } from '../../../schemas/errors.ts'
import type { Reason, Severity } from '../../../schemas/verdict.ts'
import type { PostalCodes } from '../postal-codes.ts'
import type { PropertyAsSent } from '../property.ts'
import { addressRules } from './address.ts'
import { BODY_RULES } from './body.ts'
import { CONTACT_RULES } from './contact.ts'
import { COORDINATE_RULES } from './coordinates.ts'
import { DATE_RULES } from './dates.ts'
import { IDENTITY_RULES } from './identity.ts'
import { AMENITY_RULES, PHOTO_RULES } from './photos-and-amenities.ts'
import { PRICE_RULES } from './price.ts'
import type { Rule } from './rule.ts'

/** Raise it with every change to a predicate, a message or the reading of a property: it is part of the rule-set version. */
const CODE_VERSION = 1

export interface RuleBook {
  /** Version of the rule book: same version and same record, same verdict. */
  readonly ruleSet: string
  /** Every rule, in the order in which a person reads a listing. */
  readonly rules: readonly Rule[]
  /** Every reason at once, in the order of `rules`; none for a property without fault. */
  reasonsOf(property: PropertyAsSent): readonly Reason[]
}

export interface RuleBookOptions {
  readonly postalCodes: PostalCodes
  /** Severity by rule code, where the operator wants another than the rule's own (assumption A2). */
  readonly severities?: Readonly<Record<string, Severity>>
}

/** @throws PredioError CONFIG_INVALID with every mistake in `severities` */
export function ruleBook({ postalCodes, severities = {} }: RuleBookOptions): RuleBook {
  const propertyRules = [
    ...IDENTITY_RULES,
    ...PRICE_RULES,
    ...COORDINATE_RULES,
    ...addressRules(postalCodes),
    ...CONTACT_RULES,
    ...PHOTO_RULES,
    ...DATE_RULES,
    ...AMENITY_RULES,
  ]
  const known = [...BODY_RULES, ...propertyRules]
  const mistakes = severityMistakes(known, severities)
  if (mistakes.length > 0) throw new PredioError('CONFIG_INVALID', { severities: mistakes.join('; ') })
  const asConfigured = (rule: Rule): Rule => ({ ...rule, severity: severities[rule.code] ?? rule.severity })
  const rules = known.map(asConfigured)
  const ofBody = BODY_RULES.map(asConfigured)
  const ofProperty = propertyRules.map(asConfigured)
  return {
    ruleSet: versionOf(rules, postalCodes),
    rules,
    reasonsOf: property => reasonsBy(property.whole === 'object' ? ofProperty : ofBody, property),
  }
}

const NO_REASONS: readonly Reason[] = Object.freeze([])

function reasonsBy(rules: readonly Rule[], property: PropertyAsSent): readonly Reason[] {
  let reasons: Reason[] | undefined
  for (const rule of rules) {
    if (!rule.broken(property)) continue
    const { es, en } = rule.message(property)
    reasons ??= []
    reasons.push({ code: rule.code, severity: rule.severity, field: rule.field, message_es: es, message_en: en })
  }
  return reasons ?? NO_REASONS
}

/**
 * What cannot be configured. BLOCK stays BLOCK: such a rule guards a field that the contract requires and a listing
 * cannot be stored without. WARN is for missing amenities alone (contract 1.4).
 */
function severityMistakes(rules: readonly Rule[], severities: Readonly<Record<string, Severity>>): readonly string[] {
  return Object.entries(severities).flatMap(([code, severity]) => {
    const rule = rules.find(candidate => candidate.code === code)
    if (rule === undefined) return [`${code} is no rule`]
    if (severity !== 'BLOCK' && severity !== 'DRAFT' && severity !== 'WARN') {
      return [`${code} must be BLOCK or DRAFT, not ${String(severity).slice(0, 20)}`]
    }
    if (rule.severity === 'BLOCK' && severity !== 'BLOCK') return [`${code} must stay BLOCK`]
    if (rule.severity !== 'WARN' && severity === 'WARN')
      return [`${code} must not be WARN: WARN is for amenities alone`]
    return []
  })
}

function versionOf(rules: readonly Rule[], postalCodes: PostalCodes): string {
  const data = rules.map(({ code, severity, field, source }) => [code, severity, field, source])
  const hash = createHash('sha256').update(JSON.stringify([data, postalCodes.edition]))
  return `${CODE_VERSION}-${hash.digest('hex').slice(0, 8)}`
}

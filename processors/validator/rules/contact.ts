import { OLD_MOBILE_PREFIX } from '../phone.ts'
import type { PropertyAsSent } from '../property.ts'
import { isBlank } from '../text.ts'
import type { Message, Rule } from './rule.ts'
import { absence, inOrder } from './wording.ts'

/** RFC 5321 allows 64 before the @ and 254 in all. */
const LONGEST_EMAIL = 254
/**
 * One address as the web's form fields take it, with a dot in the domain; the domain may hold letters of any script. No
 * repetition inside a repetition can match the same text in two ways, so the time is linear.
 */
const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}][\p{L}\p{N}-]*[\p{L}\p{N}]$/u

/** Rules of `contact`. None of their messages repeats a name, an address or a number: messages travel further than listings. */
export const CONTACT_RULES: readonly Rule[] = [
  {
    code: 'contact_name_missing',
    severity: 'BLOCK',
    field: '/contact/name',
    source: 'contract 2.1',
    broken: ({ contact_name }) => typeof contact_name !== 'string' || isBlank(contact_name),
    message: ({ contact, contact_name }) =>
      inOrder(absence('contact.name', contact, contact_name), {
        es: 'Envíe el nombre del contacto comercial como texto.',
        en: 'Send the name of the commercial contact as text.',
      }),
    bad: '',
    good: 'María Hernández',
  },
  {
    code: 'contact_email_invalid',
    severity: 'BLOCK',
    field: '/contact/email',
    source: 'contract 2.1',
    broken: ({ contact_email }) => !isEmail(contact_email),
    message: property => emailHint(property),
    bad: 'maria en acme.example',
    good: 'maria@acme.example',
  },
  {
    code: 'contact_phone_invalid',
    severity: 'BLOCK',
    field: '/contact/phone',
    source: 'contract 2.1',
    broken: ({ phone }) => phone === undefined,
    message: property => phoneHint(property),
    bad: '55 1234 5678 ext. 9',
    good: '5512345678',
  },
  {
    code: 'contact_phone_unlikely',
    severity: 'DRAFT',
    field: '/contact/phone',
    source: 'contract 2.1, assumption A2',
    broken: ({ phone }) => phone !== undefined && !phone.isValid,
    message: ({ phone }) => likelyHint(phone!.digits),
    bad: '12345678',
    good: '+52 1 55 1234 5678',
  },
]

function isEmail(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_EMAIL && value.indexOf('@') <= 64 && EMAIL.test(value)
}

function emailHint({ contact, contact_email }: PropertyAsSent): Message {
  const mend: Message = {
    es: 'Envíe una sola dirección de correo, por ejemplo ventas@empresa.mx.',
    en: 'Send a single e-mail address, for example sales@company.mx.',
  }
  if (typeof contact_email !== 'string' || isBlank(contact_email)) {
    return inOrder(absence('contact.email', contact, contact_email), mend)
  }
  return inOrder(emailFault(contact_email), mend)
}

function emailFault(email: string): Message {
  if (email.length > LONGEST_EMAIL) return { es: 'contact.email es demasiado largo.', en: 'contact.email is too long.' }
  const ats = email.split('@').length - 1
  if (ats === 0) return { es: 'contact.email no tiene arroba (@).', en: 'contact.email has no @.' }
  if (ats > 1) return { es: 'contact.email tiene más de una arroba (@).', en: 'contact.email has more than one @.' }
  if (/\s/.test(email)) return { es: 'contact.email contiene espacios.', en: 'contact.email contains blanks.' }
  if (/[^\u0000-\u007f]/.test(email.slice(0, email.indexOf('@')))) {
    return {
      es: 'contact.email tiene acentos o letras especiales antes de la arroba.',
      en: 'contact.email has accents or special letters before the @.',
    }
  }
  return { es: 'contact.email no es una dirección de correo.', en: 'contact.email is no e-mail address.' }
}

function phoneHint({ contact, contact_phone }: PropertyAsSent): Message {
  const mend: Message = {
    es: 'Envíe un solo teléfono como texto de dígitos: diez en México, o con + y clave de país.',
    en: 'Send one telephone number as text of digits: ten in Mexico, or with + and the country code.',
  }
  if (typeof contact_phone !== 'string' || isBlank(contact_phone)) {
    return inOrder(absence('contact.phone', contact, contact_phone), mend)
  }
  const found: Message = /\d/.test(contact_phone)
    ? {
        es: 'contact.phone tiene letras u otros caracteres que no son dígitos (por ejemplo, una extensión).',
        en: 'contact.phone has letters or other characters that are no digits (an extension, for example).',
      }
    : { es: 'contact.phone no tiene ningún dígito.', en: 'contact.phone has no digit.' }
  return inOrder(found, mend)
}

function likelyHint(digits: string): Message {
  if (OLD_MOBILE_PREFIX.test(digits)) {
    return {
      es: 'contact.phone lleva un prefijo de celular antiguo (521, 044 o 045) y lo demás no es un número válido. Envíe los diez dígitos actuales.',
      en: 'contact.phone has an old mobile prefix (521, 044 or 045) and the rest is no valid number. Send today’s ten digits.',
    }
  }
  return {
    es: `contact.phone tiene ${digits.length} dígitos y no parece un teléfono válido. En México son diez, con clave de área; si es de otro país, agregue + y la clave del país.`,
    en: `contact.phone has ${digits.length} digits and does not look like a valid number. In Mexico there are ten, with the area code; for another country add + and its code.`,
  }
}

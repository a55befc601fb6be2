import type { Message, Rule } from './rule.ts'
import { asType } from './wording.ts'

/** Photos that the contract recommends at least (sections 2.1 and 8). */
const FEWEST_PHOTOS = 3

export const PHOTO_RULES: readonly Rule[] = [
  {
    code: 'photos_too_few',
    severity: 'DRAFT',
    field: '/photos',
    source: 'contract 2.1, 8, assumption A2',
    broken: ({ photoUrls }) => photoUrls.length < FEWEST_PHOTOS,
    message: ({ photos, photoUrls }) => {
      if (!Array.isArray(photos)) return photosOfOtherType(photos)
      const [es, en] =
        photoUrls.length === 1 ? ['1 foto', '1 photo'] : [`${photoUrls.length} fotos`, `${photoUrls.length} photos`]
      const unused = photos.length - photoUrls.length
      const leftOut: Message =
        unused === 0
          ? { es: '', en: '' }
          : {
              es: ` (de ${photos.length} elementos, ${unused} no se cuentan: repetidos o sin dirección http o https)`,
              en: ` (of ${photos.length} elements ${unused} do not count: repeated, or without an http or https address)`,
            }
      return {
        es: `photos tiene ${es}${leftOut.es}. Envíe al menos ${FEWEST_PHOTOS} direcciones públicas distintas.`,
        en: `photos has ${en}${leftOut.en}. Send at least ${FEWEST_PHOTOS} different public addresses.`,
      }
    },
    bad: ['https://cdn.acme.example/1.jpg', 'https://cdn.acme.example/1.jpg', '2.jpg'],
    good: ['https://cdn.acme.example/1.jpg', 'https://cdn.acme.example/2.jpg', 'https://cdn.acme.example/3.jpg'],
  },
]

function photosOfOtherType(photos: unknown): Message {
  const type = asType(photos)
  return {
    es: `photos ${type.es}. Envíe una lista con al menos ${FEWEST_PHOTOS} direcciones (URL) públicas de fotos.`,
    en: `photos ${type.en}. Send a list of at least ${FEWEST_PHOTOS} public addresses (URLs) of photos.`,
  }
}

export const AMENITY_RULES: readonly Rule[] = [
  {
    code: 'amenities_missing',
    severity: 'WARN', // the one WARN of the contract (section 1.4)
    field: '/amenities',
    source: 'contract 1.4',
    broken: ({ amenityNames }) => amenityNames.length === 0,
    message: ({ amenities }) => {
      const found: Message = Array.isArray(amenities)
        ? { es: 'no tiene ninguna amenidad legible', en: 'holds no readable amenity' }
        : asType(amenities)
      return {
        es: `amenities ${found.es}. Agregue una lista de textos, por ejemplo elevador o estacionamiento.`,
        en: `amenities ${found.en}. Add a list of texts, for example elevator or parking.`,
      }
    },
    bad: [],
    good: ['elevador', 'estacionamiento'],
  },
]

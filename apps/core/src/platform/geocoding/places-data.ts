/** The data that the thread sends: the index, and for each town longitude and latitude, name and country. */
export interface PlacesData {
  index: ArrayBuffer
  at: ArrayBuffer
  /** A line each. */
  names: string
  /** Two letters each. */
  countries: string
}

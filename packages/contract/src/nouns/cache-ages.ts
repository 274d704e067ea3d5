/** The age at which a fetched answer is requested again, in milliseconds (PU-CACHE rows). */
export const cacheAgesMs = {
  unitCapabilities: 60_000,
  unitSettings: 60_000,
  enhancedUnit: 60_000,
  unitServices: 1_800_000,
  serverServices: 1_800_000,
  smpteConfiguration: 60_000,
} as const

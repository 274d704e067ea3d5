/** The device of all loads: a unit with six modems. */
export const identityOf = (device: number) => ({
  kind: 'unit' as const,
  product: 'LU-600',
  serialNumber: `bench-${device}`,
  name: `BENCH-${String(device).padStart(5, '0')}`,
  swVersion: '10.1.0',
})

export const bootOf = (device: number) => `b${device}`

/** Its report once core has welcomed it. */
export const actual = {
  state: 'ready' as const,
  applications: {},
  channelId: null,
  transmissionId: null,
  delayMs: 1000,
  workingMode: 'video' as const,
  links: [0, 1, 2, 3, 4, 5].map((port) => ({
    port,
    id: `Modem ${port}`,
    kind: 'modem' as const,
    enabled: true,
    carrier: 'A',
  })),
  storages: [],
  camera: null,
  capabilities: {},
  appliedRevision: 0,
}

// The devices that core knows, by what they are found: their id, their token, their customer and the serial number there.
import type { DeviceFacts } from './device-table.ts'
import type { Device } from './devices.ts'

export type KeptDevice = { -readonly [K in keyof Device]: Device[K] }

type Serial = Pick<DeviceFacts, 'inventoryId' | 'kind' | 'serialNumber'>
const ownerKey = ({ inventoryId, kind }: Pick<Serial, 'inventoryId' | 'kind'>) => `${inventoryId} ${kind}`
const serialKey = (of: Serial) => `${ownerKey(of)} ${of.serialNumber}`

export class DeviceIndex {
  readonly #byId = new Map<string, KeptDevice>()
  readonly #byToken = new Map<string, KeptDevice>()
  readonly #byOwner = new Map<string, Set<KeptDevice>>()
  readonly #bySerial = new Map<string, KeptDevice>()

  all(): KeptDevice[] {
    return [...this.#byId.values()]
  }

  get(id: string): KeptDevice | undefined {
    return this.#byId.get(id)
  }

  withToken(tokenHash: string): KeptDevice | undefined {
    return this.#byToken.get(tokenHash)
  }

  ofInventory(kind: Device['kind'], inventoryId: string): KeptDevice[] {
    return [...(this.#byOwner.get(ownerKey({ inventoryId, kind })) ?? [])]
  }

  withSerial(of: Serial): KeptDevice | undefined {
    return this.#bySerial.get(serialKey(of))
  }

  add(device: KeptDevice): void {
    this.#byId.set(device.id, device)
    this.#byToken.set(device.tokenHash, device)
    const owner = ownerKey(device)
    this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? new Set()).add(device))
    this.#bySerial.set(serialKey(device), device)
  }

  /** From here on it is found by what it is now; it keeps its place among the others unless it moves. */
  change(device: KeptDevice, facts: Partial<DeviceFacts>): void {
    const owner = ownerKey(device)
    this.#byToken.delete(device.tokenHash)
    this.#bySerial.delete(serialKey(device))
    Object.assign(device, facts)
    if (ownerKey(device) !== owner) this.#byOwner.get(owner)?.delete(device)
    this.add(device)
  }

  remove(device: KeptDevice): void {
    this.#byId.delete(device.id)
    this.#byToken.delete(device.tokenHash)
    this.#byOwner.get(ownerKey(device))?.delete(device)
    this.#bySerial.delete(serialKey(device))
  }
}

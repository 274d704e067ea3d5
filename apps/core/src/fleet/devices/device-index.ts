// Index of the known devices by id, token, customer and serial number.
import type { Device } from './device.ts'
import type { DeviceFacts } from './device-table.ts'

export type KeptDevice = { -readonly [K in keyof Device]: Device[K] }

type Serial = Pick<DeviceFacts, 'inventoryId' | 'kind' | 'serialNumber'>
const ownerKey = ({ inventoryId, kind }: Pick<Serial, 'inventoryId' | 'kind'>) => `${inventoryId} ${kind}`
const serialKey = ({ kind, serialNumber }: Omit<Serial, 'inventoryId'>) => `${kind} ${serialNumber}`

export class DeviceIndex {
  readonly #byId = new Map<string, KeptDevice>()
  readonly #byToken = new Map<string, KeptDevice>()
  readonly #byOwner = new Map<string, Set<KeptDevice>>()
  readonly #bySerial = new Map<string, Set<KeptDevice>>()

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

  /** The device of the customer with this serial number. */
  withSerial(of: Serial): KeptDevice | undefined {
    return this.allWithSerial(of).find(({ inventoryId }) => inventoryId === of.inventoryId)
  }

  /** The devices of every customer with this serial number. */
  allWithSerial(of: Omit<Serial, 'inventoryId'>): KeptDevice[] {
    return [...(this.#bySerial.get(serialKey(of)) ?? [])]
  }

  add(device: KeptDevice): void {
    this.#byId.set(device.id, device)
    this.#byToken.set(device.tokenHash, device)
    const owner = ownerKey(device)
    this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? new Set()).add(device))
    const serial = serialKey(device)
    this.#bySerial.set(serial, (this.#bySerial.get(serial) ?? new Set()).add(device))
  }

  /** Updates its keys; it keeps its place among the others unless its customer changes. */
  change(device: KeptDevice, facts: Partial<DeviceFacts>): void {
    const owner = ownerKey(device)
    this.#byToken.delete(device.tokenHash)
    this.#forgetSerial(device)
    Object.assign(device, facts)
    if (ownerKey(device) !== owner) this.#byOwner.get(owner)?.delete(device)
    this.add(device)
  }

  remove(device: KeptDevice): void {
    this.#byId.delete(device.id)
    this.#byToken.delete(device.tokenHash)
    this.#byOwner.get(ownerKey(device))?.delete(device)
    this.#forgetSerial(device)
  }

  #forgetSerial(device: KeptDevice): void {
    const key = serialKey(device)
    const others = this.#bySerial.get(key)
    others?.delete(device)
    if (others?.size === 0) this.#bySerial.delete(key)
  }
}

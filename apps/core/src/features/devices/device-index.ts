// The devices that core knows, by what they are found: their id, their token, and the serial number at their customer.
import type { DeviceFacts } from './device-table.ts'
import type { Device } from './devices.ts'

export type KeptDevice = { -readonly [K in keyof Device]: Device[K] }

type Serial = Pick<DeviceFacts, 'inventoryId' | 'kind' | 'serialNumber'>
const serialKey = ({ inventoryId, kind, serialNumber }: Serial) => `${inventoryId} ${kind} ${serialNumber}`

export class DeviceIndex {
  readonly #byId = new Map<string, KeptDevice>()
  readonly #byToken = new Map<string, KeptDevice>()
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

  withSerial(of: Serial): KeptDevice | undefined {
    return this.#bySerial.get(serialKey(of))
  }

  add(device: KeptDevice): void {
    this.#byId.set(device.id, device)
    this.#byToken.set(device.tokenHash, device)
    this.#bySerial.set(serialKey(device), device)
  }

  /** From here on it is found by what it is now. */
  change(device: KeptDevice, facts: Partial<DeviceFacts>): void {
    this.remove(device)
    this.add(Object.assign(device, facts))
  }

  remove(device: KeptDevice): void {
    this.#byId.delete(device.id)
    this.#byToken.delete(device.tokenHash)
    this.#bySerial.delete(serialKey(device))
  }
}

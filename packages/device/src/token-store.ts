/** Stores the identity that core assigned to a device. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Sent once by core in `registered`; the holder of the token is the device. */
export interface DeviceToken {
  deviceId: string
  token: string
}

/** The port: a file on a real device, one shared file for simulated ones. */
export interface TokenStore {
  load(): DeviceToken | undefined | Promise<DeviceToken | undefined>
  /** Must have stored it durably when it returns: the device sends hello with it next. */
  save(token: DeviceToken): void | Promise<void>
  /** Core no longer knows the token. */
  clear(): void | Promise<void>
}

/** Keeps the token in a file that only its owner may read; written whole or not at all. */
export function createTokenFile(path: string): TokenStore {
  return {
    async load() {
      const text = await readFile(path, 'utf8').catch(() => undefined)
      return text === undefined ? undefined : readToken(text)
    },
    async save(token) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(`${path}.new`, `${JSON.stringify(token)}\n`, { mode: 0o600 })
      await rename(`${path}.new`, path)
    },
    clear: () => rm(path, { force: true }),
  }
}

/** A file that was damaged counts as none: the device registers again. */
function readToken(text: string): DeviceToken | undefined {
  try {
    const { deviceId, token } = JSON.parse(text) as Partial<DeviceToken>
    return typeof deviceId === 'string' && typeof token === 'string' ? { deviceId, token } : undefined
  } catch {
    return undefined
  }
}

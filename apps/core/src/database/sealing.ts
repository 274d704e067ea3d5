// Secrets that core must read again, such as those of authenticator apps, stored so that the database alone does not reveal them.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Sealing {
  /** `owner` is whose secret it is: moved to the row of another owner it cannot be opened. */
  seal(secret: string, owner: string): string
  /** Undefined for anything but what `seal` made with the same key for the same owner. */
  open(sealed: string, owner: string): string | undefined
}

const [ivBytes, tagBytes] = [12, 16]

/** AES-256-GCM. @param key any text of at least 32 characters that only this installation knows */
export function createSealing(key: string): Sealing {
  const keyBytes = createHash('sha256').update(key).digest()
  return {
    seal(secret, owner) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', keyBytes, iv).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', keyBytes, bytes.subarray(0, ivBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
        return Buffer.concat([
          decipher.update(bytes.subarray(ivBytes + tagBytes)),
          decipher.final(),
        ]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

/** The key in this file, made at the first start and readable by core's user alone. */
export async function keyFromFile(file: string, bytes = 32): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  const fresh = randomBytes(bytes).toString('base64url')
  await writeFile(file, fresh, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return (await readFile(file, 'utf8')).trim()
}

/** A signed package of a program: one line with its manifest and signature, then a tar.gz of the program's folder. */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'

/** The longest first line, its end included. */
export const PACKAGE_HEAD_BYTES = 4096

/** A version is a folder's name too, so it has no other characters. */
const versionPattern = /^\d{1,5}(?:\.\d{1,5}){1,3}(?:[-+_.][A-Za-z][\w.-]*)?$/

export const PackageManifest = z.object({
  format: z.literal(1),
  program: z.enum(['agent', 'hub']),
  version: z.string().max(32).regex(versionPattern, 'must be a number such as 8.1.0 or 8.1.0-b12'),
  node: z.number().int().positive().describe('The oldest major version of Node that runs it'),
  bytes: z.number().int().positive().describe('Of the archive'),
  unpackedBytes: z.number().int().positive().describe('Of its files'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Of the archive'),
})
export type PackageManifest = z.infer<typeof PackageManifest>

/** The first line of a package, signed by an Ed25519 key. */
export function packageHead(manifest: PackageManifest, privateKey: KeyObject): string {
  const content = Buffer.from(JSON.stringify(PackageManifest.parse(manifest)))
  return `${content.toString('base64url')}.${sign(null, content, privateKey).toString('base64url')}\n`
}

/** Undefined unless the line was signed by this key. */
export function readPackageHead(line: string, publicKey: KeyObject): PackageManifest | undefined {
  const [content = '', signature = ''] = line.trimEnd().split('.')
  const signed = Buffer.from(content, 'base64url')
  // The content is read only after that.
  if (!verify(null, signed, publicKey, Buffer.from(signature, 'base64url'))) return undefined
  return PackageManifest.safeParse(JSON.parse(signed.toString())).data
}

/** An Ed25519 key as PEM, or as its base64 in one line; throws for any other. */
export function readPublicKey(text: string): KeyObject {
  const key = text.includes('-----')
    ? createPublicKey(text)
    : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key')
  return key
}

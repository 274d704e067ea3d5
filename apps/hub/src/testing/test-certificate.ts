// A certificate for servers of tests that encrypt.
import { createSelfSignedCertificate } from 'werift'

let made: ReturnType<typeof createSelfSignedCertificate> | undefined

/** One for all tests of this process: signed by itself, with an RSA key. */
export async function testCertificate(): Promise<{ cert: string; key: string }> {
  made ??= createSelfSignedCertificate({ hash: 4, signature: 1 })
  const { certPem, keyPem } = await made
  return { cert: certPem, key: keyPem }
}

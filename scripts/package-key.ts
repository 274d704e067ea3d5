// `npm run package-key -- <file>`: makes the key that signs packages. The private half goes into the file, readable by its
// owner alone; the public half is printed, as devices get it by BACKHAUL_UPGRADE_KEY.
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('npm run package-key -- <file for the private key>')
  process.exit(1)
}
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
try {
  // An existing key is never overwritten: devices know its public half.
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  console.error(
    code === 'EEXIST'
      ? `${file} exists and is kept, since devices may know its public half: name another file.`
      : `The key cannot be written: ${message}`,
  )
  process.exit(1)
}
console.log(publicKey.export({ type: 'spki', format: 'der' }).toString('base64'))
